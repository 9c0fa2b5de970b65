package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/datadir"
	"github.com/sightline-hq/sightline/internal/demo"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/ingest"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

// demoWindow is three days of the demo, and today the last of them.
var (
	demoWindow = api.Window{From: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 4, 23, 59, 59, 0, time.UTC)}
	today      = time.Date(2026, 3, 4, 17, 30, 0, 0, time.UTC)
)

// One server on the demo's data for all tests: its address, a key that sees
// three products, and one that sees only product 103.
var demoBase, agencyKey, soloKey string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sightline-mcp-")
	if err != nil {
		panic(err)
	}
	stop := startDemo(datadir.Dir(dir))
	code := m.Run()
	stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("the demo's server does not start: %v", err))
	}
	return value
}

func startDemo(dir datadir.Dir) (stop func()) {
	ctx := context.Background()
	must(0, dir.Create())
	store := must(catalog.Open(ctx, dir.Catalog()))
	defer store.Close()
	must(store.Apply(ctx, must(catalog.ParseWorkspace("demo", demo.Workspace()))))
	createKey := func(team string) string {
		_, key, err := store.CreateKey(ctx, team, "")
		return must(key, err)
	}
	agencyKey, soloKey = createKey("lighthouse"), createKey("solstice")
	snapshot := must(store.Snapshot(ctx))
	load(ctx, dir, snapshot, ingest.Answers, demo.Answers)
	load(ctx, dir, snapshot, ingest.Pageviews, demo.Pageviews)
	facts := must(duckdb.Follow(ctx, dir.Facts(), duckdb.Options{Poll: time.Hour}))
	s := &server.Server{
		Catalog: func() *catalog.Snapshot { return snapshot }, Reports: &report.Reports{Facts: facts},
		Log: slog.New(slog.DiscardHandler), Timeout: time.Minute, Queries: 2, Patience: time.Minute,
	}
	running := httptest.NewServer(s.Handler())
	demoBase = running.URL
	return func() {
		running.Close()
		must(0, facts.Close())
	}
}

func load(ctx context.Context, dir datadir.Dir, snapshot *catalog.Snapshot, source ingest.Source, generate func(io.Writer, time.Time, time.Time) (int, error)) {
	var lines bytes.Buffer
	must(generate(&lines, demoWindow.From.Add(-time.Second), demoWindow.To))
	secret := must(dir.Secret()) // made before there are facts
	loader := must(duckdb.OpenLoader(ctx, dir.Facts(), nil))
	defer loader.Close()
	job := &ingest.Job{
		Source: source, Files: []string{"-"}, Stdin: &lines, Catalog: snapshot, Agents: agents.Default(),
		Secret: secret, Loader: loader, Rejects: dir.Rejects(), Spool: dir.Facts(),
	}
	defer job.Close()
	must(0, job.Open(ctx))
	must(job.Run(ctx))
}
