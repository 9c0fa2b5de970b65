package random

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

// Request is what is sent to a server, and what must come back.
type Request struct {
	Case   string // what the request is about
	Method string // GET, or HEAD now and then
	Route  string // one of api.Routes
	Target string // path and query

	Team    string // whose key is sent
	Key     string // what is sent instead if there is no team; empty for no key
	Spoiled bool   // the team's key is sent with its last character changed

	Status int
	Answer any // a value of the api package, for 200
}

// Credential is the key to send, given the keys of the teams.
func (r Request) Credential(keys map[string]string) string {
	if r.Team == "" {
		return r.Key
	}
	key := keys[r.Team]
	if !r.Spoiled {
		return key
	}
	last := byte('A')
	if key[len(key)-1] == last {
		last = 'B'
	}
	return key[:len(key)-1] + string(last)
}

func (r Request) String() string {
	who := fmt.Sprintf("key %q", r.Key)
	if r.Team != "" {
		who = "key of " + r.Team
	}
	if r.Spoiled {
		who += ", spoiled"
	}
	return fmt.Sprintf("%s %s (%s; %s)", r.Method, r.Target, who, r.Case)
}

// GoString is what a failed property shows.
func (r Request) GoString() string { return r.String() }

// NewRequest draws a request of any route: mostly a valid one, else one that a
// 400 or the 401 answers.
func NewRequest(t *rapid.T, w *oracle.World) Request {
	return rapid.Custom(func(t *rapid.T) Request { return request(t, w) }).Draw(t, "request")
}

func request(t *rapid.T, w *oracle.World) Request {
	q := ask(t, w)
	addNoise(t, &q)
	if !percent(t, 15) {
		return valid(t, w, q)
	}
	if q.takesParams() && percent(t, 60) {
		return broken(t, w, q)
	}
	return denied(t, w, q)
}

func valid(t *rapid.T, w *oracle.World, q question) Request {
	r := spelled(t, q, strconv.FormatInt(q.product.ID, 10))
	r.Case, r.Team = "valid", q.team
	r.Answer, r.Status = q.answer(w)
	if r.Status != http.StatusOK {
		panic(fmt.Sprintf("the oracle answers %d to %v", r.Status, r))
	}
	return r
}

func broken(t *rapid.T, w *oracle.World, q question) Request {
	m := pick(t, mistakesOf(q))
	m.apply(t, w, &q)
	r := spelled(t, q, strconv.FormatInt(q.product.ID, 10))
	r.Case, r.Team, r.Status = m.name, q.team, http.StatusBadRequest
	return r
}

// denied has a mistake in its parameters every other time: the 401 comes first.
func denied(t *rapid.T, w *oracle.World, q question) Request {
	d := pick(t, badKeys(t, q))
	if q.product.ID != 0 && percent(t, 70) {
		d = pick(t, badProducts(t, w, q))
	}
	name := d.name
	if q.takesParams() && percent(t, 50) {
		pick(t, mistakesOf(q)).apply(t, w, &q)
		name += " before a mistake"
	}
	r := spelled(t, q, d.product)
	r.Case, r.Status = name, http.StatusUnauthorized
	r.Team, r.Key, r.Spoiled = d.team, d.key, d.spoiled
	return r
}

// spelled writes the question as a request line.
func spelled(t *rapid.T, q question, productID string) Request {
	r := Request{Method: http.MethodGet, Route: q.route, Target: q.path(productID)}
	if percent(t, 4) {
		r.Method = http.MethodHead
	}
	if query := q.params.encode(t); query != "" {
		r.Target += "?" + query
	}
	return r
}

// addNoise sends parameters that the route does not have; they change nothing.
func addNoise(t *rapid.T, q *question) {
	if !percent(t, 12) {
		return
	}
	noise := params{
		{"foo", []string{"bar"}}, {"empty", []string{""}}, {"platforms", []string{"openai"}}, {"metrics", []string{"x"}},
		{"labelIds", []string{"abc"}}, {"twice", []string{"1", "2"}},
	}
	known := append(sortedKeys(q.singles()), q.lists()...)
	if !q.takesParams() {
		known = nil
	}
	for _, p := range (params{
		{"page", []string{"0"}}, {"perPage", []string{"x"}}, {"interval", []string{""}}, {"groupBy", []string{"nonsense"}},
		{"groupBy[]", []string{"x"}}, {"labelIds[]", []string{"abc"}}, {"dateFrom", []string{"now"}}, {"domain", []string{"", "x"}},
	}) {
		if !slices.Contains(known, p.name) {
			noise = append(noise, p)
		}
	}
	n := pick(t, noise)
	q.params.add(n.name, n.values...)
}
