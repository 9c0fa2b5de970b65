package client_test

import (
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
)

// recorder answers everything with the same body and keeps the last request.
func recorder(t tester, body string) (*client.Client, func() *http.Request) {
	var last *http.Request
	tr := &transport{answer: func(_ int, r *http.Request) (*http.Response, error) {
		last = r
		return reply(200, body), nil
	}}
	return through(t, tr), func() *http.Request { return last }
}

func TestEachMethodAsksForItsRoute(t *testing.T) {
	const emptyPage = `{"previousPage":null,"currentPage":1,"nextPage":null,"totalPages":0,"totalItems":0,"perPage":20,"items":[]}`
	cases := []struct {
		name, body, want string
		call             func(c *client.Client) error
	}{
		{"Products", `[]`, "/v1/products", func(c *client.Client) error { _, err := c.Products(t.Context()); return err }},
		{"Websites", `[]`, "/v1/products/7/websites", func(c *client.Client) error { _, err := c.Websites(t.Context(), 7); return err }},
		{"Prompts", `[]`, "/v1/products/7/prompts", func(c *client.Client) error { _, err := c.Prompts(t.Context(), 7, asked); return err }},
		{"PromptSummary", `{}`, "/v1/products/7/prompts/summary", func(c *client.Client) error {
			_, err := c.PromptSummary(t.Context(), 7, asked)
			return err
		}},
		{"PromptDates", `[]`, "/v1/products/7/prompts/dates", func(c *client.Client) error {
			_, err := c.PromptDates(t.Context(), 7, asked)
			return err
		}},
		{"Citations", `{}`, "/v1/products/7/citations", func(c *client.Client) error {
			_, err := c.Citations(t.Context(), 7, api.CitationsRequest{PromptsRequest: asked})
			return err
		}},
		{"Timeseries", emptyPage, "/v1/products/7/analytics/timeseries", func(c *client.Client) error {
			_, err := c.Timeseries(t.Context(), 7, api.TimeseriesRequest{Window: march})
			return err
		}},
	}
	if len(cases) != len(api.Routes) {
		t.Errorf("%d methods for %d routes", len(cases), len(api.Routes))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cl, last := recorder(t, c.body)
			if err := c.call(cl); err != nil {
				t.Fatal(err)
			}
			r := last()
			if r.Method != "GET" || r.URL.Path != c.want || r.Header.Get("Authorization") != "Bearer "+key {
				t.Errorf("%s %s with %v, want GET %s with the key", r.Method, r.URL.Path, r.Header, c.want)
			}
		})
	}
}

func TestFieldsLeftAtZeroAreNotSent(t *testing.T) {
	cl, last := recorder(t, `{"items":[]}`)
	if _, err := cl.Timeseries(t.Context(), 7, api.TimeseriesRequest{}); err != nil || last().URL.RawQuery != "" {
		t.Errorf("query %q, %v", last().URL.RawQuery, err)
	}
	cl, last = recorder(t, `{}`)
	if _, err := cl.Citations(t.Context(), 7, api.CitationsRequest{}); err != nil || last().URL.RawQuery != "" {
		t.Errorf("query %q, %v", last().URL.RawQuery, err)
	}
}

// The server reads exactly what a caller of the client asked for.
func TestServerReadsWhatTheClientSends(t *testing.T) {
	t.Run("prompts", rapid.MakeCheck(func(t *rapid.T) {
		r := prompts(t)
		cl, last := recorder(t, `[]`)
		if _, err := cl.Prompts(t.Context(), 7, r); err != nil {
			t.Fatal(err)
		}
		got, err := api.DecodePrompts(last().URL.RawQuery)
		same(t, got, read(r), err)
	}))
	t.Run("citations", rapid.MakeCheck(func(t *rapid.T) {
		r := api.CitationsRequest{PromptsRequest: prompts(t), GroupBy: orZero(t, "groupBy", api.CitationGroupings)}
		cl, last := recorder(t, `{}`)
		if _, err := cl.Citations(t.Context(), 7, r); err != nil {
			t.Fatal(err)
		}
		got, err := api.DecodeCitations(last().URL.RawQuery)
		r.PromptsRequest = read(r.PromptsRequest)
		r.GroupBy = orDefault(r.GroupBy, api.GroupAll)
		same(t, got, r, err)
	}))
	t.Run("timeseries", rapid.MakeCheck(func(t *rapid.T) {
		r := timeseries(t)
		cl, last := recorder(t, `{"items":[]}`)
		if _, err := cl.Timeseries(t.Context(), 7, r); err != nil {
			t.Fatal(err)
		}
		got, err := api.DecodeTimeseries(last().URL.RawQuery)
		r.Window = api.Window{From: r.From.UTC(), To: r.To.UTC()}
		r.Interval = orDefault(r.Interval, api.Day)
		r.Page, r.PerPage = orDefault(r.Page, api.DefaultPage), orDefault(r.PerPage, api.DefaultPerPage)
		if len(r.Metrics) == 0 {
			r.Metrics = []api.Metric{api.BotVisits}
		}
		same(t, got, r, err)
	}))
}

// read is a request as the server has it: in UTC, labels in order.
func read(r api.PromptsRequest) api.PromptsRequest {
	r.Window = api.Window{From: r.From.UTC(), To: r.To.UTC()}
	r.LabelIDs = slices.Sorted(slices.Values(r.LabelIDs))
	return r
}

func same(t *rapid.T, got, want any, err error) {
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("the server reads\n%+v, %v\nthe caller asked for\n%+v", got, err, want)
	}
}

func orDefault[T comparable](v, absent T) T {
	var zero T
	if v == zero {
		return absent
	}
	return v
}

func window(t *rapid.T) api.Window {
	at := func(name string) time.Time {
		seconds := rapid.Int64Range(-60_000_000_000, 250_000_000_000).Draw(t, name) // the years 68 to 9892
		zone := time.FixedZone("", 60*rapid.IntRange(-23*60, 23*60).Draw(t, name+" zone"))
		return time.Unix(seconds, rapid.Int64Range(0, 999_999_999).Draw(t, name+" fraction")).In(zone)
	}
	w := api.Window{From: at("from"), To: at("to")}
	if w.From.After(w.To) {
		w.From, w.To = w.To, w.From
	}
	return w
}

var text = rapid.StringN(1, 20, -1)

// some draws distinct values; none at all is nil, as the server reads it.
func some[T comparable](t *rapid.T, name string, g *rapid.Generator[T]) []T {
	if values := rapid.SliceOfNDistinct(g, 0, 4, rapid.ID).Draw(t, name); len(values) > 0 {
		return values
	}
	return nil
}

func orZero[T any](t *rapid.T, name string, allowed []T) T {
	return rapid.OneOf(rapid.Just(*new(T)), rapid.SampledFrom(allowed)).Draw(t, name)
}

func prompts(t *rapid.T) api.PromptsRequest {
	return api.PromptsRequest{
		Domain: text.Draw(t, "domain"), Window: window(t),
		Platforms: some(t, "platforms", text), LabelIDs: some(t, "labels", rapid.Int64Min(0)),
	}
}

func timeseries(t *rapid.T) api.TimeseriesRequest {
	return api.TimeseriesRequest{
		Window:    window(t),
		WebsiteID: rapid.Ptr(text, true).Draw(t, "website"),
		Interval:  orZero(t, "interval", api.Intervals),
		Metrics:   some(t, "metrics", rapid.SampledFrom(api.Metrics)),
		GroupBy:   some(t, "groupBy", rapid.SampledFrom(api.Dimensions)),
		Platforms: some(t, "platforms", text),
		BotTypes:  some(t, "botTypes", text),
		URLPath:   rapid.Ptr(text, true).Draw(t, "path"),
		Page:      rapid.Int64Min(0).Draw(t, "page"),
		PerPage:   rapid.Int64Min(0).Draw(t, "perPage"),
		TopLimit:  rapid.Int64Min(0).Draw(t, "topLimit"),
	}
}
