package report

import (
	"context"
	"errors"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// Pages with many visits in an ISO week have totals of their own, where a set has
// them (facts.BusyPages). They answer what takes long to read from the visits: the
// other pages have few.

// fromBusyPage reports on one page. Weeks in which it is busy come from the totals,
// and the others from the visits. It is not ok if that does not help.
func (p *TimeseriesPage) fromBusyPage(ctx context.Context, set facts.Set, reader facts.Reader, plan timeseriesPlan) (ok bool, err error) {
	whole, edges := plan.wholeBuckets(p.req.Interval)
	level, ok := busyLevel(p.req)
	if !ok || plan.NormalizedURLPath == nil || len(plan.WebsiteIDs) != 1 || whole.empty() || !set.Has(facts.BusyPages, whole.First, whole.Last) {
		return false, nil
	}
	plan.Totals = busyTotals(p.req, whole, level)
	rows, err := wholeRows(ctx, reader, plan)
	if err != nil || len(rows) == 0 {
		return false, leaveTooMany(err)
	}
	others, ok := weeksWithout(rows, whole)
	if !ok {
		return false, nil
	}
	plan.Edges = append(edges, others...)
	slices.SortFunc(plan.Edges, func(a, b window) int { return int(a.First - b.First) })
	if rows, err = p.withEdges(ctx, set, reader, plan, rows); err != nil {
		return true, err
	}
	p.TotalItems = p.takeAll(listedRows(rows), plan)
	paginate(&p.TimeseriesResponse)
	return true, nil
}

// busyLevel is the level of the busy pages that answers what is asked for about one
// page, if one does.
func busyLevel(req api.TimeseriesRequest) (level int, ok bool) {
	if len(req.BotTypes) > 0 {
		return 0, false
	}
	for _, d := range req.GroupBy {
		if d != api.ByPlatform {
			return 0, false
		}
		level |= facts.LevelPlatform
	}
	counted, single := filters(req)
	for _, m := range req.Metrics {
		if !single && !slices.Contains(addsUp, m) {
			return 0, false
		}
	}
	return level | counted, true
}

// busyTotals takes all metrics from the busy pages.
func busyTotals(req api.TimeseriesRequest, whole window, level int) *totalsPlan {
	part := totalsPart{Table: facts.BusyPages, Level: level}
	for i, m := range req.Metrics {
		part.give(i, string(m))
	}
	t := &totalsPlan{Interval: req.Interval}
	t.add([]totalsPart{part}, whole, widths[req.Interval])
	return t
}

// leaveTooMany has what is too much for the totals read from the visits.
func leaveTooMany(err error) error {
	if errors.Is(err, facts.ErrTooMany) {
		return nil
	}
	return err
}

// mostRuns is how many runs of weeks are read apart at most.
const mostRuns = 8

// weeksWithout are the parts of a window in whose weeks there are no rows, put
// together; not ok: there are many.
func weeksWithout(rows []seriesRow, whole window) (runs []window, ok bool) {
	busy := make(map[int64]bool)
	for _, r := range rows {
		busy[facts.Week(r.bucket)] = true
	}
	for week := facts.Week(whole.First); week <= whole.Last; week += facts.WeekSeconds {
		if busy[week] {
			continue
		}
		run := window{max(week, whole.First), min(week+facts.WeekSeconds-1, whole.Last)}
		if n := len(runs); n > 0 && runs[n-1].Last+1 == run.First {
			runs[n-1].Last = run.Last
		} else {
			runs = append(runs, run)
		}
	}
	return runs, len(runs) <= mostRuns
}

// topBusyPages reports on the first pages of each bucket, if those are surely among
// the busy ones: any other has fewer visits. The window is that of the buckets on the
// page, of which the number of rows is known.
func (p *TimeseriesPage) topBusyPages(ctx context.Context, set facts.Set, reader facts.Reader, plan timeseriesPlan) (ok bool, err error) {
	req := p.req
	if req.TopLimit == 0 || !slices.Equal(req.GroupBy, []api.Dimension{api.ByNormalizedURLPath}) || !slices.Contains(addsUp, req.Metrics[0]) ||
		len(req.Platforms)+len(req.BotTypes) > 0 || plan.empty() {
		return false, nil
	}
	whole, edges := plan.wholeBuckets(req.Interval)
	if whole.empty() || !set.Has(facts.BusyPages, whole.First, whole.Last) {
		return false, nil
	}
	plan.Totals, plan.Edges = busyTotals(req, whole, 0), edges
	rows, err := wholeRows(ctx, reader, plan)
	if err != nil || !surelyFirst(rows, whole, req) {
		return false, leaveTooMany(err)
	}
	if rows, err = p.withEdges(ctx, set, reader, plan, rows); err != nil {
		return true, err
	}
	p.takeAll(listedRows(rows), plan)
	paginate(&p.TimeseriesResponse)
	return true, nil
}

// surelyFirst says whether each bucket has as many busy pages as are asked for that
// come before every other page.
func surelyFirst(rows []seriesRow, whole window, req api.TimeseriesRequest) bool {
	before := make(map[int64]int64)
	for _, r := range rows {
		if r.metrics[0] >= facts.BusyVisits {
			before[r.bucket]++
		}
	}
	for bucket := whole.First; bucket <= whole.Last; bucket += int64(widths[req.Interval]) * facts.DaySeconds {
		if before[bucket] < req.TopLimit {
			return false
		}
	}
	return true
}
