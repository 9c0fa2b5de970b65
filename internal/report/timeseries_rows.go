package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// seriesRow is a row of the timeseries before it becomes an item.
type seriesRow struct {
	bucket     int64
	dimensions []string
	metrics    []int64
}

// compareRows is the order of rows (S21).
func compareRows(a, b seriesRow) int {
	return cmp.Or(cmp.Compare(a.bucket, b.bucket), cmp.Compare(b.metrics[0], a.metrics[0]), slices.Compare(a.dimensions, b.dimensions))
}

// item makes an item of a row. The row may be used again afterwards.
func (r *seriesRow) item(req api.TimeseriesRequest) *api.TimeseriesItem {
	item := &api.TimeseriesItem{Timestamp: api.FormatTime(r.bucket)}
	for i, value := range slices.Clone(r.dimensions) {
		*dimensionField(item, req.GroupBy[i]) = &value
	}
	for i, value := range slices.Clone(r.metrics) {
		*metricField(item, req.Metrics[i]) = &value
	}
	return item
}

// seriesRows reads the rows of a page, and how many there are in all if the plan
// asks for it. It uses the row again.
func seriesRows(ctx context.Context, set facts.Set, plan timeseriesPlan, total *int64, each func(*seriesRow) error) error {
	r := seriesRow{dimensions: make([]string, len(plan.Dimensions)), metrics: make([]int64, len(plan.Metrics))}
	into := []any{(*facts.Int)(&r.bucket)}
	for i := range r.dimensions {
		into = append(into, &r.dimensions[i])
	}
	for i := range r.metrics {
		into = append(into, (*facts.Int)(&r.metrics[i]))
	}
	if plan.WithTotal {
		into = append(into, (*facts.Int)(total))
	}
	return collect(ctx, set, "timeseries_page.sql", plan.window, plan, func(scan facts.Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		return each(&r)
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
