package main

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/insight"
	"github.com/sightline-hq/sightline/internal/show"
)

// Completion asks the server for what it knows: products, platforms, labels,
// websites. It must neither wait nor fail, so what cannot be had is left out.

// completeTime is how long a person waits for a completion.
const completeTime = 2 * time.Second

// commonPlatforms are the values that the contract names.
var commonPlatforms = []string{"openai", "gemini", "google", "perplexity", "google_ai_overviews", "claude"}

type completion = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

func complete(c *cobra.Command, flag string, f completion) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // a flag that does not exist
	}
}

func fixed(values ...string) completion {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

func texts[T ~string](values []T) (all []string) {
	for _, v := range values {
		all = append(all, string(v))
	}
	return all
}

// asking makes a completion of what a server says. Fallback is always there.
func (a *app) asking(o *getOptions, fallback []string, ask func(context.Context, *client.Client) ([]string, error)) completion {
	return func(c *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(c.Context(), completeTime)
		defer cancel()
		values := slices.Clone(fallback)
		if a.fromEnvironment(c.Flags()) == nil {
			if from, err := a.connect(c, o, client.WithMaxAttempts(1)); err == nil {
				if found, err := ask(ctx, from); err == nil {
					values = append(values, found...)
				}
			}
		}
		slices.Sort(values)
		return slices.Compact(values), cobra.ShellCompDirectiveNoFileComp
	}
}

func (a *app) completeProducts(o *getOptions) completion {
	return a.asking(o, nil, func(ctx context.Context, from *client.Client) (values []string, err error) {
		products, err := from.Products(ctx)
		for _, p := range products {
			values = append(values, described(strconv.FormatInt(p.ID, 10), p.Name))
		}
		return values, err
	})
}

func (a *app) completeDomains(o *getOptions) completion {
	return a.asking(o, nil, func(ctx context.Context, from *client.Client) (values []string, err error) {
		products, err := from.Products(ctx)
		for _, p := range products {
			if o.product == 0 || p.ID == o.product {
				values = append(values, described(p.Domain, p.Name))
			}
		}
		return values, err
	})
}

// described is a value with what it stands for, which shells show beside it.
func described(value, name string) string {
	return show.Printable(value) + "\t" + show.Printable(name)
}

// prompts are the tracked ones of the product on the command line.
func prompts(ctx context.Context, o *getOptions, from *client.Client) ([]api.PromptMetric, error) {
	p, err := findProduct(ctx, &cobra.Command{}, from, o.product)
	if err != nil {
		return nil, err
	}
	return from.Prompts(ctx, p.ID, api.PromptsRequest{Domain: p.Domain, Window: insight.Usual(time.Now())})
}

func (a *app) completePlatforms(o *getOptions) completion {
	return a.asking(o, commonPlatforms, func(ctx context.Context, from *client.Client) (values []string, err error) {
		rows, err := prompts(ctx, o, from)
		for _, r := range rows {
			values = append(values, show.Printable(r.Platform))
		}
		return values, err
	})
}

func (a *app) completeLabels(o *getOptions) completion {
	return a.asking(o, nil, func(ctx context.Context, from *client.Client) (values []string, err error) {
		rows, err := prompts(ctx, o, from)
		for _, r := range rows {
			for _, l := range r.Labels {
				values = append(values, described(strconv.FormatInt(l.ID, 10), l.Name))
			}
		}
		return values, err
	})
}

// completeTraffic completes the flags of the timeseries.
func (a *app) completeTraffic(c *cobra.Command, o *getOptions) {
	complete(c, "interval", fixed(texts(api.Intervals)...))
	complete(c, "metric", fixed(texts(api.Metrics)...))
	complete(c, "group-by", fixed(texts(api.Dimensions)...))
	complete(c, "website", a.asking(o, nil, func(ctx context.Context, from *client.Client) (values []string, err error) {
		p, err := findProduct(ctx, c, from, o.product)
		if err != nil {
			return nil, err
		}
		websites, err := from.Websites(ctx, p.ID)
		for _, w := range websites {
			values = append(values, described(w.WebsiteID, w.Domain))
		}
		return values, err
	}))
	complete(c, "platform", known(func(agent agents.Agent) string { return agent.Platform }, api.PlatformNone, api.PlatformOther))
	complete(c, "bot-type", known(func(agent agents.Agent) string { return described(agent.BotType, agent.Platform) }, api.BotTypeNone, api.BotTypeOther))
}

// known completes from the table of agents: a server cannot be asked for them.
func known(name func(agents.Agent) string, others ...string) completion {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		values := slices.Clone(others)
		for _, agent := range agents.Default().Agents() {
			values = append(values, name(agent))
		}
		slices.Sort(values)
		return slices.Compact(values), cobra.ShellCompDirectiveNoFileComp
	}
}
