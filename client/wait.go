package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// The wait after the first attempt is at most firstBackoff; that limit doubles
// from attempt to attempt until it is longestBackoff.
const (
	firstBackoff   = 500 * time.Millisecond
	longestBackoff = 10 * time.Second
)

// longestRetryAfter is the largest number of seconds that is read. A date may be
// so far away that any time added to it would begin again below zero.
const longestRetryAfter = (1<<31 - 1) * time.Second

// backoff draws the wait after an attempt between zero and the limit ("full
// jitter"), so that clients that failed together do not come back together.
func (c *Client) backoff(attempt int) time.Duration {
	limit := firstBackoff
	for range attempt - 1 {
		if limit *= 2; limit >= longestBackoff {
			limit = longestBackoff
			break
		}
	}
	return time.Duration(c.random() * float64(limit))
}

// retryAfter reads the header in both of its forms. A date counts from the
// server's own clock if that is known, because clocks differ.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	seconds, err := strconv.ParseUint(value, 10, 31)
	if err == nil || errors.Is(err, strconv.ErrRange) { // a larger number is read as the largest
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(0, at.Sub(now)), longestRetryAfter)
}

// sleep reports whether the whole time went by.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// ended says why a context ended: both how and, if someone said, the cause.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}
