package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

// series is a timeseries of numbered rows, page by page; change sees each page
// before it is sent.
func series(rows int64, change func(page *api.TimeseriesResponse)) *transport {
	return &transport{answer: func(_ int, r *http.Request) (*http.Response, error) {
		q, err := api.DecodeTimeseries(r.URL.RawQuery)
		if err != nil {
			return reply(400, `{}`, api.HeaderErrorDetail, err.Error()), nil
		}
		page := api.TimeseriesResponse{
			CurrentPage: q.Page, PerPage: q.PerPage, TotalItems: rows, TotalPages: (rows + q.PerPage - 1) / q.PerPage,
			Items: []api.TimeseriesItem{},
		}
		if q.Page < page.TotalPages {
			page.NextPage = ptr(q.Page + 1)
		}
		for n := (q.Page - 1) * q.PerPage; n < min(rows, q.Page*q.PerPage); n++ {
			page.Items = append(page.Items, api.TimeseriesItem{Timestamp: "2026-03-02T00:00:00Z", BotVisits: ptr(n)})
		}
		if change != nil {
			change(&page)
		}
		text, err := json.Marshal(page)
		return reply(200, string(text)), err
	}}
}

func ptr[T any](v T) *T { return &v }

// collect returns the numbers of all rows, and the error.
func collect(ctx context.Context, c *client.Client, r api.TimeseriesRequest) (numbers []int64, err error) {
	for row, e := range c.TimeseriesRows(ctx, 7, r) {
		if e != nil {
			err = errors.Join(err, e)
			continue // would show a second error
		}
		numbers = append(numbers, *row.BotVisits)
	}
	return numbers, err
}

func TestRowsOfAllPagesComeOnceAndInOrder(t *testing.T) {
	cases := []struct {
		name                string
		rows, page, perPage int64
		first, requests     int64
	}{
		{"no rows", 0, 0, 10, 0, 1},
		{"one page", 10, 0, 10, 0, 1},
		{"a last page of one row", 21, 0, 10, 0, 3},
		{"a row a page", 5, 0, 1, 0, 5},
		{"large pages unless asked otherwise", 2500, 0, 0, 0, 3},
		{"from a later page on", 45, 3, 10, 20, 3},
		{"past the end", 45, 9, 10, 45, 1},
		{"a page larger than all", 45, 0, math.MaxInt64 / 2, 0, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tr := series(c.rows, nil)
			cl := through(t, tr)
			for round := int64(1); round <= 2; round++ { // an iterator can be used again
				got, err := collect(t.Context(), cl, api.TimeseriesRequest{Window: march, Page: c.page, PerPage: c.perPage})
				if err != nil || int64(len(got)) != c.rows-c.first || tr.sent.Load() != c.requests*round {
					t.Fatalf("%d rows in %d requests, %v", len(got), tr.sent.Load(), err)
				}
				for i, n := range got {
					if n != c.first+int64(i) {
						t.Fatalf("row %d has number %d", i, n)
					}
				}
			}
		})
	}
}

func TestLeavingTheLoopAsksForNoFurtherPage(t *testing.T) {
	tr := series(100, nil)
	seen := 0
	for _, err := range through(t, tr).TimeseriesRows(t.Context(), 7, api.TimeseriesRequest{Window: march, PerPage: 10}) {
		if seen++; err != nil {
			t.Fatal(err)
		}
		if seen == 20 {
			break
		}
	}
	if seen != 20 || tr.sent.Load() != 2 {
		t.Errorf("%d rows, %d requests", seen, tr.sent.Load())
	}
}

func TestRowsEndWithOneError(t *testing.T) {
	onPage2 := func(change func(*api.TimeseriesResponse)) func(*api.TimeseriesResponse) {
		return func(p *api.TimeseriesResponse) {
			if p.CurrentPage == 2 {
				change(p)
			}
		}
	}
	cases := []struct {
		name    string
		change  func(*api.TimeseriesResponse)
		changed bool
		want    string
	}{
		{"a row more", onPage2(func(p *api.TimeseriesResponse) { p.TotalItems++ }), true, "page 2 of the timeseries: the data changed"},
		{"a page less", onPage2(func(p *api.TimeseriesResponse) { p.TotalPages-- }), true, "page 2 of the timeseries: the data changed"},
		{"other pages", onPage2(func(p *api.TimeseriesResponse) { p.PerPage = 5 }), true, "page 2 of the timeseries: the data changed"},
		{"another page", onPage2(func(p *api.TimeseriesResponse) { p.CurrentPage = 1 }), false, "the server sent page 1"},
		{"pages in a circle", onPage2(func(p *api.TimeseriesResponse) { p.NextPage = ptr[int64](1) }), false, "the server calls page 1 the next"},
		{"no items", onPage2(func(p *api.TimeseriesResponse) { p.Items = nil }), false, "no [ where one belongs"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tr := series(30, c.change)
			got, err := collect(t.Context(), through(t, tr), api.TimeseriesRequest{Window: march, PerPage: 10})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || errors.Is(err, client.ErrChanged) != c.changed {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if len(got) != 10 || tr.sent.Load() != 2 {
				t.Errorf("%d rows, %d requests", len(got), tr.sent.Load())
			}
		})
	}
}

func TestWrongRequestsEndTheRowsToo(t *testing.T) {
	for name, r := range map[string]api.TimeseriesRequest{
		"dateFrom: required": {}, "page: not a whole number": {Window: march, Page: -1},
	} {
		_, err := collect(t.Context(), through(t, series(30, nil)), r)
		if e := failed(t, err); e.Detail != name || !errors.Is(err, client.ErrBadRequest) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

func TestCancellingEndsTheRows(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tr := series(30, func(p *api.TimeseriesResponse) {
		if p.CurrentPage == 2 {
			cancel()
		}
	})
	got, err := collect(ctx, through(t, tr), api.TimeseriesRequest{Window: march, PerPage: 10})
	if len(got) != 20 || !errors.Is(err, context.Canceled) || tr.sent.Load() > 3 {
		t.Errorf("%d rows, %v", len(got), err)
	}
}

// Items may stand anywhere in a page, and fields that are not known yet are no error.
func TestPagesAreReadInAnyOrder(t *testing.T) {
	const want = `{"previousPage":1,"currentPage":2,"nextPage":null,"totalPages":2,"totalItems":21,"perPage":20,` +
		`"items":[{"timestamp":"2026-03-02T00:00:00Z","platform":"openai","botVisits":0}]}`
	for _, body := range []string{
		want,
		`{"items":[{"timestamp":"2026-03-02T00:00:00Z","platform":"openai","botVisits":0,"new":1}],"perPage":20,` +
			`"new":{"items":[1]},"totalItems":21,"totalPages":2,"nextPage":null,"currentPage":2,"previousPage":1}`,
	} {
		page, err := through(t, always(200, body)).Timeseries(t.Context(), 7, api.TimeseriesRequest{Window: march, Page: 2})
		text, _ := json.Marshal(page)
		if err != nil || string(text) != want {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
	}
	for _, body := range []string{`{}`, `[]`, `null`, `{"items":null}`, `{"items":[],"totalItems":"x"}`, `{"message":"hello"}`, fmt.Sprintf(`{"items":[%s]}`, `"x"`)} {
		tr := always(200, body)
		if page, err := through(t, tr).Timeseries(t.Context(), 7, api.TimeseriesRequest{Window: march}); err == nil || tr.sent.Load() != 1 {
			t.Errorf("%s was read as %+v in %d requests, %v", body, page, tr.sent.Load(), err)
		}
	}
}
