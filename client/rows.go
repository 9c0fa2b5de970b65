package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/sightline-hq/sightline/api"
)

// rowsPerPage is what TimeseriesRows asks for unless the request says
// otherwise: few requests, and little to repeat when one fails.
const rowsPerPage = 1000

// TimeseriesRows returns the rows of all pages, from the request's page on,
// which is the first unless it says otherwise. A page is fetched when its first
// row is wanted, and held until its last was; PerPage is 1000 unless the
// request says otherwise. Leaving the loop early is fine. Ranging over the
// result again asks the server again.
//
// An error comes once, with a zero row, and is the last. Pages are numbered, not
// remembered by the server: data that is loaded meanwhile can shift rows between
// them. If totalItems, totalPages or perPage are not the same on all pages, the
// error is ErrChanged. A change that leaves them alone is not seen; a report that
// must be of one moment is one large page of Timeseries.
func (c *Client) TimeseriesRows(ctx context.Context, product int64, r api.TimeseriesRequest) iter.Seq2[api.TimeseriesItem, error] {
	return func(yield func(api.TimeseriesItem, error) bool) {
		w := walk{next: r.Page}
		if w.next == 0 {
			w.next = api.DefaultPage
		}
		for !w.done {
			p, err := c.Timeseries(ctx, product, w.request(r))
			if err == nil {
				err = w.take(p)
			}
			if err != nil {
				yield(api.TimeseriesItem{}, err)
				return
			}
			for _, row := range p.Items {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

// walk goes from page to page.
type walk struct {
	next        int64
	begun, done bool
	totals      [3]int64 // the same on all pages of one report
}

func (w *walk) request(r api.TimeseriesRequest) api.TimeseriesRequest {
	r.Page = w.next
	if r.PerPage == 0 {
		r.PerPage = rowsPerPage
	}
	return r
}

// take checks a page against the one before. A server that sends pages in
// circles is not followed.
func (w *walk) take(p api.TimeseriesResponse) error {
	totals := [3]int64{p.TotalItems, p.TotalPages, p.PerPage}
	switch {
	case w.begun && totals != w.totals:
		return fmt.Errorf("page %d of the timeseries: %w", w.next, ErrChanged)
	case p.CurrentPage != w.next:
		return fmt.Errorf("page %d of the timeseries: the server sent page %d", w.next, p.CurrentPage)
	case p.NextPage == nil:
		w.done = true
	case *p.NextPage != w.next+1:
		return fmt.Errorf("page %d of the timeseries: the server calls page %d the next", w.next, *p.NextPage)
	default:
		w.next++
	}
	w.begun, w.totals = true, totals
	return nil
}
