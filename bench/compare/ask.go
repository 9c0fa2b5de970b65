package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/bench/compare/engines"
	"github.com/sightline-hq/sightline/bench/compare/questions"
	"github.com/sightline-hq/sightline/bench/compare/report"
	"github.com/sightline-hq/sightline/bench/compare/sightline"
	"github.com/sightline-hq/sightline/bench/compare/wire"
)

const (
	// An engine that takes this long for a question is asked less often.
	patience = 15 * time.Second
	leastRun = 3
)

// askFlags are those of a server that is asked the questions.
var askFlags = []string{"--no-cache", "--timing", "--max-queries", "2"}

// peer is another engine, open.
type peer struct {
	engines.Kind
	engines.Engine
}

// ask asks everybody everything, in turns.
func (b *bench) ask(ctx context.Context) (err error) {
	all, err := questions.All()
	if err != nil {
		return err
	}
	var peers []peer
	defer func() {
		for _, p := range peers {
			err = errors.Join(err, p.Close())
		}
	}()
	for _, k := range b.kinds {
		e, err := k.Open(ctx, filepath.Join(b.root, k.Name))
		if err != nil {
			return fmt.Errorf("%w (--without %s leaves it out)", err, k.Name)
		}
		peers = append(peers, peer{k, e})
		if err := b.noteVersion(ctx, peers[len(peers)-1]); err != nil {
			return err
		}
	}
	server, err := b.serve(ctx, b.sightline(), askFlags...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	cluster, err := b.serveCopy(ctx, peers)
	if err != nil {
		return err
	}
	if cluster != nil {
		defer func() { err = errors.Join(err, cluster.Stop()) }()
	}
	bare, err := wire.Listen()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.Close()) }()
	for _, q := range all {
		if b.only != "" && !slices.Contains(strings.Split(b.only, ","), fmt.Sprint(q.Number)) {
			continue
		}
		r, err := b.askOne(ctx, q, asked{server, cluster, bare, peers})
		if err != nil {
			return fmt.Errorf("question %d, %s: %w", q.Number, q.Title, err)
		}
		b.results.PutQuestion(r)
		if err := b.results.Save(b.saved); err != nil {
			return err
		}
		say("%2d %-60s %8.2f ms, best of the others %.2f ms", q.Number, q.Title, report.Median(r.Times[report.Sightline]), r.Best())
	}
	b.results.Peaks["questions"], err = server.Peak()
	return err
}

func (b *bench) noteVersion(ctx context.Context, p peer) error {
	version, err := p.Version(ctx)
	version, _, _ = strings.Cut(version, " ") // of PostgreSQL, Debian's follows
	for i := range b.results.Engines {
		if b.results.Engines[i].Name == p.Name {
			b.results.Engines[i].Version = version
		}
	}
	return err
}

// serve starts a server, and waits until it answers and rests.
func (b *bench) serve(ctx context.Context, p sightline.Program, flags ...string) (*sightline.Server, error) {
	key, err := p.Key(ctx, data.Agency)
	if err != nil {
		return nil, err
	}
	server, err := p.Serve(ctx, key, append(flags, "--memory", b.memory)...)
	if err != nil {
		return nil, err
	}
	_, err = server.Wait(ctx, "/v1/products")
	if err == nil {
		err = server.Settle(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return server, nil
}

// asked is everybody who is asked.
type asked struct {
	server, cluster *sightline.Server
	bare            *wire.Server // for as many bytes
	peers           []peer
}

// askOne asks a question. The first answers are compared and not counted.
func (b *bench) askOne(ctx context.Context, q *questions.Question, of asked) (*report.Question, error) {
	r := &report.Question{Number: q.Number, Title: q.Title, AtLeast: q.AtLeast, Traffic: !q.Answers(), Times: make(map[string][]float64)}
	spent := make(map[string]time.Duration)
	for round := range b.repeat + 1 {
		answer, err := of.server.Ask(ctx, q.Request)
		if err != nil {
			return nil, err
		}
		var want any
		if round == 0 {
			r.Bytes = len(answer.Body)
			if want, err = questions.Parse(answer.Body); err != nil {
				return nil, err
			}
		} else {
			r.Times[report.Sightline] = append(r.Times[report.Sightline], ms(answer.Took))
			r.Own = append(r.Own, ms(answer.Own))
		}
		if err := askCopy(ctx, q, of.cluster, r, round, answer.Body); err != nil {
			return nil, err
		}
		sent, err := of.bare.Send(ctx, r.Bytes)
		if err != nil {
			return nil, err
		}
		if round > 0 {
			r.Wire = append(r.Wire, ms(sent))
		}
		for _, p := range of.peers {
			if round > leastRun && spent[p.Name] > patience {
				continue
			}
			rows, took, err := query(ctx, q, p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Title, err)
			}
			if round > 0 {
				spent[p.Name] += took
				r.Times[p.Name] = append(r.Times[p.Name], ms(took))
				continue
			}
			got, err := q.Shape(b.world, rows)
			if err == nil {
				err = questions.Same(want, got)
			}
			if err != nil {
				return nil, fmt.Errorf("%s disagrees with Sightline: %w", p.Title, err)
			}
		}
	}
	return r, nil
}

// query asks an engine.
func query(ctx context.Context, q *questions.Question, p peer) (rows []engines.Rows, took time.Duration, err error) {
	statements, err := q.SQL(p.Dialect())
	if err != nil {
		return nil, 0, err
	}
	started := time.Now()
	for _, s := range statements {
		r, err := p.Ask(ctx, s)
		if err != nil {
			return nil, 0, fmt.Errorf("%w\n%s", err, s)
		}
		rows = append(rows, r)
	}
	return rows, time.Since(started), nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
