package catalog

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// PollInterval is how often a server looks for a new version; with the time it
// takes to read one, a change is seen well within a second.
const PollInterval = 200 * time.Millisecond

// Live is a snapshot that follows its store.
type Live struct {
	store    *Store
	current  atomic.Pointer[Snapshot]
	failure  atomic.Pointer[failure]
	onChange func(error)
	onDamage func(keys []error)
	identity string    // of what was read last; of the goroutine that reads
	good     time.Time // when reading last worked; of the goroutine that reads
	stop     context.CancelFunc
	stopped  sync.WaitGroup
}

type failure struct {
	err   error
	since time.Time
}

// FollowOption changes how a store is followed.
type FollowOption func(*Live)

// OnError has f called when reading the store starts to fail, and with nil when
// it works again. Err has the latest reason.
func OnError(f func(error)) FollowOption { return func(l *Live) { l.onChange = f } }

// OnDamage has f called with the keys that are damaged, and what to do, when they
// are others than before.
func OnDamage(f func(keys []error)) FollowOption { return func(l *Live) { l.onDamage = f } }

// Follow reads the store now, and from then on whenever its version moved. While
// the store cannot be read the last snapshot stays. It ends with the context or
// with Close; the store stays open.
func Follow(ctx context.Context, s *Store, interval time.Duration, options ...FollowOption) (*Live, error) {
	identity := s.engine.identity()
	first, err := s.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	l := &Live{store: s, identity: identity, onChange: func(error) {}, onDamage: func([]error) {}}
	for _, option := range options {
		option(l)
	}
	l.move(&Snapshot{}, first)
	l.good = time.Now()
	ctx, l.stop = context.WithCancel(ctx)
	l.stopped.Go(func() { l.run(ctx, interval) })
	return l, nil
}

// Current returns the latest snapshot that could be read.
func (l *Live) Current() *Snapshot { return l.current.Load() }

// Err returns why the store cannot be read, or nil if it can. Meanwhile Current
// is the last that was seen: old, but whole. It is what a server's readiness is
// told by.
func (l *Live) Err() error {
	if f := l.failure.Load(); f != nil {
		return f.err
	}
	return nil
}

// Since returns when the store was last known to be readable, while it is not:
// what was changed there since then, such as a key that was revoked, is not known.
func (l *Live) Since() (at time.Time, failing bool) {
	if f := l.failure.Load(); f != nil {
		return f.since, true
	}
	return time.Time{}, false
}

// Close stops following.
func (l *Live) Close() {
	l.stop()
	l.stopped.Wait()
}

func (l *Live) run(ctx context.Context, interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := l.refresh(ctx)
		if err != nil && l.Err() == nil && !errors.Is(err, context.DeadlineExceeded) {
			err = l.refresh(ctx) // a connection that was cut is no failure yet
		}
		if ctx.Err() == nil {
			l.note(err)
		}
	}
}

// A database that does not answer must be noticed, though nobody says no.
const (
	versionPatience  = 5 * time.Second
	snapshotPatience = time.Minute
)

// refresh reloads if the version is another one, or the place holds another
// catalog; after a restore from a backup the version may be a lower one, or the same.
func (l *Live) refresh(ctx context.Context) error {
	version, err := l.version(ctx)
	identity := l.store.engine.identity() // before it is read: a later one is read next time
	if err != nil || version == l.Current().Version() && identity == l.identity {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, snapshotPatience)
	defer cancel()
	next, err := l.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	l.move(l.Current(), next)
	l.identity = identity
	return nil
}

// move goes on with another snapshot.
func (l *Live) move(from, to *Snapshot) {
	l.current.Store(to)
	if !slices.Equal(from.damaged, to.damaged) {
		l.onDamage(to.Damaged())
	}
}

func (l *Live) version(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, versionPatience)
	defer cancel()
	return l.store.Version(ctx)
}

func (l *Live) note(err error) {
	before := l.failure.Load()
	if err == nil {
		l.failure.Store(nil)
		l.good = time.Now()
	} else {
		l.failure.Store(&failure{err, l.good})
	}
	if (err == nil) != (before == nil) {
		l.onChange(err)
	}
}
