package main

import (
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/insight"
	"github.com/sightline-hq/sightline/internal/show"
)

// trafficFlags are the parameters of the timeseries.
type trafficFlags struct {
	windowFlags
	website, interval, path string
	metrics, groupBy        []string
	platforms, botTypes     []string
	page, perPage, top      int64
	allPages                bool
}

func (a *app) getTimeseries(o *getOptions) *cobra.Command {
	var t trafficFlags
	c := &cobra.Command{
		Use:   "timeseries",
		Short: "Visits of AI agents and of the people they send, by day or week",
		Long: `Visits of AI agents and of the people they send, by day or week.

The first metric is the one that rows are ordered by, --top counts by and the bars
show. Without --all-pages it is one page; --compare reads all of them.

Metrics:
  ` + strings.Join(texts(api.Metrics), "\n  "),
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.runTimeseries(c, o, &t) },
	}
	a.productFlag(c, o)
	t.add(c)
	f := c.Flags()
	f.StringVar(&t.website, "website", "", "`ID` of a website (default: all of the product)")
	f.StringVar(&t.interval, "interval", string(api.Day), "`LENGTH` of a row's time: day or week")
	f.StringSliceVar(&t.metrics, "metric", []string{string(api.BotVisits)}, "`METRIC` to count; may be repeated")
	f.StringSliceVar(&t.groupBy, "group-by", nil, "a row for each `DIMENSION`: platform, botType, urlPath, normalizedUrlPath or urlPathDirectory; may be repeated")
	f.StringSliceVar(&t.platforms, "platform", nil, "only this `PLATFORM`; may be repeated")
	f.StringSliceVar(&t.botTypes, "bot-type", nil, "only this bot `TYPE`, such as gptbot; may be repeated")
	f.StringVar(&t.path, "path", "", "only this `PAGE`, such as /pricing")
	f.Int64Var(&t.page, "page", api.DefaultPage, "`N`-th page")
	f.Int64Var(&t.perPage, "per-page", api.DefaultPerPage, "`N` rows a page")
	f.Int64Var(&t.top, "top", 0, "only the first `N` rows of each day or week (default all)")
	f.BoolVar(&t.allPages, "all-pages", false, "all rows, not one page")
	a.completeTraffic(c, o)
	return c
}

// request checks the flags.
func (t *trafficFlags) request(c *cobra.Command) (r api.TimeseriesRequest, err error) {
	given := c.Flags().Changed
	for name, n := range map[string]int64{"page": t.page, "per-page": t.perPage, "top": t.top} {
		if n < 1 && given(name) {
			return r, wrong(c, fmt.Sprintf("has --%s of at least 1", name))
		}
	}
	t.allPages = t.allPages || t.compare
	if t.allPages && given("page") {
		return r, wrong(c, "reads all pages with --all-pages and --compare: leave --page out")
	}
	r = api.TimeseriesRequest{Platforms: t.platforms, BotTypes: t.botTypes, TopLimit: t.top}
	if r.Interval, err = oneOf(c, "interval", t.interval, api.Intervals); err != nil {
		return r, err
	}
	if r.Metrics, err = someOf(c, "metric", t.metrics, api.Metrics); err != nil {
		return r, err
	}
	if r.GroupBy, err = someOf(c, "group-by", t.groupBy, api.Dimensions); err != nil {
		return r, err
	}
	if given("website") {
		r.WebsiteID = &t.website
	}
	if given("path") {
		r.URLPath = &t.path
	}
	if !t.allPages {
		r.Page = t.page
	}
	if !t.allPages || given("per-page") {
		r.PerPage = t.perPage
	}
	r.Window, err = t.window(c, r.Interval)
	return r, err
}

// connectTo makes a client, and finds the product where none was named.
func (a *app) connectTo(c *cobra.Command, o *getOptions) (*client.Client, int64, error) {
	from, err := a.connect(c, o)
	if err != nil || o.product != 0 {
		return from, o.product, err
	}
	p, err := findProduct(c.Context(), c, from, 0)
	return from, p.ID, friendly(err)
}

func (a *app) runTimeseries(c *cobra.Command, o *getOptions, t *trafficFlags) error {
	r, err := t.request(c)
	if err != nil {
		return err
	}
	from, product, err := a.connectTo(c, o)
	if err != nil {
		return err
	}
	s := shown{
		heading: fmt.Sprintf("Traffic of product %d, %s", product, spell(r.Window)),
		nothing: fmt.Sprintf("No visits, %s%s.", spell(r.Window), narrowed(c)),
	}
	whole := t.allPages
	if t.allPages {
		rows := from.TimeseriesRows(c.Context(), product, r)
		s.tables = []show.Table{show.Timeseries(r, rows)}
		s.answer = func() (any, error) { return onePage(rows) }
	} else {
		page, err := from.Timeseries(c.Context(), product, r)
		if err != nil {
			return friendly(err)
		}
		s.tables = []show.Table{show.Timeseries(r, each(page.Items))}
		s.answer = as(page)
		whole = page.TotalPages <= 1 && page.CurrentPage == 1
		s.note = pageNote(page)
	}
	if whole && r.TopLimit == 0 { // a gap would be a row that was not on top
		s.trends = trendsOf(s.tables[0], r.Window, r.Interval)
	}
	if t.compare {
		before := r
		before.Window = insight.Before(r.Window)
		before.TopLimit = 0 // what is on top now need not have been
		old := show.Timeseries(before, from.TimeseriesRows(c.Context(), product, before))
		if err := s.against([]show.Table{old}, r.Window, r.TopLimit == 0); err != nil {
			return friendly(err)
		}
	}
	return a.print(o, s)
}

// pageNote says that there is more.
func pageNote(p api.TimeseriesResponse) string {
	switch {
	case p.TotalPages == 0, p.TotalPages == 1 && p.CurrentPage == 1:
		return ""
	case p.CurrentPage > p.TotalPages:
		return fmt.Sprintf("There is no page %d: the last is %d.", p.CurrentPage, p.TotalPages)
	}
	return fmt.Sprintf("Page %d of %d, %d rows in all: --all-pages has them all, --page N another page.", p.CurrentPage, p.TotalPages, p.TotalItems)
}

func each(items []api.TimeseriesItem) iter.Seq2[api.TimeseriesItem, error] {
	return func(yield func(api.TimeseriesItem, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// onePage is all rows as the one page that they would be.
func onePage(rows iter.Seq2[api.TimeseriesItem, error]) (p api.TimeseriesResponse, err error) {
	p = api.TimeseriesResponse{CurrentPage: 1, Items: []api.TimeseriesItem{}}
	for item, err := range rows {
		if err != nil {
			return p, err
		}
		p.Items = append(p.Items, item)
	}
	n := int64(len(p.Items))
	p.TotalItems, p.TotalPages, p.PerPage = n, min(n, 1), max(n, 1)
	return p, nil
}
