package report

import (
	"context"
	"slices"
	"sync"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// few counts the visits of a plan's window one by one, if they are few: small
// websites and short windows are what most ask for, and an engine takes longer to
// begin than they take to count.
func few(ctx context.Context, reader facts.Reader, plan timeseriesPlan, req api.TimeseriesRequest) (rows []seriesRow, ok bool, err error) {
	if plan.Many {
		return nil, false, nil
	}
	c := visitCounter{
		timeseriesPlan: plan, req: req, numbered: numberedRows.Get().(map[numberedKey]int), groups: make(map[seriesKey]int),
		seen: make(map[seenThing]bool), platforms: make(map[string]uint64),
	}
	defer func() {
		clear(c.numbered)
		numberedRows.Put(c.numbered)
	}()
	for i, d := range req.GroupBy {
		c.words[i] = wordOf[d]
	}
	for _, name := range req.Metrics {
		c.metrics = append(c.metrics, metrics[name])
	}
	q := facts.VisitQuery{
		WebsiteIDs: plan.WebsiteIDs, First: plan.First, Last: plan.Last,
		Bots: plan.Who != humans, Humans: plan.Who != bots,
	}
	if ok, err = reader.Few(ctx, q, c.add); err != nil || !ok {
		return nil, ok, err
	}
	rows = slices.DeleteFunc(c.rows, func(r seriesRow) bool {
		return !slices.ContainsFunc(r.metrics, func(n int64) bool { return n > 0 })
	})
	return rows, true, nil
}

// numberedRows are maps that were made large before: making them takes longer than
// counting.
var numberedRows = sync.Pool{New: func() any { return make(map[numberedKey]int) }}

// visitCounter groups visits.
type visitCounter struct {
	timeseriesPlan
	req       api.TimeseriesRequest
	metrics   []metric
	words     [maxDimensions]int  // places of the dimensions in facts.Words
	week      int64               // of numbered
	website   int                 // likewise
	numbered  map[numberedKey]int // places of rows, within a week of a website
	groups    map[seriesKey]int   // and over several websites
	rows      []seriesRow
	seen      map[seenThing]bool
	platforms map[string]uint64 // numbers of them
	texts     []string          // room for the dimensions of more rows
	figures   []int64           // and for their metrics
}

// seriesKey is the bucket and the dimensions of a row; those that are not asked
// for are empty.
type seriesKey struct {
	bucket int64
	values [maxDimensions]string
}

const maxDimensions = 5

// numberedKey is the same by numbers, within a week of a website.
type numberedKey struct {
	bucket int64
	words  facts.Words
}

// seenThing is something that a metric of a row has counted.
type seenThing struct {
	row, metric int
	thing       uint64
}

func (c *visitCounter) add(v *facts.SeenVisit) {
	if len(c.Platforms) > 0 && !slices.Contains(c.Platforms, v.Platform) ||
		len(c.BotTypes) > 0 && !slices.Contains(c.BotTypes, v.BotType) ||
		c.NormalizedURLPath != nil && *c.NormalizedURLPath != v.NormalizedURLPath {
		return
	}
	row := c.rowOf(v)
	for i := range c.metrics {
		m := &c.metrics[i]
		if !countedBy(v, m.who) {
			continue
		}
		if len(m.distinct) > 0 {
			thing := seenThing{row, i, c.thing(v, m.distinct[0])}
			if c.seen[thing] {
				continue
			}
			c.seen[thing] = true
		}
		c.rows[row].metrics[i]++
	}
}

// rowOf is the place of the row of a visit. Numbers tell it, and texts only where
// several websites share rows: those of a week of a website have numbers of their own.
func (c *visitCounter) rowOf(v *facts.SeenVisit) int {
	if week := facts.Week(v.Second); week != c.week || v.Website != c.website {
		c.week, c.website = week, v.Website
		clear(c.numbered)
	}
	numbered := numberedKey{bucket: bucketStart(v.Second, c.req.Interval)}
	for i := range c.req.GroupBy {
		numbered.words[i] = v.Words[c.words[i]]
	}
	row, ok := c.numbered[numbered]
	if ok {
		return row
	}
	row = len(c.rows)
	if len(c.WebsiteIDs) > 1 {
		row = c.rowOfTexts(v, numbered.bucket)
	}
	if row == len(c.rows) {
		c.rows = append(c.rows, c.newRow(v, numbered.bucket))
	}
	c.numbered[numbered] = row
	return row
}

// rowOfTexts is the place of the row with the texts of a visit, or of a new one.
func (c *visitCounter) rowOfTexts(v *facts.SeenVisit, bucket int64) int {
	key := seriesKey{bucket: bucket}
	for i, d := range c.req.GroupBy {
		key.values[i] = dimensionOf(v, d)
	}
	row, ok := c.groups[key]
	if !ok {
		row = len(c.rows)
		c.groups[key] = row
	}
	return row
}

// newRow makes a row, from room for many.
func (c *visitCounter) newRow(v *facts.SeenVisit, bucket int64) seriesRow {
	const atOnce = 1024
	dimensions, figures := len(c.req.GroupBy), len(c.req.Metrics)
	if len(c.figures) == 0 {
		c.texts, c.figures = make([]string, atOnce*dimensions), make([]int64, atOnce*figures)
	}
	r := seriesRow{bucket, c.texts[:dimensions:dimensions], c.figures[:figures:figures]}
	for i, d := range c.req.GroupBy {
		r.dimensions[i] = dimensionOf(v, d)
	}
	c.texts, c.figures = c.texts[dimensions:], c.figures[figures:]
	return r
}

// countedBy says whether a visit is one of those that a metric counts.
func countedBy(v *facts.SeenVisit, who string) bool {
	switch who {
	case bots:
		return v.Bot
	case humans:
		return !v.Bot
	case referred:
		return !v.Bot && v.Referred
	case sentByAI:
		return !v.Bot && v.Referred && v.Platform != "none" && v.Platform != "other"
	}
	panic("report: nobody is " + who)
}

// thing is what a metric tells apart, as a number that holds within a bucket.
func (c *visitCounter) thing(v *facts.SeenVisit, column string) uint64 {
	switch column {
	case "visitor":
		return v.Visitor
	case "website_key":
		return uint64(v.Website)<<32 | uint64(v.PageNumber)
	case "agent_key":
		return uint64(v.Agent)
	case "platform":
		number, ok := c.platforms[v.Platform]
		if !ok {
			number = uint64(len(c.platforms))
			c.platforms[v.Platform] = number
		}
		return number
	}
	panic("report: nothing is distinct by " + column)
}

// wordOf is the place of a dimension in facts.Words.
var wordOf = map[api.Dimension]int{
	api.ByPlatform: 0, api.ByBotType: 1, api.ByURLPath: 2, api.ByNormalizedURLPath: 3, api.ByURLPathDirectory: 4,
}

func dimensionOf(v *facts.SeenVisit, d api.Dimension) string {
	switch d {
	case api.ByPlatform:
		return v.Platform
	case api.ByBotType:
		return v.BotType
	case api.ByURLPath:
		return v.URLPath
	case api.ByNormalizedURLPath:
		return v.NormalizedURLPath
	case api.ByURLPathDirectory:
		return v.URLPathDirectory
	}
	panic("report: unknown dimension " + string(d))
}
