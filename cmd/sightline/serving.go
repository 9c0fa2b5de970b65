package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/internal/admin"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/logs"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

const (
	// pollEvery is how often a server looks for changes. The promise is a second.
	pollEvery = 200 * time.Millisecond
	// certificateEvery is how often it looks for a new certificate.
	certificateEvery = time.Second
)

// garbage is how much of it may gather beside what is in use, in percent, within the
// limit of memory: collecting it takes the cores from the requests, most when answers
// are large and what is at hand is little.
const garbage = 400

// slowWrongKeys is from when on whoever tries keys has to wait: a person who
// mistypes, or a program that was not told of a new key, does not notice.
var slowWrongKeys = server.Slowdown{Free: 50, Pause: time.Second}

// runServer answers until the context ends. It calls ready once it listens.
func (a *app) runServer(ctx context.Context, o serveOptions, ready func(net.Addr)) (err error) {
	if err := a.checkData(); err != nil {
		return err
	}
	log, err := a.serverLog(o)
	if err != nil {
		return err
	}
	defer func() { err = ended(ctx, o, log, err) }()
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
	}), catalog.OnDamage(func(keys []error) { tellOfKeys(log, keys) }))
	if err != nil {
		return err
	}
	defer live.Close()
	debug.SetMemoryLimit(int64(o.memory) / 8 * 3)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	place, err := a.factsStore()
	if err != nil {
		return err
	}
	a.warnOfHalfCopy(ctx, log)
	source, err := place.Follow(ctx, facts.Following{
		Poll: pollEvery, Memory: int64(o.memory) / 8 * 3, Hot: int64(o.memory) / 8, Spill: os.TempDir(),
		OnError: func(err error) {
			if err != nil {
				log.Error("cannot follow the facts; going on with what is known", "error", err)
				return
			}
			log.Info("following the facts again")
		},
		OnDamage: (&damageLog{log: log}).tell,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()

	s := &server.Server{
		Catalog: live.Current, Reports: &report.Reports{Facts: source}, Log: log,
		Timeout: o.timeout, Queries: o.queries, Queue: o.queue, Patience: o.patience, Cache: int64(o.memory) / 8, Timing: o.timing,
		WrongKeys: slowWrongKeys, Proxies: o.trusted,
	}
	if o.noCache {
		s.Cache = 0
	}
	newest := &admin.Newest{Facts: source, Status: place.Status}
	checks := []admin.Check{admin.FactsCheck(source, newest.Seconds), admin.FilesCheck(source), admin.CatalogCheck(live)}
	return a.open(ctx, o, s, log, admin.Parts{
		Version: version, Checks: checks, Server: s.Figures, Facts: source, Newest: newest.Seconds,
		Catalog: func() int64 { return live.Current().Version() },
	}, ready)
}

// warnOfHalfCopy tells that answers lack something, if that can be found out soon: a
// server that hangs must not keep this one from answering.
func (a *app) warnOfHalfCopy(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := a.notHalfCopied(ctx); errors.Is(err, errHalfCopied) {
		log.Warn("answers lack what is not copied yet", "error", err)
	}
}

// serverLog is where a server tells what happens, beside what it tells at once.
func (a *app) serverLog(o serveOptions) (*slog.Logger, error) {
	if o.logRequests {
		o.logLevel = "debug"
	}
	log, err := logs.New(a.stderr, o.logFormat, o.logLevel)
	if err != nil {
		return nil, usageError{err}
	}
	return log, nil
}

// open answers on the addresses of a server: the API's, and the one for whoever
// runs it, which ends last so that it can tell of the stop.
func (a *app) open(ctx context.Context, o serveOptions, s *server.Server, log *slog.Logger, parts admin.Parts, ready func(net.Addr)) (err error) {
	connections := &server.Connections{Most: o.connections}
	parts.Connections = connections.Figures
	serving := server.Serving{Log: log, Answer: o.patience + o.timeout, Drain: o.drain, Connections: connections}
	var beside sync.WaitGroup
	last, end := context.WithCancel(context.WithoutCancel(ctx))
	defer func() { end(); beside.Wait() }()
	scheme := "http"
	if o.tlsCert != "" {
		scheme = "https"
		if serving.Certificate, err = server.OpenCertificate(o.tlsCert, o.tlsKey, log); err != nil {
			return err
		}
		parts.Certificate = serving.Certificate.Expires
		parts.Checks = append(parts.Checks, admin.CertificateCheck(serving.Certificate))
		beside.Go(func() { serving.Certificate.Follow(last, certificateEvery) })
	}
	side := admin.New(parts)
	s.Observe = side.Observe
	again := make(chan os.Signal, 1)
	defer signal.Stop(again)
	serving.Hurry, serving.Stopping = again, func() {
		signal.Notify(again, stopSignals...) // the first one has come
		log.Info("stopping; answering what is under way", "requests", connections.Figures().Answering)
		side.Stop()
	}
	serving.Handler = s.Handler()
	listener, err := server.Listen(o.listen, "--listen")
	if err != nil {
		return err
	}
	if o.admin != "" {
		sideListener, err := server.Listen(o.admin, "--admin")
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		beside.Go(func() {
			err := server.Serve(last, sideListener, server.Serving{Handler: side.Handler(), Log: log, Answer: time.Minute, Drain: time.Second})
			if err != nil {
				log.Error("the admin port failed", "error", err)
			}
		})
		a.tell(o, log, fmt.Sprintf("Health and metrics are on http://%s.", shownAddress(o.admin, sideListener.Addr())))
		if everywhere(o.admin) {
			log.Warn("the admin port asks for no key, and listens on all addresses of this machine: let only those reach it who run the server", "address", o.admin)
		}
	}
	a.tell(o, log, fmt.Sprintf("Sightline answers on %s://%s (%s). Stop it with Ctrl-C.", scheme, shownAddress(o.listen, listener.Addr()), a.places()))
	ready(listener.Addr())
	return server.Serve(ctx, listener, serving)
}

// tell says where the server is: to a person, or to a program that reads the log.
func (a *app) tell(o serveOptions, log *slog.Logger, text string) {
	if o.logFormat == "json" {
		log.Info(text)
		return
	}
	fmt.Fprintln(a.stderr, text)
}
