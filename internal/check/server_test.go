package check_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/check"
	"github.com/sightline-hq/sightline/internal/datadir"
	"github.com/sightline-hq/sightline/internal/demo"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/ingest"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

// A demo of twelve days, from a Wednesday to a Sunday.
var (
	demoFrom = time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	demoTo   = time.Date(2026, 3, 15, 23, 59, 59, 0, time.UTC)
)

// world is our server on the demo's data, shared by the tests of this package:
// nothing changes it.
var world struct {
	handler                        http.Handler
	northwind, solstice, allOfThem string // keys
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "check")
	must(err)
	facts := buildWorld(datadir.Dir(dir))
	code := m.Run()
	must(facts.Close())
	must(os.RemoveAll(dir))
	os.Exit(code)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func buildWorld(dir datadir.Dir) io.Closer {
	ctx := context.Background()
	must(dir.Create())
	store, err := catalog.Open(ctx, dir.Catalog())
	must(err)
	defer store.Close()
	workspace, err := catalog.ParseWorkspace("demo", demo.Workspace())
	must(err)
	_, err = store.Apply(ctx, workspace)
	must(err)
	for team, key := range map[string]*string{"northwind": &world.northwind, "solstice": &world.solstice, "lighthouse": &world.allOfThem} {
		_, *key, err = store.CreateKey(ctx, team, "")
		must(err)
	}
	snapshot, err := store.Snapshot(ctx)
	must(err)
	load(dir, snapshot, ingest.Answers, demo.Answers)
	load(dir, snapshot, ingest.Pageviews, demo.Pageviews)
	facts, err := duckdb.Follow(ctx, dir.Facts(), duckdb.Options{Poll: time.Hour})
	must(err)
	world.handler = (&server.Server{
		Catalog: func() *catalog.Snapshot { return snapshot }, Reports: &report.Reports{Facts: facts},
		Log: slog.New(slog.DiscardHandler), Timeout: time.Minute, Queries: 2, Patience: time.Minute, Cache: 64 << 20,
	}).Handler()
	return facts
}

func load(dir datadir.Dir, snapshot *catalog.Snapshot, source ingest.Source, generate func(io.Writer, time.Time, time.Time) (int, error)) {
	var lines bytes.Buffer
	_, err := generate(&lines, demoFrom.Add(-time.Second), demoTo)
	must(err)
	secret, err := dir.Secret()
	must(err)
	loader, err := duckdb.OpenLoader(context.Background(), dir.Facts(), nil)
	must(err)
	defer loader.Close()
	job := &ingest.Job{
		Source: source, Files: []string{"-"}, Stdin: &lines, Catalog: snapshot, Agents: agents.Default(),
		Secret: secret, Loader: loader, Rejects: dir.Rejects(), Spool: dir.Facts(),
	}
	defer job.Close()
	must(job.Open(context.Background()))
	_, err = job.Run(context.Background())
	must(err)
}

// against runs checks on a server that lives as long as they do.
func against(t *testing.T, handler http.Handler, change func(*check.Options)) check.Report {
	t.Helper()
	running := httptest.NewServer(handler)
	defer running.Close()
	o := check.Options{BaseURL: running.URL, Key: world.northwind, SecondKey: world.solstice, Timeout: time.Minute, MaxRequests: 2000}
	if change != nil {
		change(&o)
	}
	r, err := check.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
