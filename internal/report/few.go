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
func few(ctx context.Context, reader facts.Reader, plan timeseriesPlan, req api.TimeseriesRequest) (rows *visitRows, ok bool, err error) {
	if plan.Many {
		return nil, false, nil
	}
	c := visitCounter{
		timeseriesPlan: plan, visitRows: visitRows{req: req}, places: placesPool.Get().(*places),
		groups: make(map[seriesKey]int), seen: make(map[seenThing]bool), platforms: make(map[string]uint64),
	}
	defer placesPool.Put(c.places)
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
	ok, err = reader.Few(ctx, q, c.add)
	return &c.visitRows, ok, err
}

// visitRows are the rows that visits were grouped into. Their texts are those of one
// of the visits: few rows are on a page.
type visitRows struct {
	req     api.TimeseriesRequest
	rows    []visitRow
	figures []int64 // the metrics, row by row
}

type visitRow struct {
	start int64 // of the bucket
	*facts.Origin
	*facts.Page
}

func (v *visitRows) len() int           { return len(v.rows) }
func (v *visitRows) bucket(i int) int64 { return v.rows[i].start }
func (v *visitRows) first(i int) int64  { return v.figures[i*len(v.req.Metrics)] }

func (v *visitRows) row(i int) seriesRow {
	r := seriesRow{v.rows[i].start, make([]string, len(v.req.GroupBy)), v.figures[i*len(v.req.Metrics):][:len(v.req.Metrics)]}
	for place, d := range v.req.GroupBy {
		r.dimensions[place] = v.rows[i].dimension(d)
	}
	return r
}

// visitCounter groups visits.
type visitCounter struct {
	timeseriesPlan
	visitRows
	metrics   []metric
	words     [maxDimensions]int // places of the dimensions in facts.Words
	week      *facts.SeenWeek    // that the places are of
	*places                      // of rows, within a week of a website
	groups    map[seriesKey]int  // and over several websites
	seen      map[seenThing]bool
	platforms map[string]uint64 // numbers of them
}

// seriesKey is the bucket and the dimensions of a row; those that are not asked
// for are empty.
type seriesKey struct {
	bucket int64
	values [maxDimensions]string
}

const maxDimensions = 5

// places are where the rows of a week of a website are, by numbers: in a grid with a
// cell for each row that there can be, or in a map where those are too many.
type places struct {
	grid  []uint16 // 1 more than the place; 0: none
	cells map[cell]int
}

// There are no more rows than visits.
const _ = uint16(facts.FewVisits + 1)

// cell is a bucket, as a day of the week, and the words of a row.
type cell struct {
	day   int64
	words facts.Words
}

// placesPool has some that were made large before: making them takes longer than
// counting.
var placesPool = sync.Pool{New: func() any { return &places{cells: make(map[cell]int)} }}

// cellsPerVisit is how large a grid may be: clearing it must take less time than
// looking up its visits in a map.
const cellsPerVisit = 64

// reset makes room for the rows of a week.
func (p *places) reset(size, visits int) {
	clear(p.cells)
	if size > cellsPerVisit*visits {
		p.grid = p.grid[:0]
		return
	}
	p.grid = slices.Grow(p.grid[:0], size)[:size]
	clear(p.grid)
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
	row := -1 // nobody has counted it
	for i := range c.metrics {
		m := &c.metrics[i]
		if !countedBy(v, m.who) {
			continue
		}
		if row < 0 {
			row = c.rowOf(v)
		}
		if len(m.distinct) > 0 {
			thing := seenThing{row, i, c.thing(v, m.distinct[0])}
			if c.seen[thing] {
				continue
			}
			c.seen[thing] = true
		}
		c.figures[row*len(c.metrics)+i]++
	}
}

// rowOf is the place of the row of a visit. Numbers tell it, and texts only where
// several websites share rows: those of a week of a website have numbers of their own.
func (c *visitCounter) rowOf(v *facts.SeenVisit) int {
	if v.SeenWeek != c.week {
		c.begin(v.SeenWeek)
	}
	if len(c.grid) == 0 {
		at := cell{day: c.day(v)}
		for i := range c.req.GroupBy {
			at.words[i] = v.Words[c.words[i]]
		}
		row, ok := c.cells[at]
		if !ok {
			row = c.newRow(v)
			c.cells[at] = row
		}
		return row
	}
	at := int(c.day(v))
	for i := range c.req.GroupBy {
		word := c.words[i]
		at = at*int(c.week.Texts[word]) + int(v.Words[word])
	}
	if c.grid[at] == 0 {
		c.grid[at] = uint16(c.newRow(v) + 1)
	}
	return int(c.grid[at]) - 1
}

// begin begins a week of a website.
func (c *visitCounter) begin(week *facts.SeenWeek) {
	c.week = week
	size := 7 / widths[c.req.Interval]
	for i := range c.req.GroupBy {
		if size *= int(week.Texts[c.words[i]]); size > cellsPerVisit*week.Visits {
			break
		}
	}
	c.reset(size, week.Visits)
	c.rows, c.figures = slices.Grow(c.rows, week.Visits/8), slices.Grow(c.figures, week.Visits/8*len(c.metrics))
}

// day is the place of a visit's bucket in its week.
func (c *visitCounter) day(v *facts.SeenVisit) int64 {
	if c.req.Interval == api.Week {
		return 0
	}
	return (v.Second - v.Start) / facts.DaySeconds
}

// newRow makes a row for a visit, or finds the one that a visit to another website has.
func (c *visitCounter) newRow(v *facts.SeenVisit) (row int) {
	bucket := v.Start + c.day(v)*facts.DaySeconds
	row = len(c.rows)
	if len(c.WebsiteIDs) > 1 {
		key := seriesKey{bucket: bucket}
		for i, d := range c.req.GroupBy {
			key.values[i] = visitRow{Origin: v.Origin, Page: v.Page}.dimension(d)
		}
		if known, ok := c.groups[key]; ok {
			return known
		}
		c.groups[key] = row
	}
	c.rows = append(c.rows, visitRow{bucket, v.Origin, v.Page})
	for range c.metrics {
		c.figures = append(c.figures, 0)
	}
	return row
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

// dimension is the text of a row.
func (v visitRow) dimension(d api.Dimension) string {
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
