package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/demotest"
	"github.com/sightline-hq/sightline/internal/server"
)

// demoWindow is three days of the demo.
var demoWindow = api.Window{From: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 4, 23, 59, 59, 0, time.UTC)}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tap keeps the last body that came through it.
type tap struct {
	next http.RoundTripper
	last []byte
}

func (tr *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := tr.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if tr.last, err = io.ReadAll(res.Body); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(tr.last))
	return res, nil
}

func TestClientAndServerUnderstandEachOther(t *testing.T) {
	demo := demotest.Start(t, demoWindow.From, demoWindow.To)
	key := demo.Keys[demotest.Lighthouse]
	wire := &tap{next: contract.NewClient(t).Transport}
	dial := func(url, key string) *client.Client {
		c, err := client.New(url, key, client.WithHTTPClient(&http.Client{Transport: wire}), client.WithMaxAttempts(1))
		must(t, err)
		return c
	}
	c := dial(demo.URL, key)
	t.Run("answers", func(t *testing.T) { answersAreLossless(t, c, wire) })
	t.Run("pages", func(t *testing.T) { pagesAddUp(t, c, wire) })
	t.Run("errors", func(t *testing.T) {
		_, err := c.Prompts(t.Context(), 101, api.PromptsRequest{Window: demoWindow})
		if e := failed(t, err); !errors.Is(err, client.ErrBadRequest) || e.Detail != "domain: required" || e.RequestID == "" || e.Message != api.MessageBadRequest {
			t.Errorf("without a domain: %v", err)
		}
		_, err = c.Websites(t.Context(), 999)
		if e := failed(t, err); !errors.Is(err, client.ErrUnauthorized) || e.Detail != "" || e.RequestID == "" {
			t.Errorf("with a product of others: %v", err)
		}
		if _, err = dial(demo.URL, key+"x").Products(t.Context()); !errors.Is(err, client.ErrUnauthorized) {
			t.Errorf("with a wrong key: %v", err)
		}
		crowded := &server.Server{Catalog: demo.Server.Catalog, Reports: demo.Server.Reports, Log: demo.Server.Log, Timeout: time.Minute}
		full := httptest.NewServer(crowded.Handler())
		defer full.Close()
		_, err = dial(full.URL, key).PromptSummary(t.Context(), 101, api.PromptsRequest{Domain: "taskharbor.example", Window: demoWindow})
		if e := failed(t, err); !errors.Is(err, client.ErrUnavailable) || e.Status != 503 || e.RetryAfter != time.Second || e.RequestID == "" {
			t.Errorf("on a crowded server: %v", err)
		}
	})
}

// lossless fails unless an answer has everything that came, and something did.
func lossless(t *testing.T, wire *tap, name string, answer any, err error) {
	t.Helper()
	must(t, err)
	var again bytes.Buffer
	encoder := json.NewEncoder(&again)
	encoder.SetEscapeHTML(false)
	must(t, encoder.Encode(answer))
	if !bytes.Equal(again.Bytes(), wire.last) || len(wire.last) < 60 {
		t.Errorf("%s: the client has\n%.300s\nthe server sent\n%.300s", name, again.Bytes(), wire.last)
	}
}

func answersAreLossless(t *testing.T, c *client.Client, wire *tap) {
	ctx := t.Context()
	r := api.PromptsRequest{Domain: "taskharbor.example", Window: demoWindow, Platforms: []string{"openai", "claude"}, LabelIDs: []int64{13, 11}}
	products, err := c.Products(ctx)
	lossless(t, wire, "products", products, err)
	sites, err := c.Websites(ctx, 101)
	lossless(t, wire, "websites", sites, err)
	prompts, err := c.Prompts(ctx, 101, r)
	lossless(t, wire, "prompts", prompts, err)
	summary, err := c.PromptSummary(ctx, 101, r)
	lossless(t, wire, "summary", summary, err)
	dates, err := c.PromptDates(ctx, 101, r)
	lossless(t, wire, "dates", dates, err)
	for _, grouping := range append(api.CitationGroupings[:4:4], "") {
		citations, err := c.Citations(ctx, 101, api.CitationsRequest{PromptsRequest: r, GroupBy: grouping})
		lossless(t, wire, "citations by "+string(grouping), citations, err)
	}
}

func pagesAddUp(t *testing.T, c *client.Client, wire *tap) {
	r := api.TimeseriesRequest{Window: demoWindow, Metrics: api.Metrics, GroupBy: api.Dimensions, PerPage: 100_000}
	page, err := c.Timeseries(t.Context(), 101, r)
	lossless(t, wire, "timeseries", page, err)
	r.PerPage = 97
	var rows []api.TimeseriesItem
	for row, err := range c.TimeseriesRows(t.Context(), 101, r) {
		must(t, err)
		rows = append(rows, row)
	}
	if len(rows) < 300 || !reflect.DeepEqual(rows, page.Items) {
		t.Errorf("%d rows in pages, %d in one", len(rows), len(page.Items))
	}
}
