package web

import (
	"math"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

// standing is how a product does over some rows of prompts.
type standing struct {
	Visibility, Position *float64
	Runs                 *int64
	Best, Worst          *int64 // ranks
}

// pool adds rows up as if they were one: by their runs, since an average of
// shares would give one run the weight of a hundred. Ranks cannot be added up; the
// best and the worst are kept.
func pool(rows []api.PromptMetric) (s standing) {
	var runs int64
	var hits, places float64
	for _, r := range rows {
		if r.RunCount == nil || r.Visibility == nil {
			continue
		}
		runs += *r.RunCount
		h := math.Round(*r.Visibility * float64(*r.RunCount))
		hits += h
		if r.Position != nil {
			places += h * *r.Position
		}
		if r.Rank != nil && (s.Best == nil || *r.Rank < *s.Best) {
			s.Best = r.Rank
		}
		if r.Rank != nil && (s.Worst == nil || *r.Rank > *s.Worst) {
			s.Worst = r.Rank
		}
	}
	if runs == 0 {
		return standing{}
	}
	v := hits / float64(runs)
	s.Visibility, s.Runs = &v, &runs
	if hits > 0 {
		p := places / hits
		s.Position = &p
	}
	return s
}

// Interval says how sure the visibility is.
func (s standing) Interval() *insight.Interval { return insight.Wilson(s.Visibility, s.Runs) }

// promptRow is a prompt, or a prompt on one platform, now and before.
type promptRow struct {
	Text, Platform string // Platform is empty for all of them together
	Labels         []api.PromptLabel
	Platforms      int
	Now, Before    standing
}

// Change is against the period before.
func (r promptRow) Change() change { return visibilityChange(r.Now, r.Before) }

// Ranks tells whether the platforms differ in rank.
func (r promptRow) Ranks() bool {
	return r.Now.Best != nil && r.Now.Worst != nil && *r.Now.Best != *r.Now.Worst
}

// promptRows groups the rows of two periods, in the order of the first.
func promptRows(now, before []api.PromptMetric, byPlatform bool) []promptRow {
	type key struct{ text, platform string }
	keyOf := func(r api.PromptMetric) key {
		if byPlatform {
			return key{r.PromptText, r.Platform}
		}
		return key{r.PromptText, ""}
	}
	groups, earlier := make(map[key][]api.PromptMetric), make(map[key][]api.PromptMetric)
	var order []key
	for _, r := range now {
		k := keyOf(r)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], r)
	}
	for _, r := range before {
		earlier[keyOf(r)] = append(earlier[keyOf(r)], r)
	}
	rows := make([]promptRow, len(order))
	for i, k := range order {
		rows[i] = promptRow{
			Text: k.text, Platform: k.platform, Labels: groups[k][0].Labels, Platforms: len(groups[k]),
			Now: pool(groups[k]), Before: pool(earlier[k]),
		}
	}
	return rows
}

// byPlatform splits rows.
func byPlatform(rows []api.PromptMetric) map[string][]api.PromptMetric {
	m := make(map[string][]api.PromptMetric)
	for _, r := range rows {
		m[r.Platform] = append(m[r.Platform], r)
	}
	return m
}
