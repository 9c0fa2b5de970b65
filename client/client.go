package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// Client calls one server with one key. It is safe for use by several
// goroutines at once. Make one with New.
type Client struct {
	base       *url.URL
	http       *http.Client
	attempts   int
	total      time.Duration
	maxBody    int64
	agent      string
	cacheBytes int64
	cache      *cache // nil: no conditional requests
	random     func() float64
	key        secret
}

// New returns a client of the server at a base URL, such as
// https://sightline.example or, behind a proxy, https://example.com/sightline.
// It sends nothing yet.
func New(baseURL, key string, options ...Option) (*Client, error) {
	c := defaults()
	var err error
	if c.base, err = parseBase(baseURL); err != nil {
		return nil, err
	}
	if c.key, err = newSecret(key); err != nil {
		return nil, err
	}
	for _, set := range options {
		set(c)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	c.http = withoutRedirects(c.http)
	if c.cacheBytes > 0 {
		c.cache = newCache(c.cacheBytes)
	}
	return c, nil
}

// String names the server.
func (c *Client) String() string { return "client of " + c.base.String() }

// Products lists the primary products that the key reaches.
func (c *Client) Products(ctx context.Context) ([]api.Product, error) {
	return get(ctx, c, api.RouteProducts, 0, nil, array[api.Product])
}

// Websites lists the websites that are tracked for a product.
func (c *Client) Websites(ctx context.Context, product int64) ([]api.Website, error) {
	return get(ctx, c, api.RouteWebsites, product, nil, array[api.Website])
}

// Prompts returns a row for each tracked prompt and platform.
func (c *Client) Prompts(ctx context.Context, product int64, r api.PromptsRequest) ([]api.PromptMetric, error) {
	return get(ctx, c, api.RoutePrompts, product, encodePrompts(r), array[api.PromptMetric])
}

// PromptSummary returns visibility, position and rank over all prompts.
func (c *Client) PromptSummary(ctx context.Context, product int64, r api.PromptsRequest) (api.PromptSummary, error) {
	return get(ctx, c, api.RoutePromptSummary, product, encodePrompts(r), object[api.PromptSummary])
}

// PromptDates returns a row for each day and platform with runs.
func (c *Client) PromptDates(ctx context.Context, product int64, r api.PromptsRequest) ([]api.DailyPromptMetric, error) {
	return get(ctx, c, api.RoutePromptDates, product, encodePrompts(r), array[api.DailyPromptMetric])
}

// Citations returns what AI answers cite, in the groupings asked for; an
// empty GroupBy asks for all of them.
func (c *Client) Citations(ctx context.Context, product int64, r api.CitationsRequest) (api.CitationResponse, error) {
	return get(ctx, c, api.RouteCitations, product, encodeCitations(r), object[api.CitationResponse])
}

// Timeseries returns one page of the traffic of agents and referred people.
// Fields of the request that are left at zero have the contract's defaults.
// See TimeseriesRows for all pages.
func (c *Client) Timeseries(ctx context.Context, product int64, r api.TimeseriesRequest) (api.TimeseriesResponse, error) {
	return get(ctx, c, api.RouteTimeseries, product, encodeTimeseries(r), page)
}
