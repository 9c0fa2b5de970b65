package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/gauge"
	"github.com/sightline-hq/sightline/bench/stress/stage"
)

const (
	// slack is what may be more at the end without being a leak: an allocator
	// and a runtime keep a little for later.
	slackShare      = 0.05 // of the memory, where that is more than --slack
	slackGoroutines = 10
	slackFiles      = 10
	slackThreads    = 24
	fewestReadings  = 3 // for a line through them
)

// watcher reads what a server holds while it works, and while it is idle
// before and after.
type watcher struct {
	stage    *stage.Stage
	before   gauge.Reading // idle
	after    gauge.Reading // idle
	readings []gauge.Reading
	slack    float64 // bytes
	every    time.Duration
	cancel   func()
	done     sync.WaitGroup
	err      error
}

// watch begins, on a server that is warm.
func watch(ctx context.Context, s *stage.Stage, o options) (*watcher, error) {
	w := &watcher{stage: s, slack: o.slack * (1 << 20), every: min(max(o.duration/2000, 100*time.Millisecond), 5*time.Second)}
	var err error
	if w.before, err = idle(s, gauge.Reading{}); err != nil {
		return nil, err
	}
	ctx, w.cancel = context.WithCancel(ctx)
	w.done.Go(func() {
		for ctx.Err() == nil && w.err == nil {
			var r gauge.Reading
			if r, w.err = s.Read(); w.err == nil {
				w.readings = append(w.readings, r)
			}
			select {
			case <-ctx.Done():
			case <-time.After(w.every):
			}
		}
	})
	return w, nil
}

// stop ends the readings.
func (w *watcher) stop() (err error) {
	w.cancel()
	w.done.Wait()
	for len(w.readings) < fewestReadings && w.err == nil { // a short run
		time.Sleep(50 * time.Millisecond)
		var r gauge.Reading
		if r, w.err = w.stage.Read(); w.err == nil {
			w.readings = append(w.readings, r)
		}
	}
	w.after, err = idle(w.stage, w.before)
	return errors.Join(w.err, err)
}

// idle waits until the server holds no more than before, or no longer less.
func idle(s *stage.Stage, before gauge.Reading) (r gauge.Reading, err error) {
	for range 20 {
		time.Sleep(250 * time.Millisecond)
		if r, err = s.Read(); err != nil || r.Goroutines <= before.Goroutines && r.Files <= before.Files {
			return r, err
		}
	}
	return r, nil
}

// grown prints what the server holds, and fails if it holds ever more.
func (w *watcher) grown(out io.Writer) error {
	first, last := w.readings[0], w.readings[len(w.readings)-1]
	line := gauge.Fit(w.readings, gauge.RSS)
	fmt.Fprintf(out, "memory      %6.1f MB first, %6.1f MB last, %+.1f ± %.1f MB an hour over %s\n", mb(first.RSS), mb(last.RSS),
		line.PerHour/(1<<20), line.Error/(1<<20), line.Span.Round(time.Second))
	fmt.Fprintf(out, "goroutines  %6d idle before, %6d after\n", w.before.Goroutines, w.after.Goroutines)
	fmt.Fprintf(out, "open files  %6d idle before, %6d after\n", w.before.Files, w.after.Files)
	fmt.Fprintf(out, "threads     %6d idle before, %6d after\n", w.before.Threads, w.after.Threads)
	var err error
	if limit := max(w.slack, slackShare*line.Mean); line.Growth() > limit {
		err = errors.Join(err, fmt.Errorf("memory grew by %.1f MB in %s", line.Growth()/(1<<20), line.Span))
	}
	for _, c := range []struct {
		name          string
		before, after int64
		slack         int64
	}{
		{"goroutines", w.before.Goroutines, w.after.Goroutines, slackGoroutines},
		{"open files", w.before.Files, w.after.Files, slackFiles},
		{"threads", w.before.Threads, w.after.Threads, slackThreads},
	} {
		if c.after > c.before+c.slack {
			err = errors.Join(err, fmt.Errorf("%s grew from %d to %d", c.name, c.before, c.after))
		}
	}
	return err
}

func mb(bytes int64) float64 { return float64(bytes) / (1 << 20) }
