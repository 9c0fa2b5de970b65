package duckdb

import (
	"context"
	"sync"
	"time"
)

// How long opening a set waits for sums, of the newest files first. A small
// folder is compared completely before the first answer; of a large one, the
// rest is read while it answers, within minutes, at a quarter of a core.
const (
	sumsAtStart   = 250 * time.Millisecond
	sumsAtPublish = 50 * time.Millisecond
	sumsShare     = 4
)

// inspect looks at the files of a version, and reads those that are new for as
// long as it may.
func (l *Live) inspect(ctx context.Context, version int64, files []file) (map[string]error, error) {
	if _, err := l.inspector.look(files); err != nil {
		return nil, err
	}
	if version != l.current.version {
		patience := sumsAtPublish
		if l.current.version == 0 {
			patience = sumsAtStart
		}
		l.sumFor(ctx, files, patience)
	}
	return l.inspector.look(files)
}

func (l *Live) sumFor(ctx context.Context, files []file, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		f, any := l.inspector.unsummed(files)
		if !any || l.inspector.sum(ctx, f, nil) != nil {
			return
		}
	}
}

// summing compares the sums of files in the background.
type summing struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

func (s *summing) begin(ctx context.Context, l *Live) {
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.done.Go(func() {
		for ctx.Err() == nil {
			f, any := l.inspector.unsummed(l.files())
			if any && l.inspector.sum(ctx, f, func(took time.Duration) { rest(ctx, (sumsShare-1)*took) }) == nil {
				continue
			}
			rest(ctx, l.options.Poll)
		}
	})
}

func (s *summing) end() {
	s.stop()
	s.done.Wait()
}

// files are those of the current set.
func (l *Live) files() []file {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return nil
	}
	return l.current.files
}

func rest(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
}
