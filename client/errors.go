package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// What an *Error can match with errors.Is.
var (
	// ErrBadRequest is a 400: the request is wrong, and Error.Detail says how.
	ErrBadRequest = errors.New("bad request")
	// ErrUnauthorized is a 401: the key, or the product is none of its team's.
	ErrUnauthorized = errors.New("unauthorized")
	// ErrUnavailable is a 5xx, a connection that broke, or the total time gone
	// by. All attempts were in vain; a later one may not be.
	ErrUnavailable = errors.New("unavailable")
	// ErrTooLarge is an answer larger than WithMaxBody allows.
	ErrTooLarge = errors.New("the answer is too large")
	// ErrChanged comes from TimeseriesRows when the data changed between two
	// pages. The rows so far and those to come are not of one report: start
	// again, or ask for one large page.
	ErrChanged = errors.New("the data changed between two pages")
)

// errTotalTime ends a call that has had its time.
var errTotalTime = fmt.Errorf("the call's total time is over: %w", context.DeadlineExceeded)

// Error is a call that failed, as its last attempt left it.
type Error struct {
	// Path is the path that was asked for, without base URL and query.
	Path string
	// Status is the HTTP status; 0 if no answer came.
	Status int
	// Message is what the body of the answer said.
	Message string
	// Detail says what was wrong with a request that was answered with 400.
	Detail string
	// RequestID names the answer in the server's log. Quote it in reports.
	RequestID string
	// RetryAfter is how long the server asked to wait; 0 if it did not ask.
	RetryAfter time.Duration
	// Attempts is how many attempts were made.
	Attempts int
	// Err is what broke, for failures that are not the server's answer: the
	// connection, the context, or an answer that cannot be read.
	Err error

	transient bool // worth another attempt
}

// Error says all there is to say in one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "GET %s: ", e.Path)
	switch {
	case e.Status == 0:
		b.WriteString("no answer")
	case e.Message != "":
		fmt.Fprintf(&b, "%d %s", e.Status, e.Message)
	default:
		fmt.Fprintf(&b, "%d %s", e.Status, http.StatusText(e.Status))
	}
	if e.Detail != "" {
		b.WriteString(" " + e.Detail)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if notes := e.notes(); len(notes) > 0 {
		b.WriteString(" (" + strings.Join(notes, ", ") + ")")
	}
	return b.String()
}

func (e *Error) notes() (notes []string) {
	if e.RequestID != "" {
		notes = append(notes, "request id "+e.RequestID)
	}
	if e.Attempts > 1 {
		notes = append(notes, fmt.Sprintf("%d attempts", e.Attempts))
	}
	if e.RetryAfter > 0 {
		notes = append(notes, fmt.Sprintf("retry after %s", e.RetryAfter))
	}
	return notes
}

// Is matches the kinds of failure that callers tell apart.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrBadRequest:
		return e.Status == http.StatusBadRequest
	case ErrUnauthorized:
		return e.Status == http.StatusUnauthorized
	case ErrUnavailable:
		return e.transient || e.Status >= http.StatusInternalServerError
	}
	return false
}

// Unwrap returns what broke, so that errors.Is finds context.Canceled.
func (e *Error) Unwrap() error { return e.Err }
