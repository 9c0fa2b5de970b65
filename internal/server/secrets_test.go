package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/logs"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

// Whatever a caller sends, and whatever goes wrong with it, none of it gets into
// the log: no key, no value of the query, no line end.
func TestNothingThatACallerSendsGetsIntoTheLog(t *testing.T) {
	const secret = "t0p-s3cret'value"
	quoted := "engine: syntax error near 't0p-s3cret''value' (t0p-s3cret\\'value)\nlevel=ERROR msg=forged " + secret
	for name, fail := range map[string]stubborn{
		"well":    func(context.Context) error { return nil },
		"failing": func(context.Context) error { return errors.New(quoted) },
		"panic":   func(context.Context) error { panic(quoted) },
		"slow":    func(ctx context.Context) error { <-ctx.Done(); return fmt.Errorf("%s: %w", quoted, ctx.Err()) },
	} {
		for _, format := range logs.Formats {
			t.Run(name+" "+format, func(t *testing.T) {
				out := &lines{}
				log, err := logs.New(out, format, "debug")
				check(t, err)
				f := serve(t, func(s *server.Server) {
					s.Log, s.Timeout, s.Reports = log, 50*time.Millisecond, &report.Reports{Facts: fail}
				})
				b := put(t, f.Config.Handler, func(s *server.Serving) { s.Log = log })
				sendAll(t, b, f, secret)
				check(t, b.stop())
				inspect(t, out.String(), format, f.key, f.revoked, secret, "s3cret", "forged-header", "X-Evil")
			})
		}
	}
}

// sendAll sends a secret in every place of a request, also in broken ones.
func sendAll(t *testing.T, b *behind, f *fixture, secret string) {
	t.Helper()
	value := url.QueryEscape(secret + "\nlevel=ERROR")
	paths := []string{
		summary + "&platforms[]=" + value, "/v1/products/101/prompts?domain=" + value + "&" + march, "/v1/products/101/prompts?dateFrom=" + value,
		"/v1/products/101/analytics/timeseries?perPage=20000&platforms[]=" + value + "&" + march, "/v1/products?" + value, "/" + url.PathEscape(secret),
		"/v1/products/" + url.PathEscape(secret) + "/websites", "/v1/products?a;b=" + value,
	}
	for _, path := range paths {
		for _, authorization := range []string{"Bearer " + f.key, "Bearer " + f.revoked, f.key, secret} {
			for _, method := range []string{"GET", "HEAD", "POST"} {
				req, err := http.NewRequest(method, "http://"+b.address+path, nil)
				check(t, err)
				req.Header.Set("Authorization", authorization)
				req.Header.Set("User-Agent", secret)
				req.Header.Set("X-Forwarded-For", secret)
				res, err := http.DefaultClient.Do(req)
				check(t, err)
				res.Body.Close()
			}
		}
	}
	for _, broken := range []string{
		"s3cret" + f.key + " / HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /s3cret HTTP/9.9\r\nHost: s3cret\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX-Evil: forged-header\nlevel=ERROR msg=forged\r\n\r\n",
		"GET /" + f.key + "\x00s3cret HTTP/1.1\r\n\r\n",
		"\x16\x03\x01 s3cret TLS to a plain port",
		f.key + "\r\n\r\n",
	} {
		conn := b.dial(t, broken)
		reads(conn, 50*time.Millisecond)
		conn.Close()
	}
}

// inspect holds every line of a log to its form, and looks for what must not be
// there.
func inspect(t *testing.T, log, format string, never ...string) {
	t.Helper()
	found := 0
	for line := range strings.Lines(log) {
		found++
		ok := strings.HasPrefix(line, "time=")
		if format == "json" {
			ok = json.Unmarshal([]byte(line), new(map[string]any)) == nil
		}
		if !ok || bytes.ContainsAny([]byte(strings.TrimSuffix(line, "\n")), "\r\x00\x1b") {
			t.Errorf("no line of ours: %q", line)
		}
	}
	if found < 50 {
		t.Errorf("only %d lines", found)
	}
	for _, secret := range never {
		if i := strings.Index(log, secret); i >= 0 {
			t.Errorf("the log holds %q: %.300s", secret, log[max(0, i-200):])
		}
	}
}
