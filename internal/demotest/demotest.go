// Package demotest gives tests a whole server on the demo's data.
package demotest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/datadir"
	"github.com/sightline-hq/sightline/internal/demo"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/ingest"
	"github.com/sightline-hq/sightline/internal/leaktest"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

// Teams of the demo: two with products of their own, and the agency that
// manages both.
const (
	Northwind  = "northwind"  // products 101 and 102
	Solstice   = "solstice"   // product 103
	Lighthouse = "lighthouse" // all three
)

// Demo is a running server. Nothing changes its data.
type Demo struct {
	Server  *server.Server
	Handler http.Handler // the server's
	URL     string
	Keys    map[string]string // by team

	dir   datadir.Dir
	http  *httptest.Server
	facts io.Closer
}

// Start makes the demo's data from one second to another, both included, and
// serves it until the test ends.
func Start(t testing.TB, from, to time.Time) *Demo {
	t.Helper()
	d, err := open(from, to)
	if err != nil {
		t.Fatalf("the demo does not start: %v", err)
	}
	t.Cleanup(func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Main runs the tests of a package on one demo, which use receives before the
// first of them, and returns their exit code.
func Main(m *testing.M, from, to time.Time, use func(*Demo)) int {
	d, err := open(from, to)
	if err != nil {
		fmt.Fprintln(os.Stderr, "the demo does not start:", err)
		return 1
	}
	use(d)
	code := m.Run()
	if err := d.close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return leaktest.Code(code)
}

func open(from, to time.Time) (d *Demo, err error) {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "sightline-demo-")
	if err != nil {
		return nil, err
	}
	d = &Demo{dir: datadir.Dir(folder), Keys: make(map[string]string)}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	snapshot, err := d.workspace(ctx)
	if err != nil {
		return d, err
	}
	if err := d.load(ctx, snapshot, ingest.Answers, demo.Answers, from, to); err != nil {
		return d, err
	}
	if err := d.load(ctx, snapshot, ingest.Pageviews, demo.Pageviews, from, to); err != nil {
		return d, err
	}
	facts, err := duckdb.Follow(ctx, d.dir.Facts(), duckdb.Options{Poll: time.Hour})
	if err != nil {
		return d, err
	}
	d.facts = facts
	d.Server = &server.Server{
		Catalog: func() *catalog.Snapshot { return snapshot }, Reports: &report.Reports{Facts: facts},
		Log: slog.New(slog.DiscardHandler), Timeout: time.Minute, Queries: 2, Patience: time.Minute, Cache: 64 << 20,
	}
	d.Handler = d.Server.Handler()
	d.http = httptest.NewServer(d.Handler)
	d.URL = d.http.URL
	return d, nil
}

// workspace applies the demo's workspace and makes a key for each team.
func (d *Demo) workspace(ctx context.Context) (*catalog.Snapshot, error) {
	if err := d.dir.Create(); err != nil {
		return nil, err
	}
	store, err := catalog.Open(ctx, d.dir.Catalog())
	if err != nil {
		return nil, err
	}
	defer store.Close()
	workspace, err := catalog.ParseWorkspace("demo", demo.Workspace())
	if err != nil {
		return nil, err
	}
	if _, err := store.Apply(ctx, workspace); err != nil {
		return nil, err
	}
	for _, team := range []string{Northwind, Solstice, Lighthouse} {
		if _, d.Keys[team], err = store.CreateKey(ctx, team, ""); err != nil {
			return nil, err
		}
	}
	return store.Snapshot(ctx)
}

func (d *Demo) load(ctx context.Context, snapshot *catalog.Snapshot, source ingest.Source, generate func(io.Writer, time.Time, time.Time) (int, error), from, to time.Time) error {
	var lines bytes.Buffer
	if _, err := generate(&lines, from.Add(-time.Second), to); err != nil {
		return err
	}
	secret, err := d.dir.Secret() // made before there are facts
	if err != nil {
		return err
	}
	loader, err := duckdb.OpenLoader(ctx, d.dir.Facts(), nil)
	if err != nil {
		return err
	}
	defer loader.Close()
	job := &ingest.Job{
		Source: source, Files: []string{"-"}, Stdin: &lines, Catalog: snapshot, Agents: agents.Default(),
		Secret: secret, Loader: loader, Rejects: d.dir.Rejects(), Spool: d.dir.Facts(),
	}
	defer job.Close()
	if err := job.Open(ctx); err != nil {
		return err
	}
	_, err = job.Run(ctx)
	return err
}

func (d *Demo) close() (err error) {
	if d.http != nil {
		d.http.Close()
	}
	if d.facts != nil {
		err = d.facts.Close()
	}
	return errors.Join(err, os.RemoveAll(string(d.dir)))
}
