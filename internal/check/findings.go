package check

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"

	"github.com/sightline-hq/sightline/internal/contract/document"
)

// finding is what is wrong with a single answer.
type finding struct {
	answer answer
	what   string
}

// findings looks at every answer of a run, whichever check asked for it.
type findings struct {
	answers                               int
	bodies, headers, redirects, echoedKey []finding
}

func (f *findings) add(s *session, a answer) {
	f.answers++
	u, err := url.Parse(a.request.target)
	if err != nil {
		u = &url.URL{Path: "/"}
	}
	if u.Host != "" { // a target that begins with two slashes
		u = &url.URL{Path: a.request.target}
	}
	req := (&http.Request{Method: a.request.method, URL: u}).WithContext(s.ctx)
	res := &http.Response{StatusCode: a.status, Header: a.header}
	if err := document.Body(req, res, a.body); err != nil {
		f.bodies = append(f.bodies, finding{a, fmt.Sprintf("status %d: %v", a.status, err)})
	}
	if err := document.Headers(req, res); err != nil {
		f.headers = append(f.headers, finding{a, fmt.Sprintf("status %d: %v", a.status, err)})
	}
	if location := a.header.Get("Location"); location != "" || a.status/100 == 3 && a.request.etag == "" {
		f.redirects = append(f.redirects, finding{a, fmt.Sprintf("status %d, Location: %q", a.status, location)})
	}
	for _, key := range []string{s.key.secret, s.second.secret} {
		if key != "" && holds(a, key) {
			f.echoedKey = append(f.echoedKey, finding{a, "the answer repeats the key"})
		}
	}
}

func holds(a answer, key string) bool {
	for _, values := range a.header {
		for _, v := range values {
			if bytes.Contains([]byte(v), []byte(key)) {
				return true
			}
		}
	}
	return bytes.Contains(a.body, []byte(key))
}

// allAnswers is a check that no answer of the run has a finding of a kind.
func allAnswers(kind func(*findings) []finding) func(*probe) {
	return func(p *probe) {
		if p.log.answers == 0 {
			p.notApplicable("nothing was asked")
		}
		if all := kind(&p.log); len(all) > 0 {
			p.failf(all[0].answer, "%s (%d of %d answers)", all[0].what, len(all), p.log.answers)
		}
	}
}
