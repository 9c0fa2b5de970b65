package report

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// fromTotals adds up the totals of whole buckets without SQL, and has only the
// edges of the window read from the visits.
func (p *TimeseriesPage) fromTotals(ctx context.Context, set facts.Set, reader facts.Reader, plan timeseriesPlan) error {
	rows, err := wholeRows(ctx, reader, plan)
	if err != nil {
		return err
	}
	rows, err = p.withEdges(ctx, set, reader, plan, rows)
	if err == nil {
		p.TotalItems = p.takeAll(listedRows(rows), plan)
		paginate(&p.TimeseriesResponse)
	}
	return err
}

// withEdges adds the rows of the edges of the window to those of whole buckets.
func (p *TimeseriesPage) withEdges(ctx context.Context, set facts.Set, reader facts.Reader, plan timeseriesPlan, rows []seriesRow) ([]seriesRow, error) {
	var large []window // those with many visits
	for _, edge := range plan.Edges {
		some, ok, err := few(ctx, reader, plan.all(edge), p.req)
		if err != nil {
			return nil, err
		}
		if !ok {
			large = append(large, edge)
			continue
		}
		for i := range some.len() {
			rows = append(rows, some.row(i))
		}
	}
	if len(large) == 0 {
		return rows, nil
	}
	err := seriesRows(ctx, set, plan.all(large...), nil, func(r *seriesRow) error {
		rows = append(rows, seriesRow{r.bucket, slices.Clone(r.dimensions), slices.Clone(r.metrics)})
		return nil
	})
	return rows, err
}

// takeAll takes the rows of the page, and says how many there are in all. Rows that
// are not on it need no order.
func (p *TimeseriesPage) takeAll(rows rowList, plan timeseriesPlan) (all int64) {
	sizes := make(map[int64]int64)
	for run := range runs(rows) {
		sizes[rows.bucket(run.from)] += int64(run.to - run.from)
	}
	var onPage []part
	of := make(map[int64][]int) // places of the rows of a bucket
	for _, bucket := range slices.Sorted(maps.Keys(sizes)) {
		n := sizes[bucket]
		if plan.TopLimit > 0 {
			n = min(n, plan.TopLimit)
		}
		from, to := max(plan.Offset-all, 0), min(plan.Offset+plan.Limit-all, n)
		all += n
		if from < to {
			onPage = append(onPage, part{bucket, from, to})
			of[bucket] = make([]int, 0, sizes[bucket])
		}
	}
	for run := range runs(rows) {
		list, ok := of[rows.bucket(run.from)]
		for i := run.from; ok && i < run.to; i++ {
			list = append(list, i)
		}
		if ok {
			of[rows.bucket(run.from)] = list
		}
	}
	for _, b := range onPage {
		for _, r := range firstRows(rows, of[b.bucket], b.to)[b.from:b.to] {
			p.take(&r)
		}
	}
	return all
}

// part is rows of a bucket.
type part struct{ bucket, from, to int64 }

// wholeRows are the rows of whole buckets.
func wholeRows(ctx context.Context, reader facts.Reader, plan timeseriesPlan) (rows []seriesRow, err error) {
	all := wholes{plan: &plan, groups: make(map[seriesKey]*whole)}
	for i := range plan.Totals.Parts {
		if err := all.add(ctx, reader, &plan.Totals.Parts[i]); err != nil {
			return nil, err
		}
	}
	for k, w := range all.groups {
		w.countSets(plan.Totals.Parts)
		if slices.ContainsFunc(w.metrics, func(n int64) bool { return n > 0 }) {
			rows = append(rows, seriesRow{k.bucket, slices.Clone(k.values[:len(plan.Dimensions)]), w.metrics})
		}
	}
	return rows, nil
}

// totals calls each for the totals that a part of a plan is about.
func (p *timeseriesPlan) totals(ctx context.Context, reader facts.Reader, part *totalsPart, each func(*facts.TotalsRow)) error {
	return reader.Totals(ctx, p.totalsQuery(part), func(t *facts.TotalsRow) {
		if p.selects(t.Platform, t.BotType) {
			each(t)
		}
	})
}

func (p *timeseriesPlan) totalsQuery(part *totalsPart) facts.TotalsQuery {
	q := facts.TotalsQuery{Table: part.Table, WebsiteIDs: p.WebsiteIDs, Width: part.Width, Level: part.Level, First: part.First, Last: part.Last}
	if part.Table == facts.BusyPages && p.NormalizedURLPath != nil {
		q.Page = *p.NormalizedURLPath
	}
	return q
}

// selects says whether a row passes the filters.
func (p *timeseriesPlan) selects(platform, botType string) bool {
	return (len(p.Platforms) == 0 || slices.Contains(p.Platforms, platform)) && (len(p.BotTypes) == 0 || slices.Contains(p.BotTypes, botType))
}

// all is the plan of all rows of parts of the window, by time, from the visits.
func (p timeseriesPlan) all(parts ...window) timeseriesPlan {
	p.window, p.Totals, p.Edges = window{parts[0].First, parts[len(parts)-1].Last}, nil, parts
	p.Offset, p.Limit = 0, math.MaxInt64
	return p
}

// bucketSize is how many rows a bucket has.
type bucketSize struct{ bucket, rows int64 }

// sizes are the sizes of the buckets, by time.
func (p timeseriesPlan) sizes(ctx context.Context, set facts.Set) (sizes []bucketSize, err error) {
	if reader, ok := set.(facts.Reader); ok && p.Totals != nil {
		switch sizes, err = p.wholeSizes(ctx, reader); {
		case err == nil:
			p.Totals = nil
		case !errors.Is(err, facts.ErrTooMany):
			return nil, err
		}
	}
	if p.Totals != nil || len(p.Edges) > 0 {
		err = collect(ctx, set, "timeseries_sizes.sql", p.window, p, func(scan facts.Scan) error {
			var s bucketSize
			err := scan((*facts.Int)(&s.bucket), (*facts.Int)(&s.rows))
			sizes = append(sizes, s)
			return err
		})
	}
	slices.SortFunc(sizes, func(a, b bucketSize) int { return cmp.Compare(a.bucket, b.bucket) })
	return sizes, err
}

func (p timeseriesPlan) wholeSizes(ctx context.Context, reader facts.Reader) ([]bucketSize, error) {
	place := slices.Index(facts.TotalColumns[:], p.Totals.Column)
	sums := make(map[int64]int64)
	err := p.totals(ctx, reader, &p.Totals.Parts[0], func(t *facts.TotalsRow) { sums[t.Bucket] += t.Figures[place] })
	if err != nil {
		return nil, err
	}
	sizes := make([]bucketSize, 0, len(sums))
	for bucket, rows := range sums {
		sizes = append(sizes, bucketSize{bucket, rows})
	}
	return sizes, nil
}

// fromSizes finds out from the number of rows of each bucket in which buckets
// the page lies, and reads only those.
func (p *TimeseriesPage) fromSizes(ctx context.Context, set facts.Set, plan timeseriesPlan) error {
	sizes, err := plan.sizes(ctx, set)
	if err != nil {
		return err
	}
	var before int64 // rows of the buckets before the page
	var part window
	for _, s := range sizes {
		if plan.TopLimit > 0 {
			s.rows = min(s.rows, plan.TopLimit)
		}
		switch end := p.TotalItems + s.rows; {
		case end <= plan.Offset:
			before = end
		case part == window{}:
			part.First = s.bucket
			fallthrough
		case p.TotalItems-plan.Offset < plan.Limit:
			part.Last = s.bucket + int64(widths[plan.Totals.Interval])*facts.DaySeconds - 1
		}
		p.TotalItems += s.rows
	}
	plan.Totals = nil
	plan.First, plan.Last = max(plan.First, part.First), min(plan.Last, part.Last)
	plan.Edges = []window{plan.window}
	plan.Offset -= before
	if reader, ok := set.(facts.Reader); ok {
		if ok, err := p.topBusyPages(ctx, set, reader, plan); ok || err != nil {
			return err
		}
	}
	return p.fill(ctx, set, plan)
}
