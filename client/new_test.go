package client_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/client"
)

func TestNewRefuses(t *testing.T) {
	const base = "https://sightline.test"
	cases := []struct {
		name, base, key string
		option          client.Option
		want            string
	}{
		{"no base URL", "", key, nil, "base URL: must be"},
		{"a host alone", "sightline.test", key, nil, "base URL: must be"},
		{"another scheme", "ftp://sightline.test", key, nil, "base URL: must be"},
		{"no host", "http:///v1", key, nil, "base URL: must be"},
		{"a port alone", "http://:8080", key, nil, "base URL: must be"},
		{"not a URL", "http://[::1", key, nil, "base URL: must be"},
		{"key and base URL exchanged", key, base, nil, "base URL: must be"},
		{"a password in the URL", "https://me:" + key + "@sightline.test", key, nil, "user or password"},
		{"a query in the URL", base + "?key=" + key, key, nil, "must not contain ?"},
		{"a fragment in the URL", base + "#" + key, key, nil, "must not contain ?"},
		{"no key", base, "", nil, "key: empty"},
		{"a key with its line end", base, key + "\n", nil, "key: must be printable"},
		{"a key with a space", base, "Bearer " + key, nil, "key: must be printable"},
		{"a key that is not ASCII", base, key + "é", nil, "key: must be printable"},
		{"no HTTP client", base, key, client.WithHTTPClient(nil), "WithHTTPClient: nil"},
		{"no attempts", base, key, client.WithMaxAttempts(0), "WithMaxAttempts: must be"},
		{"no time", base, key, client.WithTotalTime(0), "WithTotalTime: must be"},
		{"no body", base, key, client.WithMaxBody(0), "WithMaxBody: must be"},
		{"a cache smaller than none", base, key, client.WithCache(-1), "WithCache: must not"},
		{"a user agent of two lines", base, key, client.WithUserAgent("a\r\nX: b"), "WithUserAgent: must be"},
		{"no user agent", base, key, client.WithUserAgent(""), "WithUserAgent: must be"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var options []client.Option
			if c.option != nil {
				options = append(options, c.option)
			}
			got, err := client.New(c.base, c.key, options...)
			if err == nil || got != nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), key) {
				t.Errorf("New: %v, %v, want an error with %q and without the key", got, err, c.want)
			}
		})
	}
}

func TestBaseURLMayHaveAPath(t *testing.T) {
	for base, want := range map[string]string{
		"http://sightline.test":           "http://sightline.test/v1/products",
		"http://sightline.test/":          "http://sightline.test/v1/products",
		"http://sightline.test:8080/a/b":  "http://sightline.test:8080/a/b/v1/products",
		"http://sightline.test/a%2Fb/":    "http://sightline.test/a%2Fb/v1/products",
		"https://[2001:db8::1]/sightline": "https://[2001:db8::1]/sightline/v1/products",
	} {
		var got string
		tr := &transport{answer: func(_ int, r *http.Request) (*http.Response, error) {
			got = r.URL.String()
			return reply(200, `[]`), nil
		}}
		c := dial(t, base, client.WithHTTPClient(&http.Client{Transport: tr}))
		if _, err := c.Products(t.Context()); err != nil || got != want {
			t.Errorf("with base URL %s: asked for %s, %v, want %s", base, got, err, want)
		}
	}
}

func TestUserAgentNamesTheProgram(t *testing.T) {
	for want, options := range map[string][]client.Option{
		"sightline-go": nil, "weekly report/2": {client.WithUserAgent("weekly report/2")},
	} {
		var got string
		tr := &transport{answer: func(_ int, r *http.Request) (*http.Response, error) {
			got = r.Header.Get("User-Agent")
			return reply(200, `[]`), nil
		}}
		if _, err := through(t, tr, options...).Products(t.Context()); err != nil || got != want {
			t.Errorf("user agent %q, %v, want %q", got, err, want)
		}
	}
}

// The key must not reach whoever a server points at, on this host or another.
func TestRedirectsAreErrors(t *testing.T) {
	elsewhere, followed := serving(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`[]`)) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{elsewhere, "/v1/products/"} {
			url, sent := serving(t, func(_ int, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, status) })
			own := &http.Client{Timeout: time.Minute}
			_, err := dial(t, url, client.WithHTTPClient(own)).Products(t.Context())
			if e := failed(t, err); e.Status != status || sent.Load() != 1 || !strings.Contains(err.Error(), "check the base URL") {
				t.Errorf("%d requests: %v", sent.Load(), err)
			}
			if own.CheckRedirect != nil {
				t.Error("the caller's HTTP client was changed")
			}
		}
	}
	if followed.Load() > 0 {
		t.Errorf("%d redirects were followed", followed.Load())
	}
}
