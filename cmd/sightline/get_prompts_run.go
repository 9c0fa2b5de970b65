package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/insight"
	"github.com/sightline-hq/sightline/internal/show"
)

func (a *app) runPrompts(c *cobra.Command, o *getOptions, p *promptFlags, report promptReport) error {
	bucket := api.Interval("")
	if report.series {
		bucket = api.Day
	}
	window, err := p.window(c, bucket)
	if err != nil {
		return err
	}
	from, err := a.connect(c, o)
	if err != nil {
		return err
	}
	product, r, err := p.request(c, from, o.product, window)
	if err != nil {
		return friendly(err)
	}
	more := p.compare || o.output != "json"
	answer, tables, err := report.ask(c.Context(), from, product, r, more)
	if err != nil {
		return friendly(err)
	}
	if report.order != nil {
		answer, tables = report.order(answer)
	}
	s := shown{
		heading: fmt.Sprintf("%s of %s, %s", report.title, r.Domain, spell(window)),
		answer:  as(answer), tables: tables, none: report.none != nil && report.none(answer),
		nothing: func() string {
			return fmt.Sprintf("No data for %s, %s%s.", show.Printable(r.Domain), spell(window), narrowed(c, promptPlatforms(c, from, product, r)))
		},
	}
	if p.compare {
		if err := s.comparePrompts(c.Context(), from, product, r, report); err != nil {
			return friendly(err)
		}
	}
	if report.series {
		s.trends = trendsOf(tables[0], window, api.Day)
	}
	return a.print(o, s)
}

// request fills in what the flags do not say.
func (p *promptFlags) request(c *cobra.Command, from *client.Client, product int64, window api.Window) (int64, api.PromptsRequest, error) {
	r := api.PromptsRequest{Domain: p.domain, Window: window, Platforms: p.platforms}
	if product == 0 || r.Domain == "" {
		found, err := findProduct(c.Context(), c, from, product)
		if err != nil {
			return 0, r, err
		}
		product, r.Domain = found.ID, cmp.Or(p.domain, found.Domain)
	}
	var err error
	r.LabelIDs, err = labelIDs(c, from, product, r, p.labels)
	return product, r, err
}

// comparePrompts puts the period before beside the period of a request. The days
// with runs, which no other report names, say how much of it has data.
func (s *shown) comparePrompts(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, report promptReport) error {
	window := r.Window
	r.Window = insight.Before(window)
	_, before, err := report.ask(ctx, from, product, r, true)
	if err != nil {
		return err
	}
	if err := s.against(before, window, report.cut == nil || !report.cut()); err != nil {
		return err
	}
	if report.sort != nil {
		if err := report.sort(s.tables); err != nil {
			return err
		}
	}
	if report.series {
		s.remarks = append(s.remarks, "No change is marked as chance (~): the API does not say how many runs a day had.")
	}
	r.Window = api.Window{From: r.Window.From, To: window.To}
	days, err := from.PromptDates(ctx, product, r)
	if err != nil {
		return err
	}
	s.remarks = append(s.remarks, insight.Covered(insight.Before(window), api.Day, daysOf(days)).Note())
	return nil
}

func daysOf(rows []api.DailyPromptMetric) (days []time.Time) {
	for _, row := range rows {
		if t, err := api.ParseTime(row.Date); err == nil {
			days = append(days, t)
		}
	}
	return days
}

// against compares the tables of a report with those of the period before.
func (s *shown) against(before []show.Table, window api.Window, gone bool) (err error) {
	if len(before) != len(s.tables) {
		return errors.New("the server does not answer with the groupings that were asked for")
	}
	for i, t := range s.tables {
		if s.tables[i], err = show.Compare(t, before[i], insight.Length(window), gone); err != nil {
			return err
		}
	}
	s.periods = &periods{window, insight.Before(window)}
	s.heading += "\nagainst " + spell(s.periods.Before)
	return nil
}

func trendsOf(t show.Table, window api.Window, bucket api.Interval) func([]show.Row) (show.Table, bool) {
	return func(rows []show.Row) (show.Table, bool) {
		return show.Trends(t, rows, window, insight.Bucket(bucket))
	}
}
