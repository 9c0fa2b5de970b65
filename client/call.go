package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// maxErrorBody is how much of an error's body is read.
const maxErrorBody = 64 << 10

// get calls a route until it answers or there is no point in going on.
func get[T any](ctx context.Context, c *Client, route string, product int64, q url.Values,
	decode func(*json.Decoder) (T, error)) (answer T, err error) {
	path := strings.Replace(route, "{productId}", strconv.FormatInt(product, 10), 1)
	target := c.base.JoinPath(path)
	target.RawQuery = q.Encode()
	failure := c.call(ctx, target.String(), func(r io.Reader) (err error) {
		answer, err = whole(r, decode)
		return err
	})
	if failure != nil {
		failure.Path = path
		var none T
		return none, failure
	}
	return answer, nil
}

// call makes attempts, and waits between them.
func (c *Client) call(ctx context.Context, target string, read func(io.Reader) error) *Error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.total, errTotalTime)
	defer cancel()
	deadline, _ := ctx.Deadline()
	for attempt := 1; ; attempt++ {
		failure := c.attempt(ctx, target, read)
		if failure == nil {
			return nil
		}
		failure.Attempts = attempt
		if !failure.transient || attempt == c.attempts {
			return failure
		}
		pause := failure.RetryAfter + c.backoff(attempt)
		if time.Until(deadline) <= pause {
			return failure
		}
		if !sleep(ctx, pause) {
			failure.Err = ended(ctx)
			return failure
		}
	}
}

// attempt sends the request once.
func (c *Client) attempt(ctx context.Context, target string, read func(io.Reader) error) *Error {
	if ctx.Err() != nil { // a transport need not look
		return c.broken(ctx, 0, nil)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return &Error{Err: c.key.hideIn(err)}
	}
	c.key.authorize(req.Header)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.agent)
	known := c.cache.find(target)
	if known != nil {
		req.Header.Set("If-None-Match", known.etag)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return c.broken(ctx, 0, err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusOK:
		return c.answered(ctx, target, res, read)
	case res.StatusCode == http.StatusNotModified && known != nil:
		if err := read(bytes.NewReader(known.body)); err != nil {
			return &Error{Status: res.StatusCode, Err: err} // it was read before
		}
		return nil
	}
	return c.refused(res)
}

// answered reads a 200.
func (c *Client) answered(ctx context.Context, target string, res *http.Response, read func(io.Reader) error) *Error {
	b := &body{from: res.Body, left: c.maxBody, copied: c.cache.copyOf(res.Header)}
	err := read(b)
	var failure *Error
	switch {
	case err == nil:
		c.cache.keep(target, res.Header.Get("ETag"), b.copied)
		return nil
	case errors.Is(b.failed, ErrTooLarge):
		failure = &Error{Status: res.StatusCode, Err: ErrTooLarge}
	case b.failed != nil:
		failure = c.broken(ctx, res.StatusCode, b.failed)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		// Without a length or chunks, a cut body looks like a short one.
		failure = c.broken(ctx, res.StatusCode, io.ErrUnexpectedEOF)
	default:
		failure = &Error{Status: res.StatusCode, Err: c.key.hideIn(fmt.Errorf("not the JSON of the API: %w", err))}
	}
	failure.RequestID = c.key.tidy(res.Header.Get(api.HeaderRequestID))
	return failure
}

var errRedirect = errors.New("a redirect, which the API never sends: check the base URL")

// refused reads an answer that is not a 200.
func (c *Client) refused(res *http.Response) *Error {
	failure := &Error{
		Status:     res.StatusCode,
		Detail:     c.key.tidy(res.Header.Get(api.HeaderErrorDetail)),
		RequestID:  c.key.tidy(res.Header.Get(api.HeaderRequestID)),
		RetryAfter: retryAfter(res.Header),
		transient:  res.StatusCode >= http.StatusInternalServerError,
	}
	if res.StatusCode/100 == 3 && res.Header.Get("Location") != "" {
		failure.Err = errRedirect
	}
	// The status alone decides; a body that is cut or is not ours says nothing.
	text, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	var said api.ErrorResponse
	if json.Unmarshal(text, &said) == nil {
		failure.Message = c.key.tidy(said.Message)
	}
	return failure
}

// broken is an attempt without a whole answer. It is worth another one unless
// the caller has gone or the two sides do not agree on TLS.
func (c *Client) broken(ctx context.Context, status int, err error) *Error {
	if ctx.Err() != nil {
		cause := ended(ctx)
		return &Error{Status: status, Err: cause, transient: errors.Is(cause, errTotalTime)}
	}
	var wrapped *url.Error // repeats method and URL
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	permanent := errors.As(err, &certificate) || errors.As(err, &record) || errors.Is(err, http.ErrSchemeMismatch)
	return &Error{Status: status, Err: c.key.hideIn(err), transient: !permanent}
}
