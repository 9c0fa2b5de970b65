package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/show"
)

const getLong = `Ask any server of the API, and show the answer.

The key is taken from the environment variable SIGHTLINE_API_KEY or from a file
(--api-key-file): on a command line, other users of the machine would see it.

On a terminal a report is a table with bars and sparklines; for a pipe it is a
plain table. --output has other forms:

  json      the answer of the API, as it is
  ndjson    an object for each row
  csv       for spreadsheets; a text that looks like a formula gets an apostrophe
  markdown  for documents

A visibility is shown with the range that holds the true one in 95 of 100 cases,
from the number of runs (Wilson's interval).`

// getOptions are what all reports share.
type getOptions struct {
	baseURL  string
	keyFile  string
	output   string
	attempts int
	timeout  time.Duration
	product  int64
}

func (a *app) get() *cobra.Command {
	o := &getOptions{}
	c := group("get", "Ask a server for a report: table, JSON, CSV, Markdown",
		a.getProducts(o), a.getWebsites(o), a.getPrompts(o), a.getSummary(o), a.getDates(o), a.getCitations(o), a.getTimeseries(o))
	c.Long = getLong
	f := c.PersistentFlags()
	f.StringVar(&o.baseURL, "base-url", "http://127.0.0.1:8080", "address of the server, a `URL`")
	f.StringVar(&o.keyFile, "api-key-file", "", "`FILE` with the API key, - for standard input (default: the variable SIGHTLINE_API_KEY)")
	f.StringVarP(&o.output, "output", "o", outputs[0], "`FORM`: "+strings.Join(outputs, ", "))
	f.IntVar(&o.attempts, "attempts", 3, "how often to try if the server fails, a number `N`")
	f.DurationVar(&o.timeout, "timeout", client.DefaultTotalTime, "how long to wait for an answer, all attempts together")
	complete(c, "output", fixed(outputs...))
	return c
}

// productFlag is for the reports of one product.
func (a *app) productFlag(c *cobra.Command, o *getOptions) {
	c.Flags().Int64Var(&o.product, "product", 0, "`ID` of the product (default: the only one of the key)")
	complete(c, "product", a.completeProducts(o))
}

// connect makes the client.
func (a *app) connect(c *cobra.Command, o *getOptions, options ...client.Option) (*client.Client, error) {
	if name := emptyFlag(c); name != "" {
		return nil, wrong(c, "has an empty --"+name+": leave it out, or say what it is")
	}
	switch {
	case !slices.Contains(outputs, o.output):
		return nil, wrong(c, fmt.Sprintf("has --output %s, not %q", strings.Join(outputs, ", "), o.output))
	case c.Flags().Changed("product") && o.product < 1:
		return nil, wrong(c, "has --product with the id of a product, such as 101")
	case o.attempts < 1:
		return nil, wrong(c, "has --attempts of at least 1")
	case o.timeout <= 0:
		return nil, wrong(c, "has a --timeout longer than zero, such as 30s")
	}
	key, err := a.apiKey(o.keyFile)
	if err != nil {
		return nil, err
	}
	options = append([]client.Option{
		client.WithMaxAttempts(o.attempts), client.WithTotalTime(o.timeout), client.WithUserAgent("sightline-get"),
	}, options...)
	made, err := client.New(o.baseURL, key, options...)
	if err != nil {
		return nil, clientError(err)
	}
	return made, nil
}

// emptyFlag finds a flag that was given without a value. An empty filter is
// more likely a variable that was not set than a wish for everything.
func emptyFlag(c *cobra.Command) (name string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if text := f.Value.String(); f.Changed && (text == "" || text == "[]") {
			name = f.Name
		}
	})
	return name
}

// findProduct is the product that was asked for, or the only one there is.
func findProduct(ctx context.Context, c *cobra.Command, from *client.Client, id int64) (api.Product, error) {
	all, err := from.Products(ctx)
	if err != nil {
		return api.Product{}, err
	}
	var known []string
	for _, p := range all {
		if p.ID == id || id == 0 && len(all) == 1 {
			return p, nil
		}
		known = append(known, fmt.Sprintf("%d %s", p.ID, show.Printable(p.Name)))
	}
	const most = 10
	if more := len(known) - most; more > 0 {
		known = append(known[:most], fmt.Sprintf("and %d more ('sightline get products')", more))
	}
	switch list := strings.Join(known, ", "); {
	case len(all) == 0:
		return api.Product{}, errors.New("the key reaches no product: add some to the workspace of its team, and apply it")
	case id == 0:
		return api.Product{}, wrong(c, "needs --product: the key reaches "+list)
	default:
		return api.Product{}, usageError{fmt.Errorf("the key reaches no product %d, but %s", id, list)}
	}
}
