package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/gauge"
	"github.com/sightline-hq/sightline/bench/stress/stage"
	"github.com/sightline-hq/sightline/bench/stress/traffic"
	"github.com/sightline-hq/sightline/bench/stress/world"
)

// soak is hours of the same: requests, and changes that change nothing for
// long. Two loads replace each other's events, so that the data do not grow, and
// what grows is a leak.
type soak struct {
	options
	stage   *stage.Stage
	load    traffic.Load
	changes int
	states  int
}

func soaking(ctx context.Context, out io.Writer, o options) (err error) {
	s, err := stage.New(ctx, o.program, o.seed)
	defer func() { err = errors.Join(err, s.Close()) }()
	if err != nil {
		return err
	}
	if err := fill(ctx, s, o); err != nil {
		return err
	}
	if err := s.Serve(ctx, "--memory", memory); err != nil {
		return err
	}
	k := &soak{options: o, stage: s}
	k.load = traffic.Load{Address: s.Server.Address, Keys: s.Keys, Clock: &traffic.Clock{}, PerSecond: o.rate, Callers: callers, Seed: o.seed}
	if err := k.record(ctx); err != nil {
		return err
	}
	warm := min(o.duration/5, 10*time.Minute)
	if err := k.run(ctx, warm, &traffic.Outcome{}); err != nil {
		return err
	}
	w, err := watch(ctx, s, o)
	if err != nil {
		return err
	}
	var outcome traffic.Outcome
	err = errors.Join(k.run(ctx, o.duration-warm, &outcome), w.stop())
	printReadings(out, w.readings)
	fmt.Fprintf(out, "%d answers, p99 %s; %d changes: %d publishes, and applies and keys\n", len(outcome.Quiet)+len(outcome.Busy),
		short(traffic.Percentile(append(outcome.Quiet, outcome.Busy...), 0.99)), k.changes, k.states)
	if err != nil {
		return err
	}
	return errors.Join(w.grown(out), silent(s, false))
}

// record publishes both loads and keeps the answers: the first state is the one
// without them, and then they take turns.
func (k *soak) record(ctx context.Context) error {
	k.load.Expected = &traffic.Expected{Questions: traffic.Questions(k.stage.World), Repeat: 1}
	for n := range 3 {
		totals := traffic.Totals{Visits: int64(k.visits), Runs: int64(k.answers), Cited: int64(k.answers) * world.CitedByEach}
		if n > 0 {
			if err := k.publish(ctx); err != nil {
				return err
			}
			totals.Visits += visitsEach
			time.Sleep(traffic.Notice) // the totals of both are the same: they do not tell when it has been noticed
		}
		if err := k.load.Expected.Record(ctx, k.stage.Server.Address, k.stage.Keys, totals); err != nil {
			return err
		}
	}
	return nil
}

// publish loads visits in place of those of the publish before.
func (k *soak) publish(ctx context.Context) error {
	k.load.Clock.Begin()
	defer k.load.Clock.End()
	k.states++
	return k.stage.Load(ctx, "pageviews", func(w io.Writer) error {
		// The batch makes each input another one: what has been loaded before is not loaded again.
		return k.stage.World.Replacing(w, "soak", uint64(k.states%2), k.states, visitsEach)
	})
}

// run asks and changes things for a while.
func (k *soak) run(ctx context.Context, length time.Duration, outcome *traffic.Outcome) error {
	ctx, stop := context.WithTimeout(ctx, length)
	defer stop()
	changed := make(chan error, 1)
	go func() {
		defer stop()
		changed <- k.change(ctx)
	}()
	var err error
	*outcome, err = k.load.Run(ctx)
	stop()
	return errors.Join(err, <-changed)
}

// change changes something now and then, in turns.
func (k *soak) change(ctx context.Context) error {
	work := context.WithoutCancel(ctx) // what has begun is finished
	for {
		if sleep(ctx, k.every) != nil {
			return nil
		}
		k.changes++
		var err error
		switch k.changes % 3 {
		case 0:
			err = k.stage.Program.Apply(work, k.stage.World.Workspace(k.changes))
		case 1:
			err = k.publish(work)
		case 2:
			err = k.stage.ShortLivedKey(work, k.stage.World.Teams[0], fmt.Sprintf("short-%d", k.changes))
		}
		if err != nil {
			return err
		}
	}
}

// printReadings prints some of many.
func printReadings(out io.Writer, all []gauge.Reading) {
	fmt.Fprintf(out, "%10s %12s %11s %11s %8s\n", "after", "memory, MB", "goroutines", "open files", "threads")
	for i := 0; i < len(all); i += max(1, len(all)/12) {
		r := all[i]
		fmt.Fprintf(out, "%10s %12.1f %11d %11d %8d\n", r.At.Sub(all[0].At).Round(time.Second), mb(r.RSS), r.Goroutines, r.Files, r.Threads)
	}
}
