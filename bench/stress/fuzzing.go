package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/fuzz"
	"github.com/sightline-hq/sightline/bench/stress/stage"
	"github.com/sightline-hq/sightline/bench/stress/world"
)

// memory is what servers under stress may use: little, so that the answers
// that they remember fill it soon, and what grows afterwards is a leak.
const (
	memory      = "256M"
	memoryBytes = 256 << 20
)

// fuzzing sends random requests to a server with data of several teams.
func fuzzing(ctx context.Context, out io.Writer, o options) (err error) {
	s, err := stage.New(ctx, o.program, o.seed)
	defer func() { err = errors.Join(err, s.Close()) }()
	if err != nil {
		return err
	}
	keys, ended, err := everyState(ctx, s)
	if err != nil {
		return err
	}
	if err := fill(ctx, s, o); err != nil {
		return err
	}
	flags := []string{"--memory", memory}
	if o.logRequests {
		flags = append(flags, "--log-requests")
	}
	if err := s.Serve(ctx, flags...); err != nil {
		return err
	}
	time.Sleep(time.Until(ended))
	send := func(ctx context.Context, part uint64, requests int64) (fuzz.Outcome, error) {
		r := fuzz.Run{Address: s.Server.Address, Seed: o.seed, Requests: requests, Connections: o.connections}
		r.NewMaker = func(stream uint64) *fuzz.Maker { return fuzz.NewMaker(s.World, keys, o.seed, part<<32+stream) }
		return r.Do(ctx)
	}
	// What the server remembers, and what the engine's allocator keeps, is full only
	// after some hundred thousand requests; growth is what comes after that.
	if _, err := send(ctx, 0, o.requests*2/5); err != nil {
		return err
	}
	w, err := watch(ctx, s, o)
	if err != nil {
		return err
	}
	outcome, err := send(ctx, 1, o.requests)
	if err = errors.Join(err, w.stop()); err != nil {
		return err
	}
	printOutcome(out, outcome)
	return errors.Join(w.grown(out), silent(s, o.logRequests), refused(outcome))
}

// everyState makes keys in every state: for each team one in its overlap window,
// which works, and one that does not. Some of those end by themselves, within the
// time that is returned.
func everyState(ctx context.Context, s *stage.Stage) (keys fuzz.Keys, ended time.Time, err error) {
	keys = fuzz.Keys{Valid: s.Keys, Overlapping: make(map[*world.Team]string)}
	for i, team := range s.World.Teams {
		var dead string
		switch name := "dead-" + team.ID; i % 3 {
		case 0:
			dead, err = s.RevokedKey(ctx, team, name)
		case 1:
			dead, err = s.ExpiredKey(ctx, team, name, "1s")
		case 2:
			dead, err = s.RotatedKey(ctx, team, name, "1s")
		}
		if err != nil {
			return keys, ended, err
		}
		keys.Dead = append(keys.Dead, dead)
		if keys.Overlapping[team], err = s.RotatedKey(ctx, team, "rotated-"+team.ID, "7d"); err != nil {
			return keys, ended, err
		}
	}
	return keys, time.Now().Add(2 * time.Second), nil
}

// fill loads what there is to report on.
func fill(ctx context.Context, s *stage.Stage, o options) error {
	err := s.Load(ctx, "pageviews", func(w io.Writer) error { return s.World.Pageviews(w, "base", o.seed, o.visits) })
	if err != nil {
		return err
	}
	return s.Load(ctx, "answers", func(w io.Writer) error { return s.World.Answers(w, "base", o.seed, o.answers) })
}

func printOutcome(out io.Writer, o fuzz.Outcome) {
	fmt.Fprintf(out, "%d requests in %s, %.0f a second\n", o.Requests, o.Took.Round(100*time.Millisecond), float64(o.Requests)/o.Took.Seconds())
	for _, status := range slices.Sorted(maps.Keys(o.Statuses)) {
		fmt.Fprintf(out, "  %d %9d\n", status, o.Statuses[status])
	}
	fmt.Fprintf(out, "  cut %9d (requests that are too long)\n", o.Cut)
	for _, kind := range slices.Sorted(maps.Keys(o.Kinds)) {
		fmt.Fprintf(out, "  %-22s %9d\n", kind, o.Kinds[kind])
	}
}

// refused fails if the server was asked for more than it could do: then little
// has been tested; and if it cuts off where it should answer.
func refused(o fuzz.Outcome) error {
	if o.Overloaded*100 > o.Requests {
		return fmt.Errorf("%d of %d requests were turned away with 503", o.Overloaded, o.Requests)
	}
	// Who sends too much reads the answer, as a rule, before the connection ends.
	if told := o.Statuses[http.StatusRequestHeaderFieldsTooLarge] + o.Statuses[http.StatusRequestURITooLong]; o.Cut > told {
		return fmt.Errorf("%d requests that were too long were cut off, and only %d were answered", o.Cut, told)
	}
	return nil
}

// silent looks for what a log must not hold.
func silent(s *stage.Stage, requests bool) error {
	log, err := s.Log()
	if err != nil {
		return err
	}
	if strings.Contains(log, "level=ERROR") {
		return fmt.Errorf("the server's log tells of a failure: %.2000s", log)
	}
	if requests && !strings.Contains(log, "status=400") {
		return fmt.Errorf("the server's log does not tell of requests: %.500s", log)
	}
	return quietLog(s)
}

// quietLog looks for keys and panics, which no log may hold.
func quietLog(s *stage.Stage) error {
	log, err := s.Log()
	if err != nil {
		return err
	}
	for _, key := range s.Keys {
		if strings.Contains(log, key[3:35]) {
			return errors.New("the server's log holds a key")
		}
	}
	if strings.Contains(log, "panic") {
		return fmt.Errorf("the server's log tells of a panic: %.2000s", log)
	}
	return nil
}
