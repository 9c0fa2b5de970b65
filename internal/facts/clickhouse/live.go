package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// behind is how long replicas may name an earlier version after a new one: later,
// the facts have gone back to it.
const behind = time.Minute

// pollTime is how long asking for the version may take.
const pollTime = 5 * time.Second

// Live follows the published facts. It implements facts.Live.
type Live struct {
	*base
	facts.Watch
	options facts.Following

	mu      sync.Mutex
	current *state
	memory  *kept.Memory // of what sets have read
	seen    time.Time    // when current was last known to be so
	users   sync.WaitGroup
	closed  bool
	moved   time.Time // when a new version was last seen
}

// Follow implements facts.Store.
func (s Store) Follow(ctx context.Context, options facts.Following) (facts.Live, error) {
	b, err := s.open()
	if err != nil {
		return nil, err
	}
	l := &Live{base: b, options: options, current: &state{}, memory: newMemory(options)}
	if err := b.checkSchema(ctx, b); err != nil {
		return nil, errors.Join(err, b.close())
	}
	if err := l.update(ctx); err != nil {
		return nil, errors.Join(err, b.close())
	}
	l.Begin(ctx, options.Poll, l.update, l.tell)
	return l, nil
}

func newMemory(options facts.Following) *kept.Memory {
	return kept.NewMemory(options.Hot, kept.NameSize)
}

// tell tells of the first error of an outage.
func (l *Live) tell(before, now error) {
	if (before == nil || now == nil) && l.options.OnError != nil {
		l.options.OnError(now)
	}
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
	return newSet(l, l.current, l.seen, l.memory), nil
}

// Damaged implements facts.Live: ClickHouse sees to its files itself.
func (l *Live) Damaged() []facts.Damage { return nil }

// Close implements facts.Live. It waits for the sets in use.
func (l *Live) Close() error {
	l.End()
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.users.Wait()
	return l.base.close()
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
	if version < next.version && asked.Sub(l.moved) < behind {
		version = next.version // a replica that has not heard of it yet
	}
	if version != next.version {
		l.moved = asked
		next, err = l.stateAt(ctx, l, version)
		switch {
		case errors.Is(err, errEarly) && l.current.version > 0:
			next = l.current
		case err != nil:
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if next.version < l.current.version { // versions may come again, and be others
		l.memory = newMemory(l.options)
	}
	l.current, l.seen = next, asked
	return nil
}
