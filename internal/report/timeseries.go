package report

import (
	"context"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/weburl"
)

// streamFrom is how many rows a page has at least to be streamed.
const streamFrom = 10_000

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
	if len(plan.WebsiteIDs) > 0 && !plan.empty() {
		err = collect(ctx, set, "timeseries_count.sql", plan.window, plan, func(scan facts.Scan) error {
			return scan((*facts.Int)(&answer.TotalItems))
		})
		if err != nil {
			return answer, err
		}
	}
	paginate(&answer.TimeseriesResponse)
	if answer.CurrentPage > answer.TotalPages {
		return answer, nil
	}
	plan.Limit, plan.Offset = req.PerPage, (req.Page-1)*req.PerPage
	if min(req.PerPage, answer.TotalItems-plan.Offset) >= streamFrom {
		again := set.Again()
		answer.set = again
		answer.stream = func(each func(*api.TimeseriesItem) error) error {
			return timeseriesItems(ctx, again, plan, req, each)
		}
		return answer, nil
	}
	return answer, timeseriesItems(ctx, set, plan, req, func(item *api.TimeseriesItem) error {
		answer.Items = append(answer.Items, *item)
		return nil
	})
}

func planTimeseries(p *catalog.Product, req api.TimeseriesRequest, d facts.Dialect) timeseriesPlan {
	plan := timeseriesPlan{
		Platforms: req.Platforms, BotTypes: req.BotTypes,
		Bucket: bucketSQL[req.Interval], TopLimit: req.TopLimit,
	}
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
		reads = append(reads, metrics[name].reads...)
	}
	slices.Sort(reads)
	plan.Columns = slices.Compact(reads)
	return plan
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

func timeseriesItems(ctx context.Context, set facts.Set, plan timeseriesPlan, req api.TimeseriesRequest, each func(*api.TimeseriesItem) error) error {
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
