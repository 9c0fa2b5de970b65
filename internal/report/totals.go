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
	Interval api.Interval
	Parts    []totalsPart
	Column   string // of the number of rows, where that is asked for
}

// totalsPart is rows of a table of totals that give some of the metrics.
type totalsPart struct {
	window // of whole buckets
	Table  facts.Table
	Width  int      // of their buckets, in days
	Level  int      // of grouping, if the table has levels
	Reads  []string // columns, beside those that say which rows
	Values []string // expressions of the metrics; 0 for those that it does not give
	places []int    // of the metrics that it gives
	kind   partKind
}

// partKind is how a part gives its metrics.
type partKind int

const (
	sums      partKind = iota // of columns
	platforms                 // the distinct ones of rows with humans that AI referred
	agents                    // the distinct ones
)

// HasLevels says whether rows are of a level.
func (p totalsPart) HasLevels() bool { return p.Table == facts.Totals }

// Keys are the columns that say which rows.
func (p totalsPart) Keys() []string {
	switch p.Table {
	case facts.DirectoryTotals:
		return []string{"bucket", "width", "website_id", "url_path_directory"}
	case facts.AgentTotals:
		return []string{"bucket", "width", "website_id", "platform", "bot_type"}
	}
	return []string{"bucket", "width", "level", "website_id", "platform", "bot_type"}
}

// in says whether a set has the rows.
func (t *totalsPlan) in(set facts.Set) bool {
	return !slices.ContainsFunc(t.Parts, func(p totalsPart) bool { return !set.Has(p.Table, p.First, p.Last) })
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

// wholeDays says whether a window begins and ends with a day.
func (w window) wholeDays() bool {
	return w.First%facts.DaySeconds == 0 && (w.Last+1)%facts.DaySeconds == 0
}

// How metrics add up: counts of visits always, counts of visitors and pages
// over websites, which have their own, and the others not at all: user agents
// and platforms are counted again where there are several rows.
var (
	addsUp     = []api.Metric{api.BotVisits, api.HumanVisits, api.ReferredHumanVisits, api.AIReferredHumanVisits}
	addsUpOver = append(slices.Clip(addsUp), api.UniqueHumanVisitors, api.UniquePages, api.UniqueHumanPages)
)

// totalsQuestion is what is asked of the totals.
type totalsQuestion struct {
	api.TimeseriesRequest
	websites int
	days     bool // buckets are made of several days
	only     bool // there are no tables but facts.Totals
	dialect  facts.Dialect
}

// totalsFor says which parts of the totals give what is asked for, if they do.
func totalsFor(q totalsQuestion) (parts []totalsPart, ok bool) {
	table, level, single, ok := q.rows()
	if !ok {
		return nil, false
	}
	parts = []totalsPart{
		sums:      {Table: table, Level: level},
		platforms: {Table: facts.Totals, Level: level | facts.LevelPlatform},
		agents:    {Table: facts.AgentTotals},
	}
	for i, m := range q.Metrics {
		switch {
		case slices.Contains(addsUp, m), single && !q.days && (q.websites == 1 || slices.Contains(addsUpOver, m)):
			parts[sums].give(i, string(m))
		case table != facts.Totals:
			return nil, false
		case m == api.UniqueHumanPlatforms:
			parts[platforms].give(i, "ai_referred_human_visits")
		case m == api.BotUserAgents && !q.only:
			parts[agents].give(i, "agent_key")
		default:
			return nil, false
		}
	}
	for kind := range parts {
		parts[kind].finish(partKind(kind), len(q.Metrics), q.dialect)
	}
	return slices.DeleteFunc(parts, func(p totalsPart) bool { return len(p.places) == 0 }), true
}

// give notes that a metric comes from a column.
func (p *totalsPart) give(place int, column string) {
	p.Reads, p.places = append(p.Reads, column), append(p.places, place)
}

// finish writes the expressions of the metrics that a part gives.
func (p *totalsPart) finish(kind partKind, metrics int, d facts.Dialect) {
	p.kind = kind
	p.Values = slices.Repeat([]string{"0"}, metrics)
	for i, place := range p.places {
		switch kind {
		case sums:
			p.Values[place] = "sum(" + p.Reads[i] + ")"
		case platforms:
			p.Values[place] = d.DistinctIf(p.Reads[i]+" > 0", "platform")
		case agents:
			p.Values[place] = d.DistinctIf("1 = 1", p.Reads[i])
		}
	}
}

// rows says which table and level have rows for what is grouped and filtered, and
// whether a website has but a single one for each row of the answer.
func (q totalsQuestion) rows() (table facts.Table, level int, single, ok bool) {
	if q.URLPath != nil {
		return "", 0, false, false
	}
	if len(q.GroupBy) == 1 && q.GroupBy[0] == api.ByURLPathDirectory {
		return facts.DirectoryTotals, 0, true, !q.only && len(q.Platforms)+len(q.BotTypes) == 0
	}
	for _, d := range q.GroupBy {
		if levelOf[d] == 0 {
			return "", 0, false, false
		}
		level |= levelOf[d]
	}
	counted, single := filters(q.TimeseriesRequest)
	return facts.Totals, level | counted, single, true
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
func rowsColumn(req api.TimeseriesRequest, websites int) (column string, part totalsPart, ok bool) {
	if len(req.GroupBy) != 1 || req.URLPath != nil || websites != 1 {
		return "", part, false
	}
	columns, ok := rowsColumns[req.GroupBy[0]]
	if !ok {
		return "", part, false
	}
	level, ok := filters(req)
	if !ok {
		return "", part, false
	}
	who := make(map[string]bool)
	for _, m := range req.Metrics {
		who[metrics[m].who] = true
	}
	column = columns.humans
	switch {
	case (who[referred] || who[sentByAI]) && !who[humans]: // who was not referred has no row
		return "", part, false
	case who[bots] && who[humans]:
		column = columns.all
	case who[bots]:
		column = columns.bots
	}
	part = totalsPart{Table: facts.Totals, Level: level}
	part.give(0, column)
	part.finish(sums, 1, nil)
	return column, part, true
}

var rowsColumns = map[api.Dimension]struct{ bots, humans, all string }{
	api.ByURLPath:           {"bot_paths", "human_paths", "all_paths"},
	api.ByNormalizedURLPath: {"unique_pages", "unique_human_pages", "all_pages"},
}
