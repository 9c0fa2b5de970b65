package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/stage"
	"github.com/sightline-hq/sightline/bench/stress/traffic"
	"github.com/sightline-hq/sightline/bench/stress/world"
)

// What a publish adds: visits or answers, in turns.
const (
	visitsEach  = 400
	answersEach = 200
)

// callers ask at once; the server lets as many reports wait.
const callers = 8

// publishing loads again and again while requests run. Every answer must be
// exactly what a quiet server said before or after the load that is going on.
func publishing(ctx context.Context, out io.Writer, o options) error {
	expected, err := rehearse(ctx, o)
	if err != nil {
		return fmt.Errorf("rehearsal on a quiet server: %w", err)
	}
	fmt.Fprintf(out, "%d states of the data recorded, %d questions each\n", expected.States(), len(expected.Questions))
	return perform(ctx, out, o, expected)
}

// publish loads what makes state n of state n-1.
func publish(ctx context.Context, s *stage.Stage, n int) error {
	name := fmt.Sprintf("publish-%d", n)
	if n%2 == 1 {
		return s.Load(ctx, "pageviews", func(w io.Writer) error { return s.World.Pageviews(w, name, uint64(n), visitsEach) })
	}
	return s.Load(ctx, "answers", func(w io.Writer) error { return s.World.Answers(w, name, uint64(n), answersEach) })
}

// totalsOf are those of a state.
func totalsOf(o options, state int) traffic.Totals {
	answers := int64(o.answers + state/2*answersEach)
	return traffic.Totals{Visits: int64(o.visits + (state+1)/2*visitsEach), Runs: answers, Cited: answers * world.CitedByEach}
}

// rehearse publishes everything on a server that nobody else asks.
func rehearse(ctx context.Context, o options) (e *traffic.Expected, err error) {
	s, err := stage.New(ctx, o.program, o.seed)
	defer func() { err = errors.Join(err, s.Close()) }()
	if err != nil {
		return nil, err
	}
	if err := fill(ctx, s, o); err != nil {
		return nil, err
	}
	if err := s.Serve(ctx, "--no-cache"); err != nil {
		return nil, err
	}
	e = &traffic.Expected{Questions: traffic.Questions(s.World)}
	for state := range o.publishes + 1 {
		if state > 0 {
			if err := publish(ctx, s, state); err != nil {
				return nil, err
			}
		}
		if err := e.Record(ctx, s.Server.Address, s.Keys, totalsOf(o, state)); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// perform publishes everything again, under load.
func perform(ctx context.Context, out io.Writer, o options, e *traffic.Expected) (err error) {
	s, err := stage.New(ctx, o.program, o.seed)
	defer func() { err = errors.Join(err, s.Close()) }()
	if err != nil {
		return err
	}
	if err := fill(ctx, s, o); err != nil {
		return err
	}
	if err := s.Serve(ctx); err != nil {
		return err
	}
	again(e, s.World)
	clock := &traffic.Clock{}
	load := traffic.Load{Address: s.Server.Address, Keys: s.Keys, Expected: e, Clock: clock, PerSecond: o.rate, Callers: callers, Seed: o.seed}
	loading, stop := context.WithCancel(ctx)
	defer stop()
	published := make(chan error, 1)
	go func() {
		defer stop()
		published <- publishAll(loading, s, clock, o)
	}()
	outcome, err := load.Run(loading)
	stop()
	if err = errors.Join(err, <-published); err != nil {
		return err
	}
	return errors.Join(compare(out, o, outcome), silent(s, false))
}

// again asks the same questions as teams of another copy of the world.
func again(e *traffic.Expected, w *world.World) { e.Questions = traffic.Questions(w) }

// publishAll spreads the publishes over the time that there is, and waits until
// the last one must have been noticed.
func publishAll(ctx context.Context, s *stage.Stage, clock *traffic.Clock, o options) error {
	every := o.duration / time.Duration(o.publishes+1)
	started := time.Now()
	for n := 1; n <= o.publishes; n++ {
		if err := sleep(ctx, time.Until(started.Add(time.Duration(n)*every))); err != nil {
			return err
		}
		clock.Begin()
		if err := publish(ctx, s, n); err != nil {
			return err
		}
		clock.End()
	}
	return sleep(ctx, max(time.Until(started.Add(o.duration)), traffic.Notice+time.Second))
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// compare prints how the answers came, and fails if publishes held them up.
func compare(out io.Writer, o options, outcome traffic.Outcome) error {
	total := len(outcome.Quiet) + len(outcome.Busy)
	fmt.Fprintf(out, "%d publishes, %d answers, all of the state before or after; %d states were seen; 0 errors\n", o.publishes, total, len(outcome.States))
	quiet, busy := traffic.Percentile(outcome.Quiet, 0.99), traffic.Percentile(outcome.Busy, 0.99)
	for _, c := range []struct {
		name  string
		times []time.Duration
	}{{"quiet", outcome.Quiet}, {"publishing", outcome.Busy}} {
		fmt.Fprintf(out, "%-11s %8d answers, p50 %s, p99 %s, slowest %s\n", c.name, len(c.times), short(traffic.Percentile(c.times, 0.5)),
			short(traffic.Percentile(c.times, 0.99)), short(traffic.Percentile(c.times, 1)))
	}
	if outcome.States[o.publishes] == 0 {
		return errors.New("no answer showed the last publish")
	}
	if o.factor == 0 {
		return nil
	}
	if len(outcome.Quiet) < 100 || len(outcome.Busy) < 100 {
		return errors.New("too few answers to compare: take more time, or a higher rate")
	}
	if float64(busy) > o.factor*float64(quiet) {
		return fmt.Errorf("p99 is %s while a load publishes, and %s else: more than %.1f times", short(busy), short(quiet), o.factor)
	}
	return nil
}

func short(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
