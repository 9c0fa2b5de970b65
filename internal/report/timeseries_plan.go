package report

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/weburl"
)

func planTimeseries(p *catalog.Product, req api.TimeseriesRequest, d facts.Dialect) timeseriesPlan {
	plan := timeseriesPlan{
		Platforms: req.Platforms, BotTypes: req.BotTypes,
		Who: whoOf(req.Metrics), Bucket: bucketSQL(req.Interval, d.When()), TopLimit: req.TopLimit,
		Offset: offset(req.Page, req.PerPage),
	}
	plan.Limit = min(req.PerPage, math.MaxInt64-plan.Offset) // so that the end of the page is a number, too
	plan.First, plan.Last = req.Window.Seconds()
	for _, w := range p.Websites {
		if w.Tracked && (req.WebsiteID == nil || *req.WebsiteID == w.ID) {
			plan.WebsiteIDs = append(plan.WebsiteIDs, w.ID)
		}
	}
	reads := []string{"ts", "website_id"}
	if len(req.Platforms) > 0 {
		reads = append(reads, "platform")
	}
	if len(req.BotTypes) > 0 {
		reads = append(reads, "bot_type")
	}
	if req.URLPath != nil {
		path := weburl.NormalizePath(*req.URLPath)
		plan.NormalizedURLPath = &path
		reads = append(reads, "normalized_url_path")
	}
	for i, dimension := range req.GroupBy {
		shown, key := d.Grouped(column[dimension])
		reads = append(reads, column[dimension])
		if key != "" {
			reads = append(reads, key)
		} else {
			key = fmt.Sprint("d", i)
		}
		plan.Dimensions = append(plan.Dimensions, column[dimension])
		plan.Shown, plan.Keys = append(plan.Shown, shown), append(plan.Keys, key)
	}
	for _, name := range req.Metrics {
		plan.Metrics = append(plan.Metrics, metrics[name].sql(d))
		reads = append(reads, metrics[name].reads...)
	}
	slices.Sort(reads)
	plan.Columns = slices.Compact(reads)
	plan.choose(req, d, false)
	return plan
}

// offset is how many rows come before a page. For pages that are so far that
// their product is no number, it is more than there can be.
func offset(page, perPage int64) int64 {
	if page-1 > math.MaxInt64/perPage {
		return math.MaxInt64
	}
	return (page - 1) * perPage
}

// choose decides which part of the window the totals answer. Some sets have only
// the first of the tables.
func (p *timeseriesPlan) choose(req api.TimeseriesRequest, d facts.Dialect, only bool) {
	p.Totals, p.Edges = nil, []window{p.window}
	if p.empty() {
		return
	}
	whole, edges := p.wholeBuckets(req.Interval)
	q := totalsQuestion{req, len(p.WebsiteIDs), false, only, d}
	totals := &totalsPlan{Interval: req.Interval}
	parts, ok := totalsFor(q)
	if ok {
		edges = totals.addDays(q, edges)
	} else {
		var part totalsPart
		totals.Column, part, ok = rowsColumn(req, len(p.WebsiteIDs))
		parts = []totalsPart{part}
	}
	if ok && !whole.empty() {
		totals.add(parts, whole, widths[req.Interval])
	}
	if len(totals.Parts) > 0 {
		p.Totals, p.Edges = totals, edges
	}
}

// add takes a window from some rows.
func (t *totalsPlan) add(parts []totalsPart, w window, width int) {
	for _, part := range parts {
		part.window, part.Width = w, width
		t.Parts = append(t.Parts, part)
	}
}

// addDays takes the edges that are whole days of a week from the totals of days, if
// their metrics can be put together, and returns the others.
func (t *totalsPlan) addDays(q totalsQuestion, edges []window) (others []window) {
	q.days = true
	parts, ok := totalsFor(q)
	for _, edge := range edges {
		if ok && edge.wholeDays() {
			t.add(parts, edge, widths[api.Day])
		} else {
			others = append(others, edge)
		}
	}
	return others
}

// plain is the same plan without totals.
func (p timeseriesPlan) plain() timeseriesPlan {
	p.Totals, p.Edges = nil, []window{p.window}
	return p
}

// ofPage is the same plan for a set that has no visits to other pages.
func (p timeseriesPlan) ofPage() timeseriesPlan {
	const path = "normalized_url_path"
	p.OnlyPage = true
	if !slices.Contains(p.Dimensions, path) {
		p.Columns = slices.DeleteFunc(slices.Clone(p.Columns), func(c string) bool { return c == path })
	}
	return p
}

// parts are plans of stretches of the window, one after another. Visits are
// grouped stretch by stretch where that takes much memory; what totals answer is
// small, and stays whole.
func (p timeseriesPlan) parts(set facts.Set) iter.Seq[timeseriesPlan] {
	return func(yield func(timeseriesPlan) bool) {
		if p.Totals != nil || !p.large() {
			yield(p)
			return
		}
		for _, s := range set.Stretches(facts.Visits, p.First, p.Last) {
			part := p
			part.window = window{s.First, s.Last}
			part.Edges = []window{part.window}
			if !yield(part) {
				return
			}
		}
	}
}

// union says whether rows come from several queries.
func (p *timeseriesPlan) union() bool { return p.Totals != nil || len(p.Edges) > 1 }

// large says whether there may be many groups, or many things to tell apart.
func (p *timeseriesPlan) large() bool {
	return p.NormalizedURLPath == nil
}
