package main

import (
	"fmt"
	"iter"
	"strings"
	"time"

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
	allPages, total         bool
}

func (a *app) getTimeseries(o *getOptions) *cobra.Command {
	var t trafficFlags
	c := &cobra.Command{
		Use:   "timeseries",
		Short: "Visits of AI agents and of the people they send, by day or week",
		Long: `Visits of AI agents and of the people they send, by day or week.

The first metric is the one that rows are ordered by, --top counts by and the bars
show. Without --all-pages it is one page; --compare and --total read all of them.

--total adds up the whole period, with a row for each group: which agents came, over
all of it. Only visits add up. Whoever comes on two days is one visitor, so distinct
counts (unique_…, bot_user_agents) of days cannot be added up; ask for them by week.

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
	f.BoolVar(&t.total, "total", false, "the sums of the whole period instead of days or weeks; for metrics that count visits")
	a.completeTraffic(c, o)
	return c
}

// request checks the flags.
func (t *trafficFlags) request(c *cobra.Command) (r api.TimeseriesRequest, err error) {
	given := c.Flags().Changed
	for name, n := range map[string]int64{"page": t.page, "per-page": t.perPage, "top": t.top} {
		if err := atLeastOne(c, name, n); err != nil {
			return r, err
		}
	}
	t.allPages = t.allPages || t.compare || t.total
	switch {
	case t.allPages && given("page"):
		return r, wrong(c, "reads all pages with --all-pages, --compare and --total: leave --page out")
	case t.total && given("interval"):
		return r, wrong(c, "has either --total, the whole period, or --interval")
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
	if err := t.addUp(c, &r); err != nil {
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
	bucket := r.Interval
	if t.total {
		bucket = "" // any two periods of equal length can be compared
	}
	r.Window, err = t.window(c, bucket)
	return r, err
}

// addUp makes a request one whose rows are added up: weeks are the fewest rows,
// and the first of each say nothing of the whole.
func (t *trafficFlags) addUp(c *cobra.Command, r *api.TimeseriesRequest) error {
	if !t.total {
		return nil
	}
	r.Interval, r.TopLimit = api.Week, 0
	for _, m := range r.Metrics {
		if !show.Additive(m) {
			return wrong(c, fmt.Sprintf("adds up visits with --total, not %s: what is counted on two days would count twice", m))
		}
	}
	return nil
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
		nothing: func() string {
			return fmt.Sprintf("No visits, %s%s.", spell(r.Window), narrowed(c, trafficPlatforms()))
		},
		objects: t.total,
	}
	if !t.total {
		s.remarks = append(s.remarks, insight.Partial(r.Window, r.Interval))
	}
	whole := t.allPages
	times := new([]time.Time)
	if t.allPages {
		rows := noting(from.TimeseriesRows(c.Context(), product, r), times)
		s.tables = []show.Table{t.table(r, rows, t.top)}
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
	s.heading = fmt.Sprintf("Traffic of %s, %s", trafficOf(c, o, from, product), spell(r.Window))
	if whole && r.TopLimit == 0 && !t.total { // a gap would be a row that was not on top
		s.trends = trendsOf(s.tables[0], r.Window, r.Interval)
	}
	if t.compare {
		before := r
		before.Window = insight.Before(r.Window)
		before.TopLimit = 0 // what is on top now need not have been
		old := t.table(before, noting(from.TimeseriesRows(c.Context(), product, before), times), 0)
		if err := s.against([]show.Table{old}, r.Window, t.top == 0); err != nil {
			return friendly(err)
		}
		s.remarks = append(s.remarks, insight.Covered(before.Window, r.Interval, *times).Note())
	}
	return a.print(o, s)
}

// table is the rows of a series, or their sums.
func (t *trafficFlags) table(r api.TimeseriesRequest, rows iter.Seq2[api.TimeseriesItem, error], top int64) show.Table {
	if t.total {
		return show.Totals(r, rows, top)
	}
	return show.Timeseries(r, rows)
}

// trafficOf names the product. Its name is for people, and not worth a failure.
func trafficOf(c *cobra.Command, o *getOptions, from *client.Client, product int64) string {
	if o.output == outputs[0] {
		if p, err := findProduct(c.Context(), c, from, product); err == nil {
			return p.Name
		}
	}
	return fmt.Sprintf("product %d", product)
}

// noting keeps the times of rows that go by.
func noting(rows iter.Seq2[api.TimeseriesItem, error], times *[]time.Time) iter.Seq2[api.TimeseriesItem, error] {
	return func(yield func(api.TimeseriesItem, error) bool) {
		for item, err := range rows {
			if t, wrong := api.ParseTime(item.Timestamp); err == nil && wrong == nil {
				if n := len(*times); n == 0 || !(*times)[n-1].Equal(t) {
					*times = append(*times, t)
				}
			}
			if !yield(item, err) {
				return
			}
		}
	}
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
