package check

import (
	"math"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// close allows for the last digits of a float.
func close(x, y float64) bool {
	return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x), math.Abs(y))
}

func same(x, y *float64) bool { return (x == nil) == (y == nil) && (x == nil || close(*x, *y)) }

// Every row's visibility is a number of answers divided by its runs.
func visibilityIsAShare(p *probe) {
	rows, a := p.prompts(p.promptQuery())
	for _, r := range rows {
		if r.RunCount == nil || r.Visibility == nil {
			continue
		}
		mentions := *r.Visibility * float64(*r.RunCount)
		if !close(mentions, math.Round(mentions)) || mentions < 0 || mentions > float64(*r.RunCount) {
			p.failf(a, "visibility times runCount is %v, which is no number of answers: %s", mentions, show(r))
		}
	}
}

// The summary pools the rows of the prompts.
func summaryPools(p *probe) {
	for _, q := range p.selections() {
		rows, _ := p.prompts(q)
		var t tally
		for _, r := range rows {
			t.add(r)
		}
		got, a := p.summary(q)
		if p.ended {
			return
		}
		var want api.PromptSummary
		if t.Runs > 0 {
			share := t.Mentions / float64(t.Runs)
			want.Visibility = &share
		}
		if t.Mentions > 0 {
			mean := t.Positions / t.Mentions
			want.Position = &mean
		}
		if !same(got.Visibility, want.Visibility) || !same(got.Position, want.Position) {
			p.failf(a, "visibility and position are %s and %s; from %d runs and %v mentions of the prompts follow %s and %s",
				show(got.Visibility), show(got.Position), t.Runs, t.Mentions, show(want.Visibility), show(want.Position))
		}
		if ranked := t.Mentions > 0; (got.Rank != nil) != ranked || ranked && *got.Rank > got.TotalCompetitors+1 {
			p.failf(a, "the rank does not agree with %v mentions: %s", t.Mentions, show(got))
		}
		if t.Runs == 0 && got.TotalCompetitors != 0 {
			p.failf(a, "no runs, but %d competitors", got.TotalCompetitors)
		}
	}
}

// selections are a few ways of selecting prompts.
func (p *probe) selections() []query {
	all := []query{p.promptQuery()}
	if names := p.platforms(); len(names) > 0 {
		all = append(all, p.promptQuery().with(api.ParamPlatforms, names[0]))
	}
	if ids := p.labels(); len(ids) > 0 {
		all = append(all, p.promptQuery().with(api.ParamLabelIDs, show(ids[0])))
	}
	return all
}

// A daily row is the summary of its day and platform.
func datesAreSummaries(p *probe) {
	for i, q := range p.selections() {
		days, _ := p.dates(q)
		if len(days) == 0 {
			continue
		}
		row := days[i*(len(days)-1)/2] // the first, one in the middle, the last
		day, ok := p.dayOf(row)
		if !ok {
			return // promptsSelection says so
		}
		sum, a := p.summary(q.within(day).set(api.ParamPlatforms, row.Platform))
		if p.ended {
			return
		}
		if !same(sum.Visibility, row.Visibility) || !same(sum.Position, row.Position) || show(sum.Rank) != show(row.Rank) {
			p.failf(a, "the summary of a day is %s, but its row of prompts/dates is %s", show(sum), show(row))
		}
	}
}

// dayOf is the part of a row's day that lies in the window.
func (p *probe) dayOf(r api.DailyPromptMetric) (api.Window, bool) {
	at, err := api.ParseTime(r.Date)
	return clip(p.answerDays, at.UTC(), at.UTC().Add(oneDay-time.Second)), err == nil
}

// The days with rows are the days with runs, and their runs are those of the
// window.
func datesHaveTheRuns(p *probe) {
	days, a := p.dates(p.promptQuery())
	if len(days) == 0 {
		return
	}
	row := days[len(days)/2]
	day, ok := p.dayOf(row)
	if !ok {
		return
	}
	rows, _ := p.prompts(p.promptQuery().within(day))
	byPlatform := tallies(rows, func(r api.PromptMetric) string { return r.Platform })
	listed := make(map[string]bool)
	for _, r := range days {
		t := byPlatform[r.Platform]
		if r.Date != row.Date || p.ended {
			continue
		}
		listed[r.Platform] = true
		if t.Runs == 0 || r.Visibility == nil || !close(*r.Visibility, t.Mentions/float64(t.Runs)) {
			p.failf(a, "%s, but the prompts of that day have %d runs and %v mentions", show(r), t.Runs, t.Mentions)
		}
	}
	for platform, t := range byPlatform {
		if t.Runs > 0 && !listed[platform] {
			p.failf(a, "%d runs on %s on %s, but no row", t.Runs, platform, row.Date)
		}
	}
}
