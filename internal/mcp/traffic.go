package mcp

import (
	"context"

	"github.com/sightline-hq/sightline/api"
)

const noVisits = "No visits match. Check the period, websiteId (one of list_websites), the platforms and bot types (names are exact, such as openai and gptbot) " +
	"and urlPath; rows in which all metrics asked for are 0 are absent."

type trafficIn struct {
	productIn
	periodIn
	pageIn
	WebsiteID *string         `json:"websiteId"`
	Interval  api.Interval    `json:"interval"`
	Metrics   []api.Metric    `json:"metrics"`
	GroupBy   []api.Dimension `json:"groupBy"`
	Platforms []string        `json:"platforms"`
	BotTypes  []string        `json:"botTypes"`
	URLPath   *string         `json:"urlPath"`
	TopLimit  int64           `json:"topLimit"`
}

type trafficOut struct {
	asked
	paging
	Items []api.TimeseriesItem `json:"items"`
	Notes []string             `json:"notes,omitempty"`
}

func (o trafficOut) text() string { return report(o.asked, o.Items, o.Notes) }

func (r *reader) getTraffic(ctx context.Context, in trafficIn) (o trafficOut, err error) {
	window, err := r.window(in.periodIn)
	if err != nil {
		return o, err
	}
	product, err := r.productID(ctx, in.productIn)
	if err != nil {
		return o, err
	}
	page := in.pageIn.or(defaultPerPage)
	got, err := r.client.Timeseries(ctx, product, api.TimeseriesRequest{
		Window: window, WebsiteID: in.WebsiteID, Interval: in.Interval, Metrics: in.Metrics, GroupBy: in.GroupBy,
		Platforms: in.Platforms, BotTypes: in.BotTypes, URLPath: in.URLPath,
		Page: page.Page, PerPage: page.PerPage, TopLimit: in.TopLimit,
	})
	if err != nil {
		return o, r.explain(ctx, product, err)
	}
	o.asked = about(product, "", window)
	o.paging = paging{Page: got.CurrentPage, PerPage: got.PerPage, TotalPages: got.TotalPages, TotalItems: got.TotalItems}
	if got.NextPage != nil {
		o.NextPage = *got.NextPage
	}
	o.Items, o.LeftOut = short(got.Items, mostBytes)
	if o.Notes = o.paging.notes(""); got.TotalItems == 0 {
		o.Notes = []string{noVisits}
	}
	return o, nil
}
