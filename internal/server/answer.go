package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/encode"
	"github.com/sightline-hq/sightline/internal/export"
	"github.com/sightline-hq/sightline/internal/report"
)

// badRequest is a request with wrong parameters; the cause goes into a header.
type badRequest struct{ cause error }

func (b badRequest) Error() string { return b.cause.Error() }

var (
	errUnauthorized = errors.New("unauthorized")
	errWrongKey     = unauthorized("wrong key")
	errNoKey        = unauthorized("no bearer key")
	errOverloaded   = errors.New("overloaded")
	errTooManyKeys  = fmt.Errorf("%w by wrong keys", errOverloaded)
)

// answer is the one way in and out of an endpoint.
func (s *Server) answer(route string, e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note := noteOf(r)
		note.route = route
		c, err := s.authenticate(r, route)
		note.team, note.key = c.scope.TeamID(), c.scope.KeyID()
		if errors.Is(err, errUnauthorized) {
			err = s.unauthorized(r, err)
		}
		var q question
		if err == nil {
			q, err = e(c)
		}
		if err == nil {
			err = s.reply(w, r, route, c, q)
		}
		if err != nil {
			note.err = err
			writeError(w, r, err)
		}
	})
}

// reply answers a question, from memory if it can.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, route string, c call, q question) error {
	format := accepted(r.Header.Values("Accept"))
	if q.key == "" {
		body, err := q.ask(r.Context(), s.Reports)
		if err != nil {
			return err
		}
		return q.write(w, r, format, body)
	}
	pinned, err := s.Reports.Pin()
	if err != nil {
		return err
	}
	release := sync.OnceFunc(pinned.Close)
	defer release()
	if q.large {
		return s.direct(w, r, pinned, q, format, release)
	}
	key := fmt.Sprintf("%d %d %d %s %s %s", pinned.Edition(), c.catalog, c.product.Product().ID, route, mediaOf(format), q.key)
	reply, err := s.cache.get(r.Context(), key, func() asking {
		again := pinned.Again() // the answer may be waited for longer than this request lives
		return func(ctx context.Context) (*reply, error) {
			defer again.Close()
			return s.run(ctx, again, q, format)
		}
	})
	if err != nil {
		return err
	}
	reply.write(w, r)
	return nil
}

// run asks within the time and the share of the machine of a question.
func (s *Server) run(ctx context.Context, pinned *report.Pinned, q question, format *export.Format) (*reply, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	leave, err := s.gate.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	started := time.Now()
	body, err := q.ask(ctx, &pinned.Reports)
	if err != nil {
		return nil, err
	}
	took := time.Since(started)
	answer, err := q.encode(format, body)
	if err == nil && s.Timing {
		answer.header = append(slices.Clip(answer.header), header{"Server-Timing", fmt.Sprintf("report;dur=%.3f", float64(took.Microseconds())/1000)})
	}
	return answer, err
}

// direct answers a question whose answer may be large: it is sent while its
// rows are read, and not remembered. Its place and the facts are let go when the
// last row was read, however long the reader takes.
func (s *Server) direct(w http.ResponseWriter, r *http.Request, pinned *report.Pinned, q question, format *export.Format, release func()) error {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	timer := time.AfterFunc(s.Timeout, func() { cancel(context.DeadlineExceeded) })
	defer timer.Stop()
	leave, err := s.gate.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	body, err := q.ask(ctx, &pinned.Reports)
	if err != nil {
		return err
	}
	if page, ok := body.(*report.TimeseriesPage); ok && page.Streams() {
		return q.stream(w, r, format, page, timer, func() { leave(); release() })
	}
	leave()
	return q.write(w, r, format, body)
}

// authenticate finds out who calls and, on a product's route, whether the
// product is theirs. It fails in one way only (contract, authentication, 4).
func (s *Server) authenticate(r *http.Request, route string) (c call, err error) {
	key, ok := bearer(r.Header)
	if !ok {
		return c, errNoKey
	}
	snapshot := s.Catalog()
	c.catalog = snapshot.Edition()
	if c.scope, ok = snapshot.Authenticate(key); !ok {
		return c, fmt.Errorf("%w: %s", errWrongKey, snapshot.Refusal(key))
	}
	c.query = r.URL.RawQuery
	if !strings.Contains(route, "{productId}") {
		return c, nil
	}
	id, ok := api.ParseProductID(r.PathValue("productId"))
	if !ok {
		return c, unauthorized("malformed product id")
	}
	if c.product, ok = c.scope.Product(id); !ok {
		return c, unauthorized("product is not one of the team's")
	}
	return c, nil
}

// unauthorized has a cause that is for the log alone: callers see one answer.
func unauthorized(cause string) error { return fmt.Errorf("%w: %s", errUnauthorized, cause) }

// bearer returns the key of "Authorization: Bearer KEY".
func bearer(h http.Header) (key string, ok bool) {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, key, ok := strings.Cut(values[0], " ")
	return strings.TrimLeft(key, " "), ok && strings.EqualFold(scheme, "Bearer")
}

func writeError(w http.ResponseWriter, r *http.Request, err error) {
	status, message := http.StatusInternalServerError, api.MessageInternal
	var bad badRequest
	switch {
	case errors.As(err, &bad):
		status, message = http.StatusBadRequest, api.MessageBadRequest
		w.Header().Set(api.HeaderErrorDetail, bad.Error())
	case errors.Is(err, errUnauthorized):
		status, message = http.StatusUnauthorized, api.MessageUnauthorized
		w.Header().Set("WWW-Authenticate", "Bearer")
	case errors.Is(err, errOverloaded):
		status, message = http.StatusServiceUnavailable, api.MessageOverloaded
		w.Header().Set("Retry-After", "1")
	}
	writeMessage(w, r, status, message)
}

// matches says whether If-None-Match names a tag.
func matches(h http.Header, etag string) bool {
	for _, line := range h.Values("If-None-Match") {
		for tag := range strings.SplitSeq(line, ",") {
			if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
	}
	return false
}

func send(w http.ResponseWriter, r *http.Request, status int, body body) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(sendTime))
	w.Header().Set("Content-Length", strconv.Itoa(body.size()))
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	for _, piece := range body {
		if _, err := w.Write(piece); err != nil {
			return // a caller that has gone is no error of ours
		}
	}
}

// writeMessage sends an answer that is no report.
func writeMessage(w http.ResponseWriter, r *http.Request, status int, message string) {
	line, err := encode.JSON(api.ErrorResponse{Message: message})
	if err != nil {
		panic(err) // a message is text
	}
	setHeaders(w.Header())
	send(w, r, status, line.Pieces)
}

// setHeaders sets what all answers have in common. Errors are always JSON.
func setHeaders(h http.Header) {
	h.Set("Content-Type", api.MediaJSON)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Authorization")
	h.Set("X-Content-Type-Options", "nosniff")
}
