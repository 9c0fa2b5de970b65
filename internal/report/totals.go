package report

import (
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// Totals hold the figures of whole days and weeks. A timeseries takes whole
// buckets from them if they have what is asked for, and only the edges of its
// window from the visits.

// totalsPlan is the part of a timeseries that the totals answer.
type totalsPlan struct {
	window        // of whole buckets
	Width  int    // of a bucket, in days
	Level  int    // of grouping
	Column string // of the number of rows, where that is asked for
}

// widths are the lengths of buckets.
var widths = map[api.Interval]int{api.Day: 1, api.Week: 7}

// wholeBuckets splits a window into the whole buckets in it and what is left
// at its edges. Without a whole bucket, the window is all edge.
func (w window) wholeBuckets(interval api.Interval) (whole window, edges []window) {
	start := func(second int64) int64 { // of the first bucket that does not begin before a second
		length := int64(widths[interval]) * facts.DaySeconds
		at := bucketStart(second, interval)
		if at < second {
			at += length
		}
		return at
	}
	whole = window{start(w.First), bucketStart(w.Last+1, interval) - 1}
	if whole.empty() {
		return whole, []window{w}
	}
	for _, edge := range []window{{w.First, whole.First - 1}, {whole.Last + 1, w.Last}} {
		if !edge.empty() {
			edges = append(edges, edge)
		}
	}
	return whole, edges
}

func bucketStart(second int64, interval api.Interval) int64 {
	if interval == api.Week {
		return facts.Week(second)
	}
	return second - second%facts.DaySeconds
}

// How metrics add up: counts of visits always, counts of visitors and pages
// over websites, which have their own, and the others not at all.
var (
	addsUp     = []api.Metric{api.BotVisits, api.HumanVisits, api.ReferredHumanVisits, api.AIReferredHumanVisits}
	addsUpOver = append(slices.Clip(addsUp), api.UniqueHumanVisitors, api.UniquePages, api.UniqueHumanPages)
)

// totalsFor says whether the totals have what a request asks for, and at which
// level.
func totalsFor(req api.TimeseriesRequest, websites int) (level int, ok bool) {
	if req.URLPath != nil {
		return 0, false
	}
	for _, d := range req.GroupBy {
		if levelOf[d] == 0 {
			return 0, false
		}
		level |= levelOf[d]
	}
	counted, ok := filters(req)
	if !ok {
		for _, m := range req.Metrics {
			if !slices.Contains(addsUp, m) {
				return 0, false
			}
		}
	}
	for _, m := range req.Metrics {
		if websites > 1 && !slices.Contains(addsUpOver, m) {
			return 0, false
		}
	}
	return level | counted, true
}

// levelOf is the level of a dimension that totals have.
var levelOf = map[api.Dimension]int{api.ByPlatform: facts.LevelPlatform, api.ByBotType: facts.LevelBotType}

// filters is the level that filters need. It is not ok if distinct counts of
// several rows would have to be added up.
func filters(req api.TimeseriesRequest) (level int, ok bool) {
	ok = true
	for dimension, values := range map[api.Dimension][]string{api.ByPlatform: req.Platforms, api.ByBotType: req.BotTypes} {
		if len(values) > 0 {
			level |= levelOf[dimension]
			ok = ok && (len(values) == 1 || slices.Contains(req.GroupBy, dimension))
		}
	}
	return level, ok
}

// rowsColumn is the column of the totals that says how many rows a bucket of a
// report by path or page has, if one does.
func rowsColumn(req api.TimeseriesRequest, websites int) (column string, level int, ok bool) {
	if len(req.GroupBy) != 1 || req.URLPath != nil || websites != 1 {
		return "", 0, false
	}
	columns, ok := rowsColumns[req.GroupBy[0]]
	if !ok {
		return "", 0, false
	}
	if level, ok = filters(req); !ok {
		return "", 0, false
	}
	who := make(map[string]bool)
	for _, m := range req.Metrics {
		who[metrics[m].who] = true
	}
	switch {
	case (who[referred] || who[sentByAI]) && !who[humans]: // who was not referred has no row
		return "", 0, false
	case who[bots] && who[humans]:
		return columns.all, level, true
	case who[bots]:
		return columns.bots, level, true
	}
	return columns.humans, level, true
}

var rowsColumns = map[api.Dimension]struct{ bots, humans, all string }{
	api.ByURLPath:           {"bot_paths", "human_paths", "all_paths"},
	api.ByNormalizedURLPath: {"unique_pages", "unique_human_pages", "all_pages"},
}
