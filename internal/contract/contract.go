// Package contract holds every response of a test to the OpenAPI document.
//
// A test that talks to a server through NewClient fails when a response has a
// status, a header or a body that api/openapi.yaml does not describe. Requests
// are never checked: tests send wrong ones on purpose.
package contract

import (
	"bytes"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/sightline-hq/sightline/internal/contract/document"
)

var checked atomic.Int64

// Requests returns how many responses this process has checked, so that a
// test can prove that the checks ran.
func Requests() int64 { return checked.Load() }

// NewClient returns a client that reports every response outside the contract
// as an error of the test. It follows no redirects: the contract has none.
func NewClient(t testing.TB) *http.Client {
	base := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(base.CloseIdleConnections)
	return &http.Client{
		Transport:     Transport(t, base),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Transport checks the responses that pass through another transport.
// The caller still gets every response, whole.
func Transport(t testing.TB, next http.RoundTripper) http.RoundTripper {
	return &transport{t: t, next: next}
}

type transport struct {
	t    testing.TB
	next http.RoundTripper
}

func (tr *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := tr.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	closed := res.Body.Close()
	if err != nil {
		// A response cut short is the caller's to judge: it gets the same error at the same place.
		res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
		return res, nil
	}
	if closed != nil {
		return nil, closed
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	checked.Add(1)
	if err := document.Check(req, res, body); err != nil {
		tr.t.Errorf("%s %s answered %d, outside the contract:\n%v\nbody: %.500s",
			req.Method, req.URL.RequestURI(), res.StatusCode, err, body)
	}
	return res, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
