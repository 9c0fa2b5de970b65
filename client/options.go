package client

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// What a client does unless an option says otherwise.
const (
	DefaultMaxAttempts = 5
	DefaultTotalTime   = 2 * time.Minute // a server's own limit for one answer is 95 seconds
	DefaultMaxBody     = 256 << 20
	DefaultUserAgent   = "sightline-go"
)

// Option changes a client that is being made.
type Option func(*Client)

// WithHTTPClient sends requests through a client of the caller's own, for its
// transport, its proxy or its timeout, which then bounds each attempt. It is
// copied, and the copy follows no redirects.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithMaxAttempts bounds how often a request is sent; 1 means no retries.
func WithMaxAttempts(n int) Option { return func(c *Client) { c.attempts = n } }

// WithTotalTime bounds a call with all its attempts and waits, until the last
// byte of the answer. The iterator has this time for each page.
func WithTotalTime(d time.Duration) Option { return func(c *Client) { c.total = d } }

// WithMaxBody bounds the size of an answer, in bytes after decompression. A
// larger one is ErrTooLarge.
func WithMaxBody(bytes int64) Option { return func(c *Client) { c.maxBody = bytes } }

// WithUserAgent names the calling program to the server.
func WithUserAgent(name string) Option { return func(c *Client) { c.agent = name } }

// WithCache keeps the last answers that came with an ETag, up to a number of
// bytes, and asks for them again with If-None-Match. Every call still asks
// the server; a 304 saves it the report, and the way. Zero, the default, keeps
// nothing.
func WithCache(bytes int64) Option { return func(c *Client) { c.cacheBytes = bytes } }

func defaults() *Client {
	return &Client{
		http: &http.Client{}, attempts: DefaultMaxAttempts, total: DefaultTotalTime,
		maxBody: DefaultMaxBody, agent: DefaultUserAgent, random: rand.Float64,
	}
}

func (c *Client) check() error {
	switch {
	case c.http == nil:
		return errors.New("client: WithHTTPClient: nil")
	case c.attempts < 1:
		return errors.New("client: WithMaxAttempts: must be at least 1")
	case c.total <= 0:
		return errors.New("client: WithTotalTime: must be longer than zero")
	case c.maxBody < 1:
		return errors.New("client: WithMaxBody: must be at least 1")
	case c.cacheBytes < 0:
		return errors.New("client: WithCache: must not be negative")
	case c.agent == "" || strings.ContainsFunc(c.agent, func(r rune) bool { return r < ' ' || r > '~' }):
		return errors.New("client: WithUserAgent: must be printable ASCII")
	}
	return nil
}

// parseBase repeats nothing of a wrong URL in its error: passwords are in
// some, and a key that was passed in its place would be all of it.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("client: base URL: must be http:// or https://, a host and perhaps a path")
	case u.User != nil:
		return nil, errors.New("client: base URL: must not contain a user or password")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("client: base URL: must not contain ? or #")
	}
	return u, nil
}

func withoutRedirects(h *http.Client) *http.Client {
	own := *h
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &own
}
