package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/insight"
)

// visit is one page being made.
type visit struct {
	*state
	d       *Dashboard
	ctx     context.Context
	product api.Product
	work    sync.WaitGroup
}

// part is an answer of the API on its way to a page: a value, or what is wrong
// with it, and the calls behind it. It may be read after visit.work is done.
type part[T any] struct {
	Value   T
	Trouble *trouble
	Calls   []string
}

// ask makes calls beside those of other parts.
func ask[T any](v *visit, question func(context.Context, *client.Client) (T, error)) *part[T] {
	p := new(part[T])
	v.work.Go(func() {
		record := &recorder{next: v.d.through}
		c, err := v.d.dial(record)
		if err == nil {
			p.Value, err = question(v.ctx, c)
		}
		p.Trouble, p.Calls = v.d.explain(err), record.calls
	})
	return p
}

// recorder notes the URLs that a client asks for, so that a page can show the
// very calls its numbers came from. The key is in no URL.
type recorder struct {
	next  http.RoundTripper
	mu    sync.Mutex
	calls []string
}

// readable undoes the escapes that only make a URL harder to read.
var readable = strings.NewReplacer("%5B", "[", "%5D", "]", "%3A", ":")

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	call := readable.Replace(req.URL.String())
	r.mu.Lock()
	if !slices.Contains(r.calls, call) { // a second attempt is the same call
		r.calls = append(r.calls, call)
	}
	r.mu.Unlock()
	return r.next.RoundTrip(req)
}

// The questions that several pages ask.

func (v *visit) prompts(r api.PromptsRequest) *part[[]api.PromptMetric] {
	return ask(v, func(ctx context.Context, c *client.Client) ([]api.PromptMetric, error) {
		return c.Prompts(ctx, v.product.ID, r)
	})
}

func (v *visit) summary(w api.Window) *part[api.PromptSummary] {
	return ask(v, func(ctx context.Context, c *client.Client) (api.PromptSummary, error) {
		return c.PromptSummary(ctx, v.product.ID, v.promptsRequest(w))
	})
}

func (v *visit) dates(w api.Window) *part[[]api.DailyPromptMetric] {
	return ask(v, func(ctx context.Context, c *client.Client) ([]api.DailyPromptMetric, error) {
		return c.PromptDates(ctx, v.product.ID, v.promptsRequest(w))
	})
}

// bothPeriods is the period with the one before.
func (v *visit) bothPeriods() api.Window { return api.Window{From: v.Before.From, To: v.Window.To} }

// runsCovered tells from the days with runs, of both periods, whether the period
// before was covered.
func (v *visit) runsCovered(days ...*part[[]api.DailyPromptMetric]) insight.Coverage {
	var times []time.Time
	for _, p := range days {
		for _, d := range p.Value {
			if t, err := api.ParseTime(d.Date); err == nil {
				times = append(times, t)
			}
		}
	}
	return insight.Covered(v.Before, api.Day, times)
}

func (v *visit) citations(w api.Window, by api.CitationGrouping) *part[api.CitationResponse] {
	return ask(v, func(ctx context.Context, c *client.Client) (api.CitationResponse, error) {
		return c.Citations(ctx, v.product.ID, api.CitationsRequest{PromptsRequest: v.promptsRequest(w), GroupBy: by})
	})
}

func (v *visit) websites() *part[[]api.Website] {
	return ask(v, func(ctx context.Context, c *client.Client) ([]api.Website, error) {
		return c.Websites(ctx, v.product.ID)
	})
}

// rowsAtOnce is a page that servers keep ready; most reports have no second one.
const rowsAtOnce = 2500

func (v *visit) timeseries(r api.TimeseriesRequest) *part[[]api.TimeseriesItem] {
	r.PerPage = rowsAtOnce
	return ask(v, func(ctx context.Context, c *client.Client) (rows []api.TimeseriesItem, err error) {
		for row, err := range c.TimeseriesRows(ctx, v.product.ID, r) {
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
		return rows, nil
	})
}
