package report

import (
	"context"
	"math"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/weburl"
)

// StreamFrom is how many rows a page has at least to be streamed.
const StreamFrom = 10_000

// TimeseriesPage is a page of the timeseries. A large one comes without its
// items: they are read while they are sent, and never all in memory.
type TimeseriesPage struct {
	api.TimeseriesResponse
	stream func(each func(*api.TimeseriesItem) error) error
	set    facts.Set // held for the stream
}

// Streams tells whether the items have to be read with Stream.
func (p *TimeseriesPage) Streams() bool { return p.stream != nil }

// Stream reads the items of a large page, once, within the report's context.
func (p *TimeseriesPage) Stream(each func(*api.TimeseriesItem) error) error {
	defer p.Discard()
	return p.stream(each)
}

// Each goes over the items, whether they are at hand or still have to be read.
func (p *TimeseriesPage) Each(each func(*api.TimeseriesItem) error) error {
	if p.Streams() {
		return p.Stream(each)
	}
	for i := range p.Items {
		if err := each(&p.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// Discard lets go of a large page that is not streamed.
func (p *TimeseriesPage) Discard() {
	if p.set != nil {
		p.set.Close()
		p.set = nil
	}
}

// Timeseries reports on the visits to a product's active websites.
func (r *Reports) Timeseries(ctx context.Context, primary catalog.Primary, req api.TimeseriesRequest) (*TimeseriesPage, error) {
	answer := &TimeseriesPage{TimeseriesResponse: api.TimeseriesResponse{CurrentPage: req.Page, PerPage: req.PerPage, Items: []api.TimeseriesItem{}}}
	set, err := r.Facts.Acquire()
	if err != nil {
		return answer, err
	}
	defer set.Close()
	plan := planTimeseries(primary.Product(), req, set.Dialect())
	if r.Plain {
		plan = plan.plain()
	}
	switch {
	case len(plan.WebsiteIDs) == 0 || plan.empty():
		paginate(&answer.TimeseriesResponse)
		return answer, nil
	case plan.Totals != nil && plan.Totals.Column != "":
		return answer, answer.fromSizes(ctx, set, plan, req)
	case req.PerPage < StreamFrom:
		return answer, answer.atOnce(ctx, set, plan, req)
	}
	if err := answer.count(ctx, set, plan); err != nil {
		return answer, err
	}
	return answer, answer.fill(ctx, set, plan, req)
}

// count counts all rows.
func (p *TimeseriesPage) count(ctx context.Context, set facts.Set, plan timeseriesPlan) error {
	return collect(ctx, set, "timeseries_count.sql", plan.window, plan, func(scan facts.Scan) error {
		return scan((*facts.Int)(&p.TotalItems))
	})
}

// atOnce reads a page together with the number of all rows, if the engine can
// do that. A page past the last has no row to tell it.
func (p *TimeseriesPage) atOnce(ctx context.Context, set facts.Set, plan timeseriesPlan, req api.TimeseriesRequest) error {
	plan.WithTotal = set.Dialect().CountOver() != ""
	err := timeseriesItems(ctx, set, plan, req, &p.TotalItems, p.take)
	switch rows := int64(len(p.Items)); {
	case err != nil || plan.WithTotal && (rows > 0 || req.Page == 1):
	case rows > 0 && rows < req.PerPage || req.Page == 1 && rows == 0: // the last page
		p.TotalItems = plan.Offset + rows
	default:
		err = p.count(ctx, set, plan)
	}
	paginate(&p.TimeseriesResponse)
	return err
}

// fromSizes finds out from the number of rows of each bucket in which buckets
// the page lies, and reads only those.
func (p *TimeseriesPage) fromSizes(ctx context.Context, set facts.Set, plan timeseriesPlan, req api.TimeseriesRequest) error {
	var before int64 // rows of the buckets before the page
	var part window
	err := collect(ctx, set, "timeseries_sizes.sql", plan.window, plan, func(scan facts.Scan) error {
		var bucket, n facts.Int
		if err := scan(&bucket, &n); err != nil {
			return err
		}
		size := int64(n)
		if plan.TopLimit > 0 {
			size = min(size, plan.TopLimit)
		}
		switch end := p.TotalItems + size; {
		case end <= plan.Offset:
			before = end
		case part == window{}:
			part.First = int64(bucket)
			fallthrough
		case p.TotalItems-plan.Offset < plan.Limit:
			part.Last = int64(bucket) + int64(plan.Totals.Width)*facts.DaySeconds - 1
		}
		p.TotalItems += size
		return nil
	})
	if err != nil {
		return err
	}
	plan.Totals = nil
	plan.First, plan.Last = max(plan.First, part.First), min(plan.Last, part.Last)
	plan.Edges = []window{plan.window}
	plan.Offset -= before
	return p.fill(ctx, set, plan, req)
}

// fill reads the items of the page, or arranges for them to be streamed. The
// number of all rows is known.
func (p *TimeseriesPage) fill(ctx context.Context, set facts.Set, plan timeseriesPlan, req api.TimeseriesRequest) error {
	paginate(&p.TimeseriesResponse)
	if p.CurrentPage > p.TotalPages {
		return nil
	}
	if min(req.PerPage, p.TotalItems-(req.Page-1)*req.PerPage) < StreamFrom {
		return timeseriesItems(ctx, set, plan, req, nil, p.take)
	}
	again := set.Again()
	p.set = again
	p.stream = func(each func(*api.TimeseriesItem) error) error {
		return timeseriesItems(ctx, again, plan, req, nil, each)
	}
	return nil
}

func (p *TimeseriesPage) take(item *api.TimeseriesItem) error {
	p.Items = append(p.Items, *item)
	return nil
}

func planTimeseries(p *catalog.Product, req api.TimeseriesRequest, d facts.Dialect) timeseriesPlan {
	plan := timeseriesPlan{
		Platforms: req.Platforms, BotTypes: req.BotTypes,
		Bucket: bucketSQL[req.Interval], TopLimit: req.TopLimit,
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
	for _, dimension := range req.GroupBy {
		plan.Dimensions = append(plan.Dimensions, column[dimension])
		reads = append(reads, column[dimension])
	}
	for _, name := range req.Metrics {
		plan.Metrics = append(plan.Metrics, metrics[name].sql(d))
		plan.TotalMetrics = append(plan.TotalMetrics, string(name))
		reads = append(reads, metrics[name].reads...)
	}
	slices.Sort(reads)
	plan.Columns = slices.Compact(reads)
	plan.choose(req)
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

// choose decides which part of the window the totals answer.
func (p *timeseriesPlan) choose(req api.TimeseriesRequest) {
	p.Edges = []window{p.window}
	if p.empty() {
		return
	}
	level, ok := totalsFor(req, len(p.WebsiteIDs))
	rows := ""
	if !ok {
		rows, level, ok = rowsColumn(req, len(p.WebsiteIDs))
	}
	whole, edges := p.wholeBuckets(req.Interval)
	if !ok || whole.empty() {
		return
	}
	p.Totals = &totalsPlan{window: whole, Width: widths[req.Interval], Level: level, Column: rows}
	p.Edges = edges
}

// plain is the same plan without totals.
func (p timeseriesPlan) plain() timeseriesPlan {
	p.Totals, p.Edges = nil, []window{p.window}
	return p
}

// paginate fills in the pages around the current one (S22). Pages are counted
// without adding to totalItems, which may be close to the largest number.
func paginate(a *api.TimeseriesResponse) {
	a.TotalPages = a.TotalItems / a.PerPage
	if a.TotalItems%a.PerPage > 0 {
		a.TotalPages++
	}
	if previous := min(a.CurrentPage-1, a.TotalPages); previous > 0 {
		a.PreviousPage = &previous
	}
	if a.CurrentPage < a.TotalPages {
		next := a.CurrentPage + 1
		a.NextPage = &next
	}
}

// timeseriesItems reads the rows of a page, and how many there are in all if the
// plan asks for it.
func timeseriesItems(ctx context.Context, set facts.Set, plan timeseriesPlan, req api.TimeseriesRequest, total *int64, each func(*api.TimeseriesItem) error) error {
	var bucket facts.Int
	dimensions := make([]string, len(req.GroupBy))
	metrics := make([]facts.Int, len(req.Metrics))
	into := []any{&bucket}
	for i := range dimensions {
		into = append(into, &dimensions[i])
	}
	for i := range metrics {
		into = append(into, &metrics[i])
	}
	if plan.WithTotal {
		into = append(into, (*facts.Int)(total))
	}
	return collect(ctx, set, "timeseries_page.sql", plan.window, plan, func(scan facts.Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		item := api.TimeseriesItem{Timestamp: api.FormatTime(int64(bucket))}
		for i, value := range slices.Clone(dimensions) {
			*dimensionField(&item, req.GroupBy[i]) = &value
		}
		for i, value := range metrics {
			n := int64(value)
			*metricField(&item, req.Metrics[i]) = &n
		}
		return each(&item)
	})
}

func dimensionField(item *api.TimeseriesItem, d api.Dimension) **string {
	switch d {
	case api.ByPlatform:
		return &item.Platform
	case api.ByBotType:
		return &item.BotType
	case api.ByURLPath:
		return &item.URLPath
	case api.ByNormalizedURLPath:
		return &item.NormalizedURLPath
	case api.ByURLPathDirectory:
		return &item.URLPathDirectory
	}
	panic("report: unknown dimension " + string(d))
}

func metricField(item *api.TimeseriesItem, m api.Metric) **int64 {
	switch m {
	case api.BotVisits:
		return &item.BotVisits
	case api.HumanVisits:
		return &item.HumanVisits
	case api.ReferredHumanVisits:
		return &item.ReferredHumanVisits
	case api.AIReferredHumanVisits:
		return &item.AIReferredHumanVisits
	case api.UniqueHumanVisitors:
		return &item.UniqueHumanVisitors
	case api.UniquePages:
		return &item.UniquePages
	case api.UniqueHumanPages:
		return &item.UniqueHumanPages
	case api.UniqueHumanPlatforms:
		return &item.UniqueHumanPlatforms
	case api.BotUserAgents:
		return &item.BotUserAgents
	}
	panic("report: unknown metric " + string(m))
}
