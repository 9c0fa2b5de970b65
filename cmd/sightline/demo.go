package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/demo"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/ingest"
	"github.com/sightline-hq/sightline/internal/server"
)

const (
	demoDays = 90
	// demoAge is how old the newest demo event may be before more are made.
	demoAge = time.Hour
	// What the printed lines ask for: the agency of the demo workspace, and a product of its teams.
	demoTeam    = "lighthouse"
	demoProduct = 101
	demoDomain  = "taskharbor.example"
)

func (a *app) demo() *cobra.Command {
	var o serveOptions
	var data string // apart from that of the other commands
	var pages string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Make a demo workspace with 90 days of data, and show the API and the dashboard on it",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			a.data = data
			a.demoCatalog()
			return a.runDemo(c.Context(), o, pages)
		},
	}
	o.flags(c)
	c.Flags().StringVar(&data, "data", "./demo-data", "data directory of the demo")
	c.Flags().StringVar(&pages, "dashboard", demoPages, "address to show the dashboard on")
	return c
}

func (a *app) runDemo(ctx context.Context, o serveOptions, pages string) (err error) {
	// A port that is taken is better known before the data is made.
	l, err := server.Listen(o.listen, "--listen")
	if err != nil {
		return err
	}
	l.Close()
	pagesOn, err := demoListen(pages)
	if err != nil {
		return err
	}
	defer pagesOn.Close()
	if err := a.demoOwns(); err != nil {
		return err
	}
	key, err := a.demoWorkspace(ctx)
	if err != nil {
		return err
	}
	now := time.Now().UTC().Truncate(time.Second)
	if err := a.demoData(ctx, now); err != nil {
		return err
	}
	// The dashboard ends with the API, whatever ends that.
	ctx, cancel := context.WithCancel(ctx)
	wait := func() error { return nil }
	defer func() { cancel(); err = errors.Join(err, wait()) }()
	return a.runServer(ctx, o, func(address net.Addr) {
		fmt.Fprint(a.stdout, demoHelp(os.Args[0], address.String(), key, now))
		wait = a.demoDashboard(ctx, pagesOn, pages, "http://"+address.String(), key)
	})
}

// demoKey is where the demo keeps its key, and what marks a directory as the
// demo's: applying its workspace to another would retire everything there.
func (a *app) demoKey() string { return filepath.Join(a.data, "demo-key") }

func (a *app) demoOwns() error {
	_, catalogErr := os.Stat(a.dir().Catalog())
	_, keyErr := os.Stat(a.demoKey())
	if catalogErr == nil && keyErr != nil {
		return fmt.Errorf("%s holds a workspace that is not the demo's: choose another directory with --data", a.data)
	}
	if err := a.dir().Create(); err != nil {
		return err
	}
	f, err := os.OpenFile(a.demoKey(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// demoCatalog keeps the demo to its own directory: its workspace would retire
// everything in a catalog that is used in earnest.
func (a *app) demoCatalog() {
	if a.catalogApart() {
		fmt.Fprintln(a.stderr, "The demo keeps its catalog in its data directory; --catalog is not used.")
		a.catalog = ""
	}
}

// demoWorkspace applies the demo's workspace and returns the agency's key. The
// key is kept beside the data, which is for demos only.
func (a *app) demoWorkspace(ctx context.Context) (key string, err error) {
	workspace, err := catalog.ParseWorkspace("demo workspace", demo.Workspace())
	if err != nil {
		return "", err
	}
	store, err := a.openCatalog(ctx)
	if err != nil {
		return "", err
	}
	defer store.Close()
	if _, err := store.Apply(ctx, workspace); err != nil {
		return "", err
	}
	snapshot, err := store.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(a.demoKey())
	if err != nil {
		return "", err
	}
	key = strings.TrimSpace(string(text))
	if _, ok := snapshot.Authenticate(key); ok {
		return key, nil
	}
	if _, key, err = store.CreateKey(ctx, demoTeam, "demo"); err != nil {
		return "", err
	}
	return key, os.WriteFile(a.demoKey(), []byte(key+"\n"), 0o600)
}

// demoData loads what happened since the newest event, at most 90 days.
func (a *app) demoData(ctx context.Context, now time.Time) error {
	loader, err := a.openLoader(ctx)
	if err != nil {
		return err
	}
	newest := make(map[facts.Kind]time.Time)
	start := now.AddDate(0, 0, -demoDays).Truncate(24 * time.Hour).Add(-time.Second)
	for _, kind := range []facts.Kind{facts.KindAnswers, facts.KindVisits} {
		second, err := loader.Newest(ctx, kind)
		if err != nil {
			return errors.Join(err, loader.Close())
		}
		newest[kind] = start
		if at := time.Unix(second, 0).UTC(); at.After(start) {
			newest[kind] = at
		}
	}
	if err := loader.Close(); err != nil {
		return err
	}
	for _, part := range []struct {
		source ingest.Source
		name   string
		make   func(io.Writer, time.Time, time.Time) (int, error)
	}{
		{ingest.Answers, "answers", demo.Answers},
		{ingest.Pageviews, "visits", demo.Pageviews},
	} {
		from := newest[part.source.Kind()]
		if now.Sub(from) < demoAge {
			continue
		}
		title := fmt.Sprintf("Making demo %s of %.0f days…", part.name, now.Sub(from).Hours()/24)
		if err := a.loadMade(ctx, part.source, title, func(w io.Writer) error {
			_, err := part.make(w, from, now)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// loadMade loads what a function writes, as if it came from standard input. It
// may write nothing: not every hour has an answer.
func (a *app) loadMade(ctx context.Context, source ingest.Source, title string, make func(io.Writer) error) error {
	r, w := io.Pipe()
	defer r.Close()
	go func() { w.CloseWithError(make(w)) }()
	made := bufio.NewReader(r)
	if _, err := made.Peek(1); errors.Is(err, io.EOF) {
		return nil
	}
	fmt.Fprintln(a.stderr, title)
	quiet := *a
	quiet.stdout, quiet.stdin = io.Discard, made
	return quiet.runLoad(ctx, &loadOptions{source: source, files: []string{"-"}})
}
