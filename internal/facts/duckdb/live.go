package duckdb

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Options of reading.
type Options = facts.Following

// Live follows the published facts of a folder. It implements facts.Source.
type Live struct {
	dir     string
	options Options
	stop    context.CancelFunc
	done    chan struct{}
	failed  atomic.Pointer[error]

	manifest *manifest // nil until there is one; used by one goroutine at a time

	mu      sync.Mutex
	current *set
}

// Follow opens the current set and keeps up with new ones until Close.
// A folder without a manifest is an empty set, until the first load.
func Follow(ctx context.Context, dir string, options Options) (*Live, error) {
	empty, err := newSet(ctx, dir, 0, nil, options)
	if err != nil {
		return nil, err
	}
	l := &Live{dir: dir, options: options, done: make(chan struct{}), current: empty}
	if err := l.update(ctx); err != nil {
		empty.Close()
		return nil, errors.Join(err, l.closeManifest())
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	go l.follow(ctx)
	return l, nil
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

// Err returns why the facts cannot be followed at the moment, or nil.
func (l *Live) Err() error {
	if err := l.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Close stops following. Sets in use stay whole until they are closed.
func (l *Live) Close() error {
	l.stop()
	<-l.done
	l.swap(nil)
	return l.closeManifest()
}

func (l *Live) closeManifest() error {
	if l.manifest == nil {
		return nil
	}
	return l.manifest.close()
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
	if before := l.failed.Swap(&err); (before == nil || (*before).Error() != err.Error()) && l.options.OnError != nil {
		l.options.OnError(err)
	}
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
	next, err := newSet(ctx, l.dir, version, files, l.options)
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
