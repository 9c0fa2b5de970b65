package check

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// probe is a check at work. It keeps the first thing that ended it: from then
// on it sends nothing, answers are empty, and further findings are dropped. So
// a check reads as a list of statements.
type probe struct {
	*session
	*subject // of a product; nil for checks of the server
	ended    bool
	state    State
	request  string
	seen     string
	reason   string
}

func (p *probe) end(state State) bool {
	if p.ended {
		return false
	}
	p.ended, p.state = true, state
	return true
}

// failf says what was seen in an answer, against the promise.
func (p *probe) failf(a answer, format string, args ...any) {
	if p.end(Failed) {
		p.request, p.seen = a.request.String(), fmt.Sprintf(format, args...)
	}
}

// notApplicable says why a check has nothing to look at.
func (p *probe) notApplicable(reason string) {
	if p.end(NotApplicable) {
		p.reason = reason
	}
}

// endLike ends a check as another probe has ended, if there is one.
func (p *probe) endLike(other *probe) {
	if other != nil && p.end(other.state) {
		p.request, p.seen, p.reason = other.request, other.seen, other.reason
	}
}

// ready says whether a check has what it needs.
func (p *probe) ready(n need) bool {
	switch {
	case n == aboutServer || n == aboutAll:
	case p.subject == nil:
		p.notApplicable("there is no product to look at")
	case n == aboutAnswers && !p.hasAnswers():
		p.endLike(p.noAnswers)
		p.notApplicable("no AI answers in the window")
	case n == aboutVisits && !p.hasVisits():
		p.endLike(p.noVisits)
		p.notApplicable("no visits in the window")
	}
	return !p.ended
}

func (p *probe) outcome(c Check, requests int, took time.Duration) Outcome {
	o := Outcome{
		Name: c.Name, Promise: c.Promise, Where: c.Where, State: Passed,
		Requests: requests, Seconds: took.Seconds(),
	}
	if p.subject != nil {
		o.Product = p.subject.product.ID
	}
	if p.ended {
		o.State, o.Request, o.Seen, o.Reason = p.state, p.redact(p.request), shorten(p.redact(p.seen)), p.reason
	}
	return o
}

// redact takes the keys, and what checks have made of them, out of what is
// shown, wherever a server has put them.
func (s *session) redact(text string) string {
	for _, key := range []string{s.key.secret, s.second.secret} {
		if key == "" {
			continue
		}
		for _, form := range []string{key, strings.ToUpper(key), key[:len(key)-1]} {
			if len(form) > 3 {
				text = strings.ReplaceAll(text, form, "(key)")
			}
		}
	}
	return text
}

// shorten keeps what is shown readable, and its terminal safe.
func shorten(text string) string {
	const most = 600
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\n", "; "), "�")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '�'
		}
		return r
	}, text)
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + " …"
}
