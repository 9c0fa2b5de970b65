package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/check"
)

const checkLong = `Test the contract against a running server, from outside: answers without a key, wrong
parameters, shapes of answers, pages, and laws between answers, such as that a week's
counts are the sum of its days. It only reads, and needs a key of the server.

With a key of another team (--second-key-file), it also tests that neither sees what is
the other's. Choose a window in which nothing is being loaded: laws compare answers.

Exit code 0: everything that applies passed. 1: something failed, was left out for want
of requests, or nothing could be checked.`

// checkOptions are the flags of check.
type checkOptions struct {
	check.Options
	keyFile, secondFile string
	from, to            string
	output, junit       string
}

func (a *app) check() *cobra.Command {
	var o checkOptions
	c := &cobra.Command{
		Use:   "check --base-url URL",
		Short: "Test the contract against any server, from outside",
		Long:  checkLong,
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.readCheckOptions(c, &o); err != nil {
				return err
			}
			return a.runCheck(c.Context(), &o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.BaseURL, "base-url", "", "address of the server, a `URL` such as http://127.0.0.1:8080")
	f.StringVar(&o.keyFile, "api-key-file", "", "`FILE` with the API key (default: the variable SIGHTLINE_API_KEY)")
	f.StringVar(&o.secondFile, "second-key-file", "", "`FILE` with a key of another team: isolation is checked too")
	f.Int64SliceVar(&o.Products, "product", nil, fmt.Sprintf("`ID` of a product to check; may be repeated (default: the first %d of the key's)", check.MaxProducts))
	f.Lookup("product").DefValue = "" // which help leaves out
	f.StringVar(&o.from, "from", "", "start of the window, a `DAY` or RFC 3339 time (default: a window with data is looked for)")
	f.StringVar(&o.to, "to", "", "end of the window, a `DAY` which belongs to it, or a time")
	f.StringVar(&o.output, "output", "table", "`FORM`: table or json")
	f.StringVar(&o.junit, "junit", "", "`FILE` to write a JUnit report to, for CI")
	f.DurationVar(&o.Timeout, "timeout", 30*time.Second, "longest time that a request may take")
	f.IntVar(&o.MaxRequests, "max-requests", 800, "most requests that are sent, a number `N`")
	f.BoolVar(&o.FailFast, "fail-fast", false, "stop at the first failure")
	f.BoolVar(&o.ContractOnly, "contract-only", false, "for servers other than Sightline: leave out what only Sightline promises (S1, S2, …)")
	f.StringSliceVar(&o.Only, "only", nil, "`NAME` of a check to run, or its beginning, such as paging/; may be repeated (default: all)")
	return c
}

// readCheckOptions makes sense of the flags.
func (a *app) readCheckOptions(c *cobra.Command, o *checkOptions) (err error) {
	switch {
	case o.BaseURL == "":
		return wrong(c, "needs --base-url")
	case (o.from == "") != (o.to == ""):
		return wrong(c, "needs --from and --to together")
	case o.MaxRequests < 1 || o.Timeout <= 0:
		return wrong(c, "needs --max-requests and --timeout above zero")
	case !check.Known(o.Only):
		return wrong(c, "has no check that begins with one of "+strings.Join(o.Only, ", "))
	}
	if err := checkOutput(c, o.output, "table", "json"); err != nil {
		return err
	}
	if err := check.BaseURL(o.BaseURL); err != nil {
		return wrong(c, err.Error())
	}
	if o.from != "" {
		if o.From, err = moment(o.from, "T00:00:00Z"); err != nil {
			return wrong(c, fmt.Sprintf("cannot read --from: %v", err))
		}
		if o.To, err = moment(o.to, "T23:59:59Z"); err != nil {
			return wrong(c, fmt.Sprintf("cannot read --to: %v", err))
		}
		if o.From.After(o.To) {
			return wrong(c, "has a --from after --to")
		}
	}
	if o.Key, err = a.apiKey(o.keyFile); err == nil && o.secondFile != "" {
		o.SecondKey, err = a.readSecret("--second-key-file", o.secondFile)
	}
	return err
}

// moment reads a date-time, or a date as its first or last second.
func moment(text, rest string) (time.Time, error) {
	if _, err := time.Parse(time.DateOnly, text); err == nil {
		text += rest
	}
	return api.ParseTime(text)
}

func (a *app) runCheck(ctx context.Context, o *checkOptions) error {
	report, err := check.Run(ctx, o.Options)
	if err != nil {
		return err
	}
	if o.junit != "" {
		var text bytes.Buffer
		if err := report.WriteJUnit(&text); err != nil {
			return err
		}
		if err := os.WriteFile(o.junit, text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	write := report.WriteTable
	if o.output == "json" {
		write = report.WriteJSON
	}
	if err := write(a.stdout); err != nil {
		return err
	}
	switch failed, notRun := report.Count(check.Failed), report.Count(check.NotRun); {
	case failed > 0:
		return fmt.Errorf("%s failed", plural(failed, "check"))
	case notRun > 0:
		return fmt.Errorf("%s not run: raise --max-requests, or name one --product", plural(notRun, "check"))
	case !report.OK():
		return errors.New("nothing was checked: the key reaches no products, or they have no data")
	}
	return nil
}
