package check

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

func promptsOrder(p *probe) {
	rows, a := p.prompts(p.promptQuery())
	wantOrder(p, a, rows, func(x, y api.PromptMetric) int {
		return cmp.Or(cmp.Compare(x.PromptText, y.PromptText), cmp.Compare(x.Platform, y.Platform))
	})
	for _, row := range rows {
		wantOrder(p, a, row.Labels, func(x, y api.PromptLabel) int { return cmp.Compare(x.ID, y.ID) })
	}
}

func datesOrder(p *probe) {
	rows, a := p.dates(p.promptQuery())
	wantOrder(p, a, rows, func(x, y api.DailyPromptMetric) int {
		return cmp.Or(cmp.Compare(x.Date, y.Date), cmp.Compare(x.Platform, y.Platform))
	})
	wantDistinct(p, a, rows, func(r api.DailyPromptMetric) string { return r.Date + " " + r.Platform })
}

// Without a run, four figures are null; without a mention, two.
func promptsNulls(p *probe) {
	rows, a := p.prompts(p.promptQuery())
	for _, r := range rows {
		ran := r.RunCount != nil
		seen := ran && r.Visibility != nil && *r.Visibility > 0
		if (r.Visibility != nil) != ran || (r.Position != nil) != seen || (r.Rank != nil) != seen {
			p.failf(a, "the figures of a row do not agree: %s", show(r))
		}
	}
	days, a := p.dates(p.promptQuery())
	for _, r := range days {
		seen := r.Visibility != nil && *r.Visibility > 0
		if r.Visibility == nil || (r.Position != nil) != seen || (r.Rank != nil) != seen {
			p.failf(a, "the figures of a row do not agree: %s", show(r))
		}
	}
}

// Rows are of the domain and the window asked for.
func promptsSelection(p *probe) {
	rows, a := p.prompts(p.promptQuery())
	for _, r := range rows {
		if r.Domain != bare(p.domain) {
			p.failf(a, "a row of another domain: %s", show(r))
		}
	}
	days, a := p.dates(p.promptQuery())
	first, last := p.answerDays.From.UTC().Truncate(oneDay), p.answerDays.To
	for _, r := range days {
		at, err := api.ParseTime(r.Date)
		if err != nil || at.Before(first) || at.After(last) || !at.Equal(at.UTC().Truncate(oneDay)) {
			p.failf(a, "no day of the window: %s", show(r))
		}
		if r.Domain != bare(p.domain) {
			p.failf(a, "a row of another domain: %s", show(r))
		}
	}
}

// promptRoutes are the routes that take the parameters of the prompts.
var promptRoutes = []string{api.RoutePrompts, api.RoutePromptSummary, api.RoutePromptDates, api.RouteCitations}

func domainSpellings(p *probe) {
	for _, route := range promptRoutes {
		want := p.ask(route, p.promptQuery())
		for _, spelling := range spellings(p.domain) {
			p.wantSame(p.ask(route, p.promptQuery().set(api.ParamDomain, spelling)), want)
		}
	}
}

// spellings are other ways to write a domain (S5).
func spellings(domain string) []string {
	return []string{strings.ToUpper(domain), "www." + domain + "."}
}

// bare is a domain as rows write it.
func bare(domain string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(domain), "www."), ".")
}

// What matches nothing gives the empty answer.
func promptsNothing(p *probe) {
	for _, q := range []query{
		p.promptQuery().set(api.ParamDomain, noSuch+".example"),
		p.promptQuery().with(api.ParamPlatforms, noSuch),
	} {
		if rows, a := p.prompts(q); len(rows) > 0 {
			p.failf(a, "%d rows, want none", len(rows))
		}
		if days, a := p.dates(q); len(days) > 0 {
			p.failf(a, "%d rows, want none", len(days))
		}
		if sum, a := p.summary(q); sum != (api.PromptSummary{}) {
			p.failf(a, "%s, want nulls and 0", show(sum))
		}
		if c, a := p.citations(q); len(c.ByProperty)+len(c.ByPage)+len(c.ByProduct) > 0 {
			p.failf(a, "%s, want empty lists", a.text())
		}
	}
}

// A platform filter gives the rows of the platform, no others.
func promptsPlatforms(p *probe) {
	rows, _ := p.prompts(p.promptQuery())
	days, _ := p.dates(p.promptQuery())
	platforms := p.platforms()
	for _, some := range append(single(platforms[:min(2, len(platforms))]), platforms) {
		q := p.promptQuery()
		for _, platform := range some {
			q = q.with(api.ParamPlatforms, platform)
		}
		got, a := p.prompts(q)
		wantRows(p, a, got, filter(rows, func(r api.PromptMetric) bool { return slices.Contains(some, r.Platform) }))
		daily, a := p.dates(q)
		wantRows(p, a, daily, filter(days, func(r api.DailyPromptMetric) bool { return slices.Contains(some, r.Platform) }))
	}
}

// single makes lists of one.
func single(values []string) (lists [][]string) {
	for _, v := range values {
		lists = append(lists, []string{v})
	}
	return lists
}

// platforms returns the platforms of the prompts, in order.
func (p *probe) platforms() (names []string) {
	rows, _ := p.prompts(p.promptQuery())
	for _, r := range rows {
		names = append(names, r.Platform)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// labels returns the ids of labels that prompts have, in order.
func (p *probe) labels() (ids []int64) {
	rows, _ := p.prompts(p.promptQuery())
	for _, r := range rows {
		for _, l := range r.Labels {
			ids = append(ids, l.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// A label filter gives the rows that carry a label, no others.
func promptsLabels(p *probe) {
	ids := p.labels()
	if len(ids) == 0 {
		p.notApplicable("no prompt has a label")
		return
	}
	rows, _ := p.prompts(p.promptQuery())
	for _, some := range [][]int64{ids[:1], ids[len(ids)-1:], {ids[len(ids)-1], ids[0]}} {
		q := p.promptQuery()
		for _, id := range some {
			q = q.with(api.ParamLabelIDs, strconv.FormatInt(id, 10))
		}
		got, a := p.prompts(q)
		wantRows(p, a, got, filter(rows, func(r api.PromptMetric) bool {
			return slices.ContainsFunc(r.Labels, func(l api.PromptLabel) bool { return slices.Contains(some, l.ID) })
		}))
	}
}

// tally is what rows of prompts say about runs.
type tally struct {
	Runs      int64
	Mentions  float64
	Positions float64
}

func (t *tally) add(r api.PromptMetric) {
	if r.RunCount == nil || r.Visibility == nil {
		return
	}
	mentions := math.Round(*r.Visibility * float64(*r.RunCount))
	t.Runs += *r.RunCount
	t.Mentions += mentions
	if r.Position != nil {
		t.Positions += *r.Position * mentions
	}
}

func tallies(rows []api.PromptMetric, key func(api.PromptMetric) string) map[string]tally {
	all := make(map[string]tally)
	for _, r := range rows {
		t := all[key(r)]
		t.add(r)
		all[key(r)] = t
	}
	return all
}

// Runs and mentions of two windows that touch add up to those of both.
func promptsWindows(p *probe) {
	left, right, ok := halves(p.answerDays)
	if !ok {
		p.notApplicable("the window has no midnight to divide it at")
		return
	}
	whole, a := p.prompts(p.promptQuery())
	first, _ := p.prompts(p.promptQuery().within(left))
	second, _ := p.prompts(p.promptQuery().within(right))
	key := func(r api.PromptMetric) string { return r.PromptText + " on " + r.Platform }
	sums, totals := tallies(slices.Concat(first, second), key), tallies(whole, key)
	for _, k := range sortedKeys(totals) {
		if got, want := totals[k], sums[k]; got.Runs != want.Runs || got.Mentions != want.Mentions || !close(got.Positions, want.Positions) {
			p.failf(a, "%s: runs and mentions are %d and %v, but %d and %v in the two halves of the window",
				k, got.Runs, got.Mentions, want.Runs, want.Mentions)
		}
	}
	days, a := p.dates(p.promptQuery())
	early, _ := p.dates(p.promptQuery().within(left))
	late, _ := p.dates(p.promptQuery().within(right))
	wantRows(p, a, days, slices.Concat(early, late))
}

// A window inside another never has more runs.
func promptsNarrower(p *probe) {
	inner := api.Window{From: p.answerDays.From.Add(36 * time.Hour), To: p.answerDays.To.Add(-36 * time.Hour)}
	if inner.To.Before(inner.From) {
		p.notApplicable("the window is too short to be made narrower")
		return
	}
	whole, _ := p.prompts(p.promptQuery())
	rows, a := p.prompts(p.promptQuery().within(inner))
	key := func(r api.PromptMetric) string { return r.PromptText + " on " + r.Platform }
	outer := tallies(whole, key)
	for k, t := range tallies(rows, key) {
		if t.Runs > outer[k].Runs || t.Mentions > outer[k].Mentions {
			p.failf(a, "%s: %d runs and %v mentions, but %d and %v in a wider window", k, t.Runs, t.Mentions, outer[k].Runs, outer[k].Mentions)
		}
	}
}
