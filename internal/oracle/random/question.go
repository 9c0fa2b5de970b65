package random

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/oracle"
)

// question is a request before it is spelled: what is asked, and the
// parameters that ask it.
type question struct {
	route   string
	team    string
	product oracle.Product

	prompts   api.PromptsRequest
	citations api.CitationsRequest
	series    api.TimeseriesRequest
	params    params
}

// path fills the product's id into the route.
func (q question) path(productID string) string {
	return strings.Replace(q.route, "{productId}", productID, 1)
}

func (q question) takesParams() bool {
	return q.route != api.RouteProducts && q.route != api.RouteWebsites
}

func (q question) asksPrompts() bool { return q.takesParams() && q.route != api.RouteTimeseries }

// answer asks the oracle.
func (q question) answer(w *oracle.World) (answer any, status int) {
	switch q.route {
	case api.RouteProducts:
		answer, status = w.Products(q.team)
	case api.RouteWebsites:
		answer, status = w.Websites(q.team, q.product.ID)
	case api.RoutePrompts:
		answer, status = w.Prompts(q.team, q.product.ID, q.prompts)
	case api.RoutePromptSummary:
		answer, status = w.PromptSummary(q.team, q.product.ID, q.prompts)
	case api.RoutePromptDates:
		answer, status = w.PromptDates(q.team, q.product.ID, q.prompts)
	case api.RouteCitations:
		answer, status = w.Citations(q.team, q.product.ID, q.citations)
	case api.RouteTimeseries:
		answer, status = w.Timeseries(q.team, q.product.ID, q.series)
	}
	return answer, status
}

// routes are asked about as often as they are listed here.
var routes = slices.Concat(
	slices.Repeat([]string{api.RouteTimeseries}, 7),
	slices.Repeat([]string{api.RouteCitations}, 5),
	slices.Repeat([]string{api.RoutePrompts}, 5),
	slices.Repeat([]string{api.RoutePromptSummary}, 4),
	slices.Repeat([]string{api.RoutePromptDates}, 4),
	[]string{api.RouteProducts, api.RouteWebsites},
)

// ask draws a question that is answered with 200. A world in which no key
// opens a product can only be asked for its products.
func ask(t *rapid.T, w *oracle.World) question {
	q := question{route: pick(t, routes)}
	scopes := reachable(w)
	if len(scopes) == 0 || q.route == api.RouteProducts {
		q.route, q.team = api.RouteProducts, pick(t, w.Teams).ID
		return q
	}
	s := pick(t, preferred(t, w, scopes, q))
	q.team, q.product = s.team, s.product
	switch {
	case q.asksPrompts():
		askPrompts(t, w, &q)
	case q.route == api.RouteTimeseries:
		askTimeseries(t, w, &q)
	}
	return q
}

// scope is a team and a product that its key opens.
type scope struct {
	team    string
	product oracle.Product
}

func reachable(w *oracle.World) (scopes []scope) {
	for _, team := range w.Teams {
		for _, p := range w.Catalog {
			if _, status := w.Websites(team.ID, p.ID); status == 200 {
				scopes = append(scopes, scope{team.ID, p})
			}
		}
	}
	return scopes
}

// preferred leaves out, most of the time, products about which there is nothing to say.
func preferred(t *rapid.T, w *oracle.World, scopes []scope, q question) []scope {
	var telling []scope
	for _, s := range scopes {
		if q.asksPrompts() && len(answerTimes(w, s.product)) > 0 ||
			q.route == api.RouteTimeseries && len(visitTimes(w, s.product)) > 0 {
			telling = append(telling, s)
		}
	}
	if len(telling) == 0 || percent(t, 10) {
		return scopes
	}
	return telling
}

// askPrompts draws the parameters of prompts, summary, dates and citations.
func askPrompts(t *rapid.T, w *oracle.World, q *question) {
	r := api.PromptsRequest{Domain: domain(t, w, q.product)}
	q.params.add("domain", r.Domain)
	r.Window = window(t, answerTimes(w, q.product), &q.params)
	if percent(t, 30) {
		names := append(some(t, platforms, 1), "nosuch", "no such")
		if len(w.Answers) > 0 && percent(t, 75) {
			names = []string{pick(t, w.Answers).Platform, pick(t, w.Answers).Platform, "claude"}
		}
		r.Platforms = sent(t, names)
		q.params.add("platforms[]", r.Platforms...)
	}
	if len(q.product.Labels) > 0 && percent(t, 30) {
		for _, l := range sent(t, q.product.Labels) {
			r.LabelIDs = append(r.LabelIDs, l.ID)
			q.params.add("labelIds[]", strconv.FormatInt(l.ID, 10))
		}
	}
	q.prompts = r
	q.citations = api.CitationsRequest{PromptsRequest: r, GroupBy: api.GroupAll}
	if q.route == api.RouteCitations && percent(t, 75) {
		g := pick(t, groupings)
		q.citations.GroupBy = g.means
		q.params.add("groupBy", g.sent)
	}
}

// groupings are the values of groupBy with its aliases.
var groupings = []struct {
	sent  string
	means api.CitationGrouping
}{
	{"all", api.GroupAll}, {"property", api.GroupProperty}, {"page", api.GroupPage}, {"product", api.GroupProduct},
	{"byProperty", api.GroupProperty}, {"byPage", api.GroupPage}, {"byProduct", api.GroupProduct},
}

// domain is mostly one that the product's prompts have, in any spelling.
func domain(t *rapid.T, w *oracle.World, p oracle.Product) string {
	d := p.Domain
	if len(p.Prompts) > 0 && !percent(t, 15) {
		d = pick(t, p.Prompts).Domain
	}
	if percent(t, 8) {
		d = pick(t, []string{"nosuch.example", "sub." + d, "not" + d, pick(t, w.Catalog).Domain})
	}
	if percent(t, 30) {
		d = pick(t, []string{upper(d), "www." + d, d + ".", fmt.Sprintf("WWW.%s.", d)})
	}
	return d
}

// answerTimes are the times of the answers to the product's prompts.
func answerTimes(w *oracle.World, p oracle.Product) (times []time.Time) {
	for _, a := range w.Answers {
		if slices.ContainsFunc(p.Prompts, func(q oracle.Prompt) bool { return q.ID == a.PromptID }) {
			times = append(times, a.At.Time)
		}
	}
	return times
}
