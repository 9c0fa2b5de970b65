package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/stage"
	"github.com/sightline-hq/sightline/bench/stress/traffic"
)

const (
	// running and waiting are what the server takes on at once.
	running, waiting = 2, 8
	// refuseWithin is how soon who is turned away must know.
	refuseWithin = 50 * time.Millisecond
	// recoverWithin is how soon all is as before.
	recoverWithin = 5 * time.Second
)

// overloading asks ten times more at once than the server takes on.
func overloading(ctx context.Context, out io.Writer, o options) (err error) {
	s, err := stage.New(ctx, o.program, o.seed)
	defer func() { err = errors.Join(err, s.Close()) }()
	if err != nil {
		return err
	}
	if err := fill(ctx, s, o); err != nil {
		return err
	}
	if err := s.Serve(ctx, "--memory", memory, "--no-cache", "--max-queries", fmt.Sprint(running), "--max-queue", fmt.Sprint(waiting)); err != nil {
		return err
	}
	questions := traffic.Questions(s.World)
	before, err := alone(ctx, s, questions)
	if err != nil {
		return err
	}
	times, most := flood(ctx, s, questions, min(o.duration, 20*time.Second))
	ended := time.Now()
	after, err := alone(ctx, s, questions)
	for err == nil && after > 2*before && time.Since(ended) < recoverWithin {
		after, err = alone(ctx, s, questions)
	}
	if err != nil {
		return fmt.Errorf("after the flood: %w", err)
	}
	refused := traffic.Percentile(times[http.StatusServiceUnavailable], 0.99)
	fmt.Fprintf(out, "%d callers at once: %d answered, %d turned away with 503 (p50 %s, p99 %s), memory at most %.1f MB\n", 10*(running+waiting),
		len(times[http.StatusOK]), len(times[http.StatusServiceUnavailable]), short(traffic.Percentile(times[http.StatusServiceUnavailable], 0.5)), short(refused), mb(most))
	fmt.Fprintf(out, "one question alone: %s before, %s within %s after\n", short(before), short(after), time.Since(ended).Round(time.Millisecond))
	for status, all := range times {
		if status != http.StatusOK && status != http.StatusServiceUnavailable {
			err = errors.Join(err, fmt.Errorf("%d answers with status %d", len(all), status))
		}
	}
	if len(times[http.StatusOK]) == 0 || len(times[http.StatusServiceUnavailable]) == 0 {
		err = errors.Join(err, errors.New("this was no overload, or nothing was answered"))
	}
	if o.factor > 0 && refused > refuseWithin {
		err = errors.Join(err, fmt.Errorf("who is turned away knows after %s, not %s", refused, refuseWithin))
	}
	if o.factor > 0 && after > 2*before {
		err = errors.Join(err, fmt.Errorf("%s after the flood a question takes %s, before it took %s", recoverWithin, after, before))
	}
	if most > memoryBytes {
		err = errors.Join(err, fmt.Errorf("the server took %.1f MB, more than --memory %s", mb(most), memory))
	}
	return errors.Join(err, quietLog(s))
}

// alone is how long a question takes when nobody else asks: the middle of some.
func alone(ctx context.Context, s *stage.Stage, questions []traffic.Question) (time.Duration, error) {
	var times []time.Duration
	for _, q := range questions[:24] {
		status, took, err := one(ctx, http.DefaultClient, s, q)
		if err != nil || status != http.StatusOK {
			return 0, fmt.Errorf("status %d: %w", status, err)
		}
		times = append(times, took)
	}
	return traffic.Percentile(times, 0.5), nil
}

// flood returns the times of answers by their status (0: none came), and the
// most memory that was seen.
func flood(ctx context.Context, s *stage.Stage, questions []traffic.Question, length time.Duration) (times map[int][]time.Duration, most int64) {
	ctx, stop := context.WithTimeout(ctx, length)
	defer stop()
	times = make(map[int][]time.Duration)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 10 * (running + waiting), DisableCompression: true}}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 10 * (running + waiting) {
		all.Go(func() {
			for n := i; ctx.Err() == nil; n++ {
				status, took, err := one(context.WithoutCancel(ctx), client, s, questions[n%len(questions)])
				if err != nil {
					status = 0
				}
				mu.Lock()
				times[status] = append(times[status], took)
				mu.Unlock()
				if status != http.StatusOK {
					time.Sleep(200 * time.Millisecond) // impatient, but no machine gun
				}
			}
		})
	}
	all.Go(func() {
		for ctx.Err() == nil {
			if r, err := s.Read(); err == nil {
				most = max(most, r.RSS)
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	all.Wait()
	return times, most
}

func one(ctx context.Context, client *http.Client, s *stage.Stage, q traffic.Question) (status int, took time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Server.Address+q.Target(0), nil)
	if err != nil {
		return 0, 0, err
	}
	req.Header.Set("Authorization", "Bearer "+s.Keys[q.Team])
	started := time.Now()
	res, err := client.Do(req)
	if err != nil {
		return 0, time.Since(started), err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, time.Since(started), err
}
