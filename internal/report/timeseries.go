package report

import (
	"context"
	"errors"
	"math"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// StreamFrom is how many rows a page has at least to be streamed.
const StreamFrom = 10_000

// TimeseriesPage is a page of the timeseries. A large one comes without its
// items: they are read while they are sent, and never all in memory.
type TimeseriesPage struct {
	api.TimeseriesResponse
	req    api.TimeseriesRequest
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
	answer := &TimeseriesPage{
		TimeseriesResponse: api.TimeseriesResponse{CurrentPage: req.Page, PerPage: req.PerPage, Items: []api.TimeseriesItem{}},
		req:                req,
	}
	set, err := r.Facts.Acquire()
	if err != nil {
		return answer, err
	}
	defer set.Close()
	plan := planTimeseries(primary.Product(), req, set.Dialect())
	if plan.Totals != nil && !plan.Totals.in(set) {
		plan.choose(req, set.Dialect(), true)
	}
	plan.Many = r.Many || r.Plain
	if r.Plain {
		plan = plan.plain()
	}
	if len(plan.WebsiteIDs) == 0 || plan.empty() {
		paginate(&answer.TimeseriesResponse)
		return answer, nil
	}
	reader, _ := set.(facts.Reader)
	if r.Plain {
		reader = nil
	}
	if reader != nil && plan.Totals != nil && plan.Totals.Column == "" {
		if err := answer.fromTotals(ctx, set, reader, plan); !errors.Is(err, facts.ErrTooMany) {
			return answer, err
		}
	}
	if reader != nil {
		if rows, ok, err := few(ctx, reader, plan, req); ok || err != nil {
			answer.TotalItems = answer.takeAll(rows, plan)
			paginate(&answer.TimeseriesResponse)
			return answer, err
		}
		if ok, err := answer.fromBusyPage(ctx, set, reader, plan); ok || err != nil {
			return answer, err
		}
	}
	if pages, ok := set.(facts.Pages); ok && plan.NormalizedURLPath != nil && !r.Plain {
		if set, err = pages.OfPage(ctx, *plan.NormalizedURLPath, plan.First, plan.Last); err != nil {
			return answer, err
		}
		plan = plan.ofPage()
	}
	switch {
	case plan.Totals != nil && plan.Totals.Column != "":
		return answer, answer.fromSizes(ctx, set, plan)
	case req.PerPage < StreamFrom:
		return answer, answer.atOnce(ctx, set, plan)
	}
	if err := answer.count(ctx, set, plan); err != nil {
		return answer, err
	}
	return answer, answer.fill(ctx, set, plan)
}

// count counts all rows, part by part.
func (p *TimeseriesPage) count(ctx context.Context, set facts.Set, plan timeseriesPlan) error {
	for part := range plan.parts(set) {
		n, err := countRows(ctx, set, part)
		if err != nil {
			return err
		}
		p.TotalItems += n
	}
	return nil
}

func countRows(ctx context.Context, set facts.Set, plan timeseriesPlan) (n int64, err error) {
	err = collect(ctx, set, "timeseries_count.sql", plan.window, plan, func(scan facts.Scan) error {
		return scan((*facts.Int)(&n))
	})
	return n, err
}

// atOnce reads a page together with the number of all rows, part by part.
func (p *TimeseriesPage) atOnce(ctx context.Context, set facts.Set, plan timeseriesPlan) error {
	for part := range plan.parts(set) {
		part.Offset = max(0, plan.Offset-p.TotalItems)
		part.Limit = plan.Limit - int64(len(p.Items))
		n, err := p.readPart(ctx, set, part)
		if err != nil {
			return err
		}
		p.TotalItems += n
	}
	paginate(&p.TimeseriesResponse)
	return nil
}

// ahead is how many rows are read past a page to find out how many there are,
// where an engine cannot say: a second query would cost more.
const ahead = 2_000

// readPart takes the rows of a part that belong to the page, and returns how many
// rows the part has. Rows tell that number if the engine can do that; where none
// is taken, none tells it.
func (p *TimeseriesPage) readPart(ctx context.Context, set facts.Set, part timeseriesPlan) (n int64, err error) {
	part.WithTotal = set.Dialect().CountOver(part.union()) != ""
	read := part
	if !part.WithTotal {
		read.Limit = min(part.Limit+ahead, math.MaxInt64-part.Offset)
	}
	var rows int64
	if part.Limit > 0 {
		err := seriesRows(ctx, set, read, &n, func(r *seriesRow) error {
			if rows++; rows > part.Limit {
				return nil
			}
			return p.take(r)
		})
		if err != nil {
			return 0, err
		}
	}
	switch {
	case part.WithTotal && rows > 0:
		return n, nil
	case part.Limit > 0 && rows < read.Limit && (rows > 0 || part.Offset == 0): // the rows end here
		return part.Offset + rows, nil
	}
	return countRows(ctx, set, part)
}

// fill reads the items of the page, or arranges for them to be streamed. The
// number of all rows is known.
func (p *TimeseriesPage) fill(ctx context.Context, set facts.Set, plan timeseriesPlan) error {
	paginate(&p.TimeseriesResponse)
	if p.CurrentPage > p.TotalPages {
		return nil
	}
	if min(p.PerPage, p.TotalItems-(p.CurrentPage-1)*p.PerPage) < StreamFrom {
		return rowsOfParts(ctx, set, plan, p.take)
	}
	again := set.Again()
	p.set = again
	p.stream = func(each func(*api.TimeseriesItem) error) error {
		return rowsOfParts(ctx, again, plan, func(r *seriesRow) error { return each(r.item(p.req)) })
	}
	return nil
}

// rowsOfParts reads the rows of a page, part by part.
func rowsOfParts(ctx context.Context, set facts.Set, plan timeseriesPlan, each func(*seriesRow) error) error {
	skip, left := plan.Offset, plan.Limit
	for part := range plan.parts(set) {
		if left == 0 {
			return nil
		}
		part.Offset, part.Limit = skip, left
		var taken int64
		err := seriesRows(ctx, set, part, nil, func(r *seriesRow) error {
			taken++
			return each(r)
		})
		if err != nil {
			return err
		}
		left -= taken
		if taken > 0 {
			skip = 0
			continue
		}
		n, err := countRows(ctx, set, part)
		if err != nil {
			return err
		}
		skip -= min(skip, n)
	}
	return nil
}

func (p *TimeseriesPage) take(r *seriesRow) error {
	p.Items = append(p.Items, *r.item(p.req))
	return nil
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
