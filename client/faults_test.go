package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

const websites = `[{"domain":"acme.example","websiteId":"w-1"},{"domain":"shop.example","websiteId":"w-2"}]`

// cut sends bytes on the bare connection and closes it; reset without a goodbye.
func cut(w http.ResponseWriter, bytes string, reset bool) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	io.WriteString(conn, bytes)
	if reset {
		conn.(*net.TCPConn).SetLinger(0)
	}
	conn.Close()
}

func TestFaultsThatPassAreTriedAgain(t *testing.T) {
	status := func(n int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { http.Error(w, "<h1>Sorry</h1>", n) }
	}
	cases := []struct {
		name  string
		fault func(w http.ResponseWriter)
	}{
		{"500", status(500)},
		{"502", status(502)},
		{"503", status(503)},
		{"504", status(504)},
		{"599", status(599)},
		{"closed before the answer", func(w http.ResponseWriter) { cut(w, "", false) }},
		{"reset before the answer", func(w http.ResponseWriter) { cut(w, "", true) }},
		{"closed inside the headers", func(w http.ResponseWriter) { cut(w, "HTTP/1.1 200 OK\r\nContent-", false) }},
		{"not HTTP", func(w http.ResponseWriter) { cut(w, "SSH-2.0-OpenSSH_9.2\r\n", false) }},
		{"cut body with a length", func(w http.ResponseWriter) {
			cut(w, "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n"+websites[:50], false)
		}},
		{"cut body with a length, between rows", func(w http.ResponseWriter) {
			cut(w, "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n"+websites[:45], false)
		}},
		{"whole JSON, but less than the length", func(w http.ResponseWriter) {
			cut(w, "HTTP/1.1 200 OK\r\nContent-Length: 990\r\n\r\n"+websites, false)
		}},
		{"cut chunks", func(w http.ResponseWriter) {
			cut(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n"+websites[:16]+"\r\n", false)
		}},
		{"whole JSON without the last chunk", func(w http.ResponseWriter) {
			cut(w, fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(websites), websites), false)
		}},
		{"cut body without a length", func(w http.ResponseWriter) { cut(w, "HTTP/1.0 200 OK\r\n\r\n"+websites[:50], false) }},
		{"no body", func(w http.ResponseWriter) { w.WriteHeader(200) }},
		{"reset inside the body", func(w http.ResponseWriter) {
			cut(w, "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n"+websites[:50], true)
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			url, sent := serving(t, func(attempt int, w http.ResponseWriter, _ *http.Request) {
				if attempt == 1 {
					c.fault(w)
					return
				}
				io.WriteString(w, websites)
			})
			got, err := dial(t, url, noWaits()).Websites(t.Context(), 7)
			if err != nil || len(got) != 2 || got[1] != (api.Website{Domain: "shop.example", WebsiteID: "w-2"}) || sent.Load() != 2 {
				t.Errorf("%v, %v after %d requests", got, err, sent.Load())
			}
		})
		t.Run(c.name+", for ever", func(t *testing.T) {
			url, sent := serving(t, func(_ int, w http.ResponseWriter, _ *http.Request) { c.fault(w) })
			got, err := dial(t, url, noWaits(), client.WithMaxAttempts(3)).Websites(t.Context(), 7)
			if got != nil || !errors.Is(err, client.ErrUnavailable) || failed(t, err).Attempts != 3 || sent.Load() < 3 {
				t.Errorf("%v, %v after %d requests", got, err, sent.Load())
			}
		})
	}
}

func TestFaultsThatStayAreNotTriedAgain(t *testing.T) {
	cases := []struct {
		name   string
		status int
		body   string
		kind   error // nil: none of those that have a name
	}{
		{"400", 400, `{"message":"Invalid request parameters."}`, client.ErrBadRequest},
		{"401", 401, `{"message":"Unauthorized."}`, client.ErrUnauthorized},
		{"403 of a proxy", 403, `<html>`, nil},
		{"404", 404, `{"message":"Not found."}`, nil},
		{"405", 405, `{"message":"Method not allowed."}`, nil},
		{"429 of a proxy", 429, ``, nil},
		{"204", 204, ``, nil},
		{"304 that was not asked for", 304, ``, nil},
		{"a page of a proxy", 200, `<html>Sign in</html>`, nil},
		{"an object for a list", 200, `{}`, nil},
		{"null for a list", 200, `null`, nil},
		{"text for a number", 200, `[{"domain":1}]`, nil},
		{"no comma between rows", 200, `[{} {}]`, nil},
		{"more than an answer", 200, `[][]`, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			url, sent := serving(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			_, err := dial(t, url, noWaits()).Websites(t.Context(), 7)
			if e := failed(t, err); e.Status != c.status || e.Attempts != 1 || sent.Load() != 1 {
				t.Errorf("%d requests: %v", sent.Load(), err)
			}
			for _, kind := range []error{client.ErrBadRequest, client.ErrUnauthorized, client.ErrUnavailable, client.ErrTooLarge} {
				if errors.Is(err, kind) != (kind == c.kind) {
					t.Errorf("%v is %q: %v", err, kind, errors.Is(err, kind))
				}
			}
		})
	}
}

func TestACertificateThatIsNotTrustedIsNotTriedAgain(t *testing.T) {
	var sent atomic.Int64
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			sent.Add(1)
		}
	}
	s.Config.ErrorLog = discard
	s.StartTLS()
	_, err := dial(t, s.URL, noWaits()).Products(t.Context())
	s.Close()
	if failed(t, err).Attempts != 1 || sent.Load() != 1 || errors.Is(err, client.ErrUnavailable) {
		t.Errorf("%d connections: %v", sent.Load(), err)
	}
}

// pipes is a network inside a bubble, whose clock it therefore follows.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}
func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p pipes) transport() *http.Transport {
	return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		p <- far
		return near, nil
	}}
}

func TestASlowBodyEndsWithTheTotalTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := make(pipes)
		s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for range 100 { // a byte a second
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(time.Second)
			}
			io.WriteString(w, websites)
		})}
		go s.Serve(network)
		tr := network.transport()
		began := time.Now()
		_, err := through(t, tr, client.WithTotalTime(30*time.Second)).Websites(t.Context(), 7)
		if e := failed(t, err); time.Since(began) != 30*time.Second || e.Status != 200 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
		got, err := through(t, tr).Websites(t.Context(), 7)
		if len(got) != 2 || err != nil || time.Since(began) != 130*time.Second {
			t.Errorf("given more time: %v, %v after %v", got, err, time.Since(began))
		}
		tr.CloseIdleConnections()
		s.Close()
	})
}

// A timeout of the caller's own HTTP client bounds each attempt, not the call.
func TestTimeoutOfTheHTTPClientIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := &transport{answer: func(attempt int, r *http.Request) (*http.Response, error) {
			if attempt < 3 {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return reply(200, websites), nil
		}}
		began := time.Now()
		c := dial(t, "http://sightline.test", noWaits(), client.WithHTTPClient(&http.Client{Transport: tr, Timeout: 5 * time.Second}))
		if got, err := c.Websites(t.Context(), 7); err != nil || len(got) != 2 || time.Since(began) != 10*time.Second {
			t.Errorf("%v, %v after %v", got, err, time.Since(began))
		}
	})
}
