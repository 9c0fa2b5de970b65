package client_test

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

const key = "sl_0123456789abcdefghijklmnopqrstuvABCDEF"

// march is a window, and asked a request for it.
var (
	march = api.Window{From: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 31, 23, 59, 59, 0, time.UTC)}
	asked = api.PromptsRequest{Domain: "acme.example", Window: march}
)

// discard is the log of servers that are made to complain.
var discard = log.New(io.Discard, "", 0)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// transport answers without a network; attempts count from 1.
type transport struct {
	sent   atomic.Int64
	answer func(attempt int, r *http.Request) (*http.Response, error)
}

func (tr *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	return tr.answer(int(tr.sent.Add(1)), r)
}

// always answers every request in the same way.
func always(status int, body string, headers ...string) *transport {
	return &transport{answer: func(int, *http.Request) (*http.Response, error) {
		return reply(status, body, headers...), nil
	}}
}

func reply(status int, body string, headers ...string) *http.Response {
	h := make(http.Header)
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

func dial(t tester, base string, options ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(base, key, options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// through returns a client that sends its requests through a transport.
func through(t tester, tr http.RoundTripper, options ...client.Option) *client.Client {
	t.Helper()
	return dial(t, "http://sightline.test", append([]client.Option{client.WithHTTPClient(&http.Client{Transport: tr})}, options...)...)
}

// noWaits draws the shortest of all waits.
func noWaits() client.Option { return client.WithRandom(func() float64 { return 0 }) }

// serving answers on a real connection and counts what it is asked.
func serving(t *testing.T, handle func(attempt int, w http.ResponseWriter, r *http.Request)) (url string, sent *atomic.Int64) {
	t.Helper()
	sent = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle(int(sent.Add(1)), w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, sent
}

// failed returns the error as the client's own.
func failed(t tester, err error) *client.Error {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T), want a *client.Error", err, err)
	}
	return e
}
