package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

const (
	// pollEvery is how often a server looks for changes. The promise is a second.
	pollEvery = 200 * time.Millisecond
	// sendTime is how long an answer may take on its way, after the query.
	sendTime = 60 * time.Second
)

// minMemory is what a server needs to answer at all.
const minMemory = 128 << 20

// serveOptions are the flags of serve.
type serveOptions struct {
	listen      string
	timeout     time.Duration
	queries     int
	queue       int
	patience    time.Duration
	memory      byteSize
	noCache     bool
	timing      bool
	logRequests bool
}

func (o *serveOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:8080", "address to answer on")
	f.DurationVar(&o.timeout, "query-timeout", 30*time.Second, "longest time that a report may take")
	f.IntVar(&o.queries, "max-queries", runtime.GOMAXPROCS(0), "reports that run at once; others wait")
	f.IntVar(&o.queue, "max-queue", 32*runtime.GOMAXPROCS(0), "reports that wait; further ones are turned away with 503")
	f.DurationVar(&o.patience, "max-wait", 5*time.Second, "longest time that a report waits for its turn")
	o.memory = 1 << 30
	f.Var(&o.memory, "memory", "memory to use, for the engine, remembered answers and the rest together")
	f.BoolVar(&o.noCache, "no-cache", false, "remember no answers: every request is answered anew")
	f.BoolVar(&o.timing, "timing", false, "say in the header Server-Timing how long each report took, without HTTP and JSON")
	f.BoolVar(&o.logRequests, "log-requests", false, "log every request, also those refused with 400 and 401, with the reason")
}

func (o *serveOptions) check() error {
	if o.queries < 1 || o.queue < 1 {
		return usageError{errors.New("--max-queries and --max-queue must be at least 1")}
	}
	if o.memory < minMemory {
		return usageError{fmt.Errorf("--memory must be at least %s", size(minMemory))}
	}
	if o.timeout <= 0 || o.patience < 0 {
		return usageError{errors.New("--query-timeout and --max-wait must be longer than zero")}
	}
	return nil
}

func (a *app) serve() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:   "serve",
		Short: "Answer the API from the data directory",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return a.runServer(c.Context(), o, func(net.Addr) {})
		},
	}
	o.flags(c)
	a.factsFlag(c)
	return c
}

// runServer answers until the context ends. It calls ready once it listens.
func (a *app) runServer(ctx context.Context, o serveOptions, ready func(net.Addr)) (err error) {
	if err := a.checkData(); err != nil {
		return err
	}
	level := slog.LevelInfo
	if o.logRequests {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))

	store, err := a.readCatalog(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	live, err := catalog.Follow(ctx, store, pollEvery, catalog.OnError(func(err error) {
		if err != nil {
			log.Error("cannot follow the catalog; going on with what is known", "error", err)
			return
		}
		log.Info("following the catalog again")
	}))
	if err != nil {
		return err
	}
	defer live.Close()
	debug.SetMemoryLimit(int64(o.memory) / 8 * 3)
	place, err := a.factsStore()
	if err != nil {
		return err
	}
	source, err := place.Follow(ctx, facts.Following{
		Poll: pollEvery, Memory: int64(o.memory) / 8 * 3, Hot: int64(o.memory) / 8, Spill: os.TempDir(), OnError: func(err error) { log.Error("cannot follow the facts", "error", err) },
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()

	s := &server.Server{
		Catalog: live.Current, Reports: &report.Reports{Facts: source}, Log: log,
		Timeout: o.timeout, Queries: o.queries, Queue: o.queue, Patience: o.patience, Cache: int64(o.memory) / 8, Timing: o.timing,
	}
	if o.noCache {
		s.Cache = 0
	}
	listener, err := server.Listen(o.listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "Sightline answers on http://%s (%s). Stop it with Ctrl-C.\n", listener.Addr(), a.places())
	ready(listener.Addr())
	return server.Serve(ctx, listener, s.Handler(), o.patience+o.timeout+sendTime, log)
}
