package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/insight"
	"github.com/sightline-hq/sightline/internal/show"
)

func (a *app) getProducts(o *getOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "products",
		Short: "The products that the key reaches",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			from, err := a.connect(c, o)
			if err != nil {
				return err
			}
			products, err := from.Products(c.Context())
			if err != nil {
				return friendly(err)
			}
			return a.print(o, shown{
				answer: as(products), tables: []show.Table{show.Products(products)}, nothing: "The key reaches no products.",
			})
		},
	}
}

func (a *app) getWebsites(o *getOptions) *cobra.Command {
	c := &cobra.Command{
		Use:   "websites",
		Short: "The tracked websites of a product",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			from, id, err := a.connectTo(c, o)
			if err != nil {
				return err
			}
			websites, err := from.Websites(c.Context(), id)
			if err != nil {
				return friendly(err)
			}
			return a.print(o, shown{
				answer: as(websites), tables: []show.Table{show.Websites(websites)}, nothing: "No website of the product is tracked.",
			})
		},
	}
	a.productFlag(c, o)
	return c
}

// as is an answer that is there.
func as(v any) func() (any, error) { return func() (any, error) { return v, nil } }

// promptReport is one of the reports on prompts: how it is asked for, and how
// it is shown.
type promptReport struct {
	title  string
	series bool // has a row for each day
	// ask returns the answer and its tables. More is asked for what only people
	// and tables want to know.
	ask func(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, more bool) (any, []show.Table, error)
}

func (a *app) getPrompts(o *getOptions) *cobra.Command {
	return a.promptCommand(o, &cobra.Command{
		Use:   "prompts",
		Short: "Visibility, position and rank for each prompt and platform",
	}, promptReport{title: "Prompts", ask: func(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, _ bool) (any, []show.Table, error) {
		rows, err := from.Prompts(ctx, product, r)
		return rows, []show.Table{show.Prompts(rows)}, err
	}})
}

func (a *app) getSummary(o *getOptions) *cobra.Command {
	return a.promptCommand(o, &cobra.Command{
		Use:   "summary",
		Short: "Visibility, position and rank over all prompts",
	}, promptReport{title: "Summary", ask: askSummary})
}

// askSummary also asks for the prompts, whose run counts say how sure the
// summary is: it has none of its own.
func askSummary(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, more bool) (any, []show.Table, error) {
	summary, err := from.PromptSummary(ctx, product, r)
	if err != nil || !more {
		return summary, nil, err
	}
	prompts, err := from.Prompts(ctx, product, r)
	return summary, []show.Table{show.Summary(summary, show.Runs(prompts))}, err
}

func (a *app) getDates(o *getOptions) *cobra.Command {
	return a.promptCommand(o, &cobra.Command{
		Use:   "dates",
		Short: "Visibility, position and rank day by day",
	}, promptReport{title: "Daily visibility", series: true, ask: func(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, _ bool) (any, []show.Table, error) {
		rows, err := from.PromptDates(ctx, product, r)
		return rows, []show.Table{show.Dates(rows)}, err
	}})
}

func (a *app) getCitations(o *getOptions) *cobra.Command {
	var groupBy string
	c := &cobra.Command{
		Use:   "citations",
		Short: "What AI answers cite, by domain, page and product",
	}
	grouping := api.GroupAll
	report := promptReport{title: "Citations", ask: func(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, _ bool) (any, []show.Table, error) {
		answer, err := from.Citations(ctx, product, api.CitationsRequest{PromptsRequest: r, GroupBy: grouping})
		return answer, show.Citations(answer), err
	}}
	a.promptCommand(o, c, report)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if alias, ok := api.CitationGroupingAliases[groupBy]; ok {
			grouping = alias
		} else if grouping, err = oneOf(c, "group-by", groupBy, api.CitationGroupings); err != nil {
			return err
		}
		return run(c, args)
	}
	c.Flags().StringVar(&groupBy, "group-by", string(api.GroupAll), "`GROUPING`: all, property (domain), page or product")
	complete(c, "group-by", fixed(texts(api.CitationGroupings)...))
	return c
}

// promptCommand makes a report on prompts a command.
func (a *app) promptCommand(o *getOptions, c *cobra.Command, report promptReport) *cobra.Command {
	var p promptFlags
	c.Args = noArgs
	c.RunE = func(c *cobra.Command, _ []string) error { return a.runPrompts(c, o, &p, report) }
	a.promptFlags(c, o, &p)
	return c
}

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
	r := api.PromptsRequest{Domain: p.domain, Window: window, Platforms: p.platforms, LabelIDs: p.labels}
	product := o.product
	if product == 0 || r.Domain == "" {
		found, err := findProduct(c.Context(), c, from, product)
		if err != nil {
			return friendly(err)
		}
		product, r.Domain = found.ID, cmp.Or(p.domain, found.Domain)
	}
	more := p.compare || o.output != "json"
	answer, tables, err := report.ask(c.Context(), from, product, r, more)
	if err != nil {
		return friendly(err)
	}
	s := shown{
		heading: fmt.Sprintf("%s of %s, %s", report.title, r.Domain, spell(window)),
		answer:  as(answer), tables: tables,
		nothing: fmt.Sprintf("No data for %s, %s%s.", show.Printable(r.Domain), spell(window), narrowed(c)),
	}
	if p.compare {
		r.Window = insight.Before(window)
		_, before, err := report.ask(c.Context(), from, product, r, more)
		if err != nil {
			return friendly(err)
		}
		if err := s.against(before, window, true); err != nil {
			return err
		}
	}
	if report.series {
		s.trends = trendsOf(tables[0], window, api.Day)
	}
	return a.print(o, s)
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
