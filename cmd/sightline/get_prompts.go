package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
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
				answer: as(products), tables: []show.Table{show.Products(products)}, nothing: saying("The key reaches no products."),
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
				answer: as(websites), tables: []show.Table{show.Websites(websites)}, nothing: saying("No website of the product is tracked."),
			})
		},
	}
	a.productFlag(c, o)
	return c
}

// as is an answer that is there.
func as(v any) func() (any, error) { return func() (any, error) { return v, nil } }

func saying(s string) func() string { return func() string { return s } }

// promptReport is one of the reports on prompts: how it is asked for, and how
// it is shown.
type promptReport struct {
	title  string
	series bool        // has a row for each day
	cut    func() bool // has only the first of its rows; nil: never
	// order puts an answer in the order that was asked for, and cuts it. The period
	// before stays whole: what is on top now need not have been.
	order func(answer any) (any, []show.Table)
	// sort is for an order that only a comparison has.
	sort func([]show.Table) error
	// none tells of an answer with rows that there are no figures in it.
	none func(answer any) bool
	// ask returns the answer and its tables. More is asked for what only people
	// and tables want to know.
	ask func(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, more bool) (any, []show.Table, error)
}

func (a *app) getPrompts(o *getOptions) *cobra.Command {
	var order promptOrder
	c := a.promptCommand(o, &cobra.Command{
		Use:   "prompts",
		Short: "Visibility, position and rank for each prompt and platform",
	}, promptReport{
		title: "Prompts", cut: func() bool { return order.top > 0 }, sort: order.compared,
		order: func(answer any) (any, []show.Table) {
			rows := order.apply(answer.([]api.PromptMetric))
			return rows, []show.Table{show.Prompts(rows)}
		},
		ask: func(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, _ bool) (any, []show.Table, error) {
			rows, err := from.Prompts(ctx, product, r)
			return rows, []show.Table{show.Prompts(rows)}, err
		},
		none: func(answer any) bool { return show.Runs(answer.([]api.PromptMetric)) == nil },
	})
	order.add(c)
	return c
}

func (a *app) getSummary(o *getOptions) *cobra.Command {
	return a.promptCommand(o, &cobra.Command{
		Use:   "summary",
		Short: "Visibility, position and rank over all prompts",
	}, promptReport{title: "Summary", ask: askSummary,
		none: func(answer any) bool { return answer.(api.PromptSummary).Visibility == nil }})
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
	var top int64
	c := &cobra.Command{
		Use:   "citations",
		Short: "What AI answers cite, by domain, page and product",
	}
	grouping := api.GroupAll
	report := promptReport{title: "Citations", cut: func() bool { return top > 0 }}
	report.ask = func(ctx context.Context, from *client.Client, product int64, r api.PromptsRequest, _ bool) (any, []show.Table, error) {
		answer, err := from.Citations(ctx, product, api.CitationsRequest{PromptsRequest: r, GroupBy: grouping})
		return answer, show.Citations(answer), err
	}
	report.order = func(answer any) (any, []show.Table) {
		a := answer.(api.CitationResponse)
		a.ByProperty, a.ByPage, a.ByProduct = first(a.ByProperty, top), first(a.ByPage, top), first(a.ByProduct, top)
		return a, show.Citations(a)
	}
	a.promptCommand(o, c, report)
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if err := atLeastOne(c, "top", top); err != nil {
			return err
		}
		if alias, ok := api.CitationGroupingAliases[groupBy]; ok {
			grouping = alias
		} else if grouping, err = oneOf(c, "group-by", groupBy, api.CitationGroupings); err != nil {
			return err
		}
		return run(c, args)
	}
	c.Flags().StringVar(&groupBy, "group-by", string(api.GroupAll), "`GROUPING`: all, property (domain), page or product")
	c.Flags().Int64Var(&top, "top", 0, "only the `N` most cited of each grouping (default all)")
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
