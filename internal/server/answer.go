package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/report"
)

// badRequest is a request with wrong parameters; the cause goes into a header.
type badRequest struct{ cause error }

func (b badRequest) Error() string { return b.cause.Error() }

var (
	errUnauthorized = errors.New("unauthorized")
	errOverloaded   = errors.New("overloaded")
)

// answer is the one way in and out of an endpoint.
func (s *Server) answer(route string, gate *gate, serve endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note := noteOf(r)
		note.route = route
		c, err := s.authenticate(r, route)
		note.team = c.scope.TeamID()
		var body any
		if err == nil {
			body, err = s.serve(w, r, gate, serve, c)
		}
		switch {
		case err != nil:
			note.err = err
			writeError(w, r, err)
		case body != nil:
			writeJSON(w, r, http.StatusOK, body)
		}
	})
}

// serve runs an endpoint within its time and its share of the machine. A page
// that streams is sent here, as long as its rows can be read; there is no body
// left to send then.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, gate *gate, serve endpoint, c call) (any, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	timer := time.AfterFunc(s.Timeout, func() { cancel(context.DeadlineExceeded) })
	defer timer.Stop()
	if err := gate.enter(ctx); err != nil {
		return nil, err
	}
	defer gate.leave()
	body, err := serve(ctx, c)
	if page, ok := body.(*report.TimeseriesPage); ok && err == nil {
		return nil, stream(w, r, page, timer)
	}
	return body, err
}

// authenticate finds out who calls and, on a product's route, whether the
// product is theirs. It fails in one way only (contract, authentication, 4).
func (s *Server) authenticate(r *http.Request, route string) (c call, err error) {
	key, ok := bearer(r.Header)
	if !ok {
		return c, unauthorized("no bearer key")
	}
	if c.scope, ok = s.Catalog().Authenticate(key); !ok {
		return c, unauthorized("unknown or revoked key")
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
	writeJSON(w, r, status, api.ErrorResponse{Message: message})
}

func writeJSON(w http.ResponseWriter, r *http.Request, status int, body any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		noteOf(r).err = err
		text.Reset()
		status = http.StatusInternalServerError
		text.WriteString(`{"message":"` + api.MessageInternal + `"}` + "\n")
	}
	setHeaders(w.Header())
	w.Header().Set("Content-Length", strconv.Itoa(text.Len()))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(text.Bytes()) // a caller that has gone is no error of ours
	}
}

// setHeaders sets what all answers in JSON have in common.
func setHeaders(h http.Header) {
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Authorization")
	h.Set("X-Content-Type-Options", "nosniff")
}
