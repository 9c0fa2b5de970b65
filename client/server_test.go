package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/client"
	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/datadir"
	"github.com/sightline-hq/sightline/internal/demo"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/ingest"
	"github.com/sightline-hq/sightline/internal/report"
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

// demoServer is a whole server on the demo's data, and the agency's key.
func demoServer(t *testing.T) (s *server.Server, key string) {
	t.Helper()
	ctx, dir := context.Background(), datadir.Dir(t.TempDir())
	must(t, dir.Create())
	store, err := catalog.Open(ctx, dir.Catalog())
	must(t, err)
	defer store.Close()
	workspace, err := catalog.ParseWorkspace("demo", demo.Workspace())
	must(t, err)
	_, err = store.Apply(ctx, workspace)
	must(t, err)
	_, key, err = store.CreateKey(ctx, "lighthouse", "")
	must(t, err)
	snapshot, err := store.Snapshot(ctx)
	must(t, err)
	load(t, dir, snapshot, ingest.Answers, demo.Answers)
	load(t, dir, snapshot, ingest.Pageviews, demo.Pageviews)
	facts, err := duckdb.Follow(ctx, dir.Facts(), duckdb.Options{Poll: time.Hour})
	must(t, err)
	t.Cleanup(func() { must(t, facts.Close()) })
	return &server.Server{
		Catalog: func() *catalog.Snapshot { return snapshot }, Reports: &report.Reports{Facts: facts},
		Log: slog.New(slog.DiscardHandler), Timeout: time.Minute, Queries: 2, Patience: time.Minute,
	}, key
}

func load(t *testing.T, dir datadir.Dir, snapshot *catalog.Snapshot, source ingest.Source, generate func(io.Writer, time.Time, time.Time) (int, error)) {
	t.Helper()
	var lines bytes.Buffer
	_, err := generate(&lines, demoWindow.From.Add(-time.Second), demoWindow.To)
	must(t, err)
	secret, err := dir.Secret()
	must(t, err)
	loader, err := duckdb.OpenLoader(context.Background(), dir.Facts(), nil)
	must(t, err)
	defer loader.Close()
	job := &ingest.Job{
		Source: source, Files: []string{"-"}, Stdin: &lines, Catalog: snapshot, Agents: agents.Default(),
		Secret: secret, Loader: loader, Rejects: dir.Rejects(), Spool: dir.Facts(),
	}
	defer job.Close()
	must(t, job.Open(context.Background()))
	_, err = job.Run(context.Background())
	must(t, err)
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
	s, key := demoServer(t)
	running := httptest.NewServer(s.Handler())
	t.Cleanup(running.Close)
	wire := &tap{next: contract.NewClient(t).Transport}
	dial := func(url, key string) *client.Client {
		c, err := client.New(url, key, client.WithHTTPClient(&http.Client{Transport: wire}), client.WithMaxAttempts(1))
		must(t, err)
		return c
	}
	c := dial(running.URL, key)
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
		if _, err = dial(running.URL, key+"x").Products(t.Context()); !errors.Is(err, client.ErrUnauthorized) {
			t.Errorf("with a wrong key: %v", err)
		}
		crowded := *s
		crowded.Queries, crowded.Patience = 0, 0
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
