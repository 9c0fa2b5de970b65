package duckdb

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Options of reading.
type Options = facts.Following

// Live follows the published facts of a folder. It implements facts.Source.
type Live struct {
	facts.Watch
	dir     string
	options Options
	hot     *hot

	manifest *manifest // nil until there is one; used by one goroutine at a time

	mu      sync.Mutex
	current *set
}

// Follow opens the current set and keeps up with new ones until Close.
// A folder without a manifest is an empty set, until the first load.
func Follow(ctx context.Context, dir string, options Options) (*Live, error) {
	hot := newHot(options.Hot)
	empty, err := newSet(ctx, dir, 0, nil, hot, options)
	if err != nil {
		return nil, err
	}
	l := &Live{dir: dir, options: options, hot: hot, current: empty}
	if err := l.update(ctx); err != nil {
		empty.Close()
		return nil, errors.Join(err, l.closeManifest())
	}
	l.Begin(ctx, options.Poll, l.update, l.tell)
	return l, nil
}

// tell tells of an error once, until it is another one.
func (l *Live) tell(before, now error) {
	if (before == nil || before.Error() != now.Error()) && l.options.OnError != nil {
		l.options.OnError(now)
	}
}

// Acquire implements facts.Source.
func (l *Live) Acquire() (facts.Set, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return nil, errors.New("facts are closed")
	}
	return l.current.acquire(), nil
}

// Close stops following. Sets in use stay whole until they are closed.
func (l *Live) Close() error {
	l.End()
	l.swap(nil)
	return l.closeManifest()
}

func (l *Live) closeManifest() error {
	if l.manifest == nil {
		return nil
	}
	return l.manifest.close()
}

// update moves to the newest set if there is one.
func (l *Live) update(ctx context.Context) error {
	if l.manifest == nil {
		m, err := openManifest(ctx, l.dir, false)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		l.manifest = m
	}
	version, err := l.manifest.version(ctx)
	if err != nil || version == l.current.version {
		return err
	}
	version, files, err := l.manifest.current(ctx)
	if err != nil {
		return err
	}
	next, err := newSet(ctx, l.dir, version, files, l.hot, l.options)
	if err != nil {
		return err
	}
	l.swap(next)
	return nil
}

// swap puts a set in place and releases the one before.
func (l *Live) swap(next *set) {
	l.mu.Lock()
	before := l.current
	l.current = next
	l.mu.Unlock()
	if before != nil {
		before.Close()
	}
}
