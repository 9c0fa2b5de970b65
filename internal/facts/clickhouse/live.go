package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// pollTime is how long asking for the version may take.
const pollTime = 5 * time.Second

// Live follows the published facts. It implements facts.Live.
type Live struct {
	*base
	options facts.Following
	stop    context.CancelFunc
	done    chan struct{}
	failed  atomic.Pointer[error]

	mu      sync.Mutex
	current *state
	seen    time.Time // when current was last known to be so
	users   sync.WaitGroup
	closed  bool
}

// Follow implements facts.Store.
func (s Store) Follow(ctx context.Context, options facts.Following) (facts.Live, error) {
	b, err := s.open()
	if err != nil {
		return nil, err
	}
	l := &Live{base: b, options: options, done: make(chan struct{}), current: &state{}}
	if err := b.checkSchema(ctx, b); err != nil {
		return nil, errors.Join(err, b.close())
	}
	if err := l.update(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	go l.follow(ctx)
	return l, nil
}

// tooOld is how long a state may go unconfirmed: after the grace period, its
// editions may be gone, and an answer from it would be too small.
const tooOld = grace / 2

// Acquire implements facts.Source.
func (l *Live) Acquire() (facts.Set, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return nil, errors.New("facts are closed")
	case time.Since(l.seen) > tooOld:
		return nil, fmt.Errorf("nothing was heard of the facts for %s: %w", time.Since(l.seen).Round(time.Second), errors.Join(l.Err()))
	}
	l.users.Add(1)
	return &set{live: l, state: l.current, seen: l.seen}, nil
}

// Err implements facts.Live.
func (l *Live) Err() error {
	if err := l.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Close implements facts.Live. It waits for the sets in use.
func (l *Live) Close() error {
	l.stop()
	<-l.done
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.users.Wait()
	return l.base.close()
}

func (l *Live) follow(ctx context.Context) {
	defer close(l.done)
	ticker := time.NewTicker(l.options.Poll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			l.note(ctx, l.update(ctx))
		}
	}
}

// note remembers the outcome of an update, and tells of an error once.
func (l *Live) note(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil {
		l.failed.Store(nil)
		return
	}
	if before := l.failed.Swap(&err); before == nil && l.options.OnError != nil {
		l.options.OnError(err)
	}
}

// update moves to the newest state if there is one.
func (l *Live) update(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pollTime)
	defer cancel()
	asked := time.Now()
	version, err := l.newest(ctx, l)
	if err != nil {
		return err
	}
	next := l.current // only this goroutine writes it
	if version != next.version {
		if next, err = l.stateAt(ctx, l, version); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current, l.seen = next, asked
	return nil
}
