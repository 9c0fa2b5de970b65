package duckdb

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

const (
	// grace is how long a replaced file stays for servers that are still
	// opening the set it belonged to. Those that have it open keep it anyway.
	grace       = 5 * time.Minute
	stagePrefix = "stage-"
	fileSuffix  = ".duckdb"
)

// Loader publishes facts into a folder. It implements facts.Loader.
type Loader struct {
	dir      string
	lock     *lock
	manifest *manifest

	// Merging says which weeks are put together; it can be changed before a load.
	Merging Merging
}

// OpenLoader waits for other loads to end, and removes what crashed ones and
// earlier publishes left behind.
func OpenLoader(ctx context.Context, dir string, waiting func(pid string)) (*Loader, error) {
	lock, err := takeLock(ctx, dir, waiting)
	if err != nil {
		return nil, err
	}
	m, err := openManifest(ctx, dir, true)
	if err != nil {
		return nil, errors.Join(err, lock.release())
	}
	l := &Loader{dir: dir, lock: lock, manifest: m, Merging: DefaultMerging}
	if err := l.sweep(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Close implements facts.Loader.
func (l *Loader) Close() error {
	return errors.Join(l.manifest.close(), l.lock.release())
}

// Inputs implements facts.Loader.
func (l *Loader) Inputs(ctx context.Context, kind facts.Kind) ([]facts.Input, error) {
	return l.manifest.loaded(ctx, kind)
}

// Newest implements facts.Loader.
func (l *Loader) Newest(ctx context.Context, kind facts.Kind) (newest int64, err error) {
	_, files, err := l.manifest.current(ctx)
	for _, f := range files {
		if f.kind == kind {
			newest = max(newest, f.newest)
		}
	}
	return newest, err
}

// sweep removes folders of crashed loads, files that were never published,
// and files that were replaced longer than the grace period ago. Nobody else
// writes here while the lock is held.
func (l *Loader) sweep(ctx context.Context) error {
	_, err := l.sweepBefore(ctx, l.manifest.now().Add(-grace))
	return err
}

// Sweep implements facts.Loader.
func (l *Loader) Sweep(ctx context.Context) (removed int, err error) {
	return l.sweepBefore(ctx, l.manifest.now().Add(time.Second)) // those of this second, too
}

// sweepBefore spares files that were replaced at a time or later.
func (l *Loader) sweepBefore(ctx context.Context, replaced time.Time) (removed int, err error) {
	if _, _, err := l.manifest.current(ctx); err != nil {
		return 0, err // it is damaged: whatever it says, nothing may be removed for it
	}
	keep, err := l.manifest.sweep(ctx, replaced)
	if err != nil {
		return 0, err
	}
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		stage := strings.HasPrefix(e.Name(), stagePrefix)
		fact := strings.HasSuffix(e.Name(), fileSuffix) || strings.HasSuffix(e.Name(), fileSuffix+".wal")
		if !stage && (!fact || keep[e.Name()]) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(l.dir, e.Name())); err != nil {
			return 0, err
		}
		if strings.HasSuffix(e.Name(), fileSuffix) {
			removed++
		}
	}
	return removed, nil
}
