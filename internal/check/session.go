package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

const (
	// maxBody is the longest answer that is read.
	maxBody = 64 << 20
	// tries and maxWait are how a server that is overloaded is met (S27).
	tries   = 3
	maxWait = 5 * time.Second
)

// session is a run: its connection, what it has sent, and what it has learnt.
type session struct {
	ctx         context.Context
	options     Options
	base        string
	client      *http.Client
	key, second credential
	sent        int
	cache       map[request]answer
	log         findings
	found       []*subject      // nil: not looked for yet
	fickle      map[string]bool // headers that change by themselves; nil: not looked for yet
}

// BaseURL says what is wrong with the address of a server, without repeating it.
func BaseURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return errors.New("needs a plain http or https address such as https://reports.example.com as base URL")
	}
	return nil
}

func newSession(ctx context.Context, o Options) (*session, error) {
	if err := BaseURL(o.BaseURL); err != nil {
		return nil, err
	}
	// Raw bytes, and one request at a time.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true
	return &session{
		ctx: ctx, options: o, base: strings.TrimRight(o.BaseURL, "/"), cache: make(map[request]answer),
		client: &http.Client{
			Transport: transport, Timeout: o.Timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		key: credential{header: "Bearer " + o.Key, secret: o.Key}, second: bearer("with the second key", o.SecondKey),
	}, nil
}

// reach makes sure that somebody answers.
func (s *session) reach() error {
	p := &probe{session: s}
	p.send(request{method: http.MethodGet, target: api.RouteProducts, as: nobody})
	if p.ended && s.ctx.Err() == nil {
		return fmt.Errorf("%s does not answer: %s", s.base, strings.TrimPrefix(s.redact(p.seen+p.reason), "no answer: "))
	}
	switch a := p.send(request{method: http.MethodGet, target: api.RouteProducts, as: s.key}); a.status {
	case http.StatusUnauthorized:
		return fmt.Errorf("%s does not accept the key (401 for GET %s): it is wrong, was revoked, or is one of another server", s.base, api.RouteProducts)
	case http.StatusNotFound:
		return fmt.Errorf("%s has no GET %s (404): is it the address of a server of this API, without its /v1?", s.base, api.RouteProducts)
	}
	for _, id := range s.options.Products {
		if !slices.ContainsFunc(s.subjects(), func(about *subject) bool { return about.product.ID == id }) {
			return fmt.Errorf("product %d is not one of the key's: GET %s does not list it", id, api.RouteProducts)
		}
	}
	return s.ctx.Err()
}

// send returns the answer to a request; an equal one is not sent again.
func (p *probe) send(r request) answer {
	if a, known := p.cache[r]; known || p.ended {
		return a
	}
	a := p.sendAgain(r)
	if !p.ended {
		p.cache[r] = a
	}
	return a
}

// sendAgain sends a request even if its answer is known.
func (p *probe) sendAgain(r request) (a answer) {
	if p.ended {
		return answer{request: r}
	}
	for try := 1; ; try++ {
		if p.sent >= p.options.MaxRequests {
			if p.end(NotRun) {
				p.reason = fmt.Sprintf("the %d requests of --max-requests were used up", p.options.MaxRequests)
			}
			return answer{request: r}
		}
		p.sent++
		var err error
		if a, err = p.once(r); err != nil {
			p.failf(answer{request: r}, "no answer: %v", err)
			return answer{request: r}
		}
		if a.status != http.StatusServiceUnavailable || try == tries {
			break
		}
		p.wait(a.header)
	}
	p.log.add(p.session, a)
	return a
}

// wait gives a server that is overloaded the time that it asks for.
func (s *session) wait(h http.Header) {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		seconds = 1
	}
	select {
	case <-time.After(min(time.Duration(seconds)*time.Second, maxWait)):
	case <-s.ctx.Done():
	}
}

func (s *session) once(r request) (a answer, err error) {
	req, err := http.NewRequestWithContext(s.ctx, r.method, s.base+r.target, nil)
	if err != nil {
		return a, err
	}
	req.Header.Set("User-Agent", "sightline-check")
	if r.as.header != "" {
		req.Header.Set("Authorization", r.as.header)
	}
	if r.etag != "" {
		req.Header.Set("If-None-Match", r.etag)
	}
	if r.accept != "" {
		req.Header.Set("Accept", r.accept)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("longer than %d MiB", maxBody>>20)
	}
	return answer{request: r, status: res.StatusCode, header: res.Header, body: body}, err
}
