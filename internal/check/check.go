// Package check tests the contract against a running server, from outside: it
// sends requests, looks at statuses, headers and bytes, and compares answers
// with each other. It knows nothing of how a server works, so any server of the
// contract can be asked.
//
// Each check has a name, a sentence of what is promised, and where: a section of
// the contract, or a number of docs/semantics.md. Most checks are laws between
// answers (pages concatenate to the whole, a week is the sum of its days), which
// need no knowledge of what was loaded.
package check

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Check is one promise and how it is tested.
type Check struct {
	// Name is the group and the promise: paging/concatenate.
	Name string
	// Promise is what the contract says, in one sentence.
	Promise string
	// Where is a section of the contract, or a number of docs/semantics.md.
	Where string

	needs need
	run   func(*probe)
}

// need says what a check is about, and so how often it runs.
type need int

const (
	aboutServer  need = iota // the server as a whole: runs once
	aboutFirst               // a product, whichever: runs on the first
	aboutProduct             // a product: runs once for each
	aboutAnswers             // a product with AI answers in the window
	aboutVisits              // a product with visits in the window
	aboutAll                 // every answer of the run: runs last
)

var settled = regexp.MustCompile(`^(S[0-9]|OpenAPI)`)

// Ours tells promises of Sightline, which settle what the contract leaves open,
// from those of every server.
func (c Check) Ours() bool { return settled.MatchString(c.Where) }

// Options say what is checked, and how hard.
type Options struct {
	// BaseURL is where the routes begin: https://reports.example.com
	BaseURL string
	Key     string
	// SecondKey is a key of another team; without it, isolation is not checked.
	SecondKey string
	// Products are checked; without any, the first MaxProducts of the key's.
	Products []int64
	// From and To are the window; if they are zero, one with data is looked for.
	From, To time.Time
	// Timeout is the longest that a request may take.
	Timeout time.Duration
	// MaxRequests is the most that are sent.
	MaxRequests int
	// FailFast ends the run at the first failure.
	FailFast bool
	// ContractOnly leaves out what only Sightline promises.
	ContractOnly bool
	// Only are names or beginnings of names of checks; none: all checks.
	Only []string
}

// MaxProducts is how many products are checked if none is named.
const MaxProducts = 2

func (o Options) wants(c Check) bool {
	if o.ContractOnly && c.Ours() {
		return false
	}
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(name string) bool { return strings.HasPrefix(c.Name, name) })
}

// Known says whether each name is that of a check, or the beginning of one.
func Known(names []string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(Checks, func(c Check) bool { return strings.HasPrefix(c.Name, name) }) {
			return false
		}
	}
	return true
}

// Run checks a server. The error is about the run itself: a server that cannot
// be reached, a context that ended. What is wrong with answers is in the report.
func Run(ctx context.Context, o Options) (Report, error) {
	s, err := newSession(ctx, o)
	if err != nil {
		return Report{}, err
	}
	defer s.client.CloseIdleConnections()
	r := Report{BaseURL: s.base, Started: time.Now().UTC()}
	if err := s.reach(); err != nil {
		return r, err
	}
	for _, c := range Checks {
		if !o.wants(c) {
			continue
		}
		for _, about := range s.subjectsOf(c) {
			outcome := s.try(c, about)
			if err := ctx.Err(); err != nil {
				return r, err
			}
			r.Outcomes = append(r.Outcomes, outcome)
			if o.FailFast && outcome.State == Failed {
				return s.finish(r), nil
			}
		}
	}
	return s.finish(r), nil
}

// subjectsOf returns what a check runs on: the server alone, or each product.
func (s *session) subjectsOf(c Check) []*subject {
	switch {
	case c.needs == aboutServer || c.needs == aboutAll || len(s.subjects()) == 0:
		return []*subject{nil}
	case c.needs == aboutFirst:
		return s.subjects()[:1]
	}
	return s.subjects()
}

// try runs one check.
func (s *session) try(c Check, about *subject) Outcome {
	p := &probe{session: s, subject: about}
	started, before := time.Now(), s.sent
	if p.ready(c.needs) {
		c.run(p)
	}
	return p.outcome(c, s.sent-before, time.Since(started))
}

func (s *session) finish(r Report) Report {
	r.Requests, r.Seconds = s.sent, time.Since(r.Started).Seconds()
	for _, about := range s.found {
		r.Products = append(r.Products, about.describe())
	}
	r.FurtherProducts = len(s.listed(s.key)) - len(r.Products)
	return r
}
