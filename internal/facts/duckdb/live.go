package duckdb

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Options of reading.
type Options = facts.Following

// Live follows the published facts of a folder. It implements facts.Live.
type Live struct {
	facts.Watch
	dir       string
	options   Options
	hot       *hot
	inspector *inspector
	summing   summing

	// The next are used by one goroutine at a time.
	manifest *manifest // nil until there is one
	polls    int
	moved    error // of the last time that the files were looked at

	mu      sync.Mutex
	current *set
	damaged map[string]facts.Damage // by name of the file
}

// Follow opens the current set and keeps up with new ones until Close.
// A folder without a manifest is an empty set, until the first load.
func Follow(ctx context.Context, dir string, options Options) (*Live, error) {
	l := &Live{dir: dir, options: options, inspector: newInspector(dir), hot: newHot(options.Hot)}
	empty, err := newSet(ctx, l.inspector, 0, nil, map[string]error{}, l.hot, options)
	if err != nil {
		return nil, err
	}
	l.current = empty
	if err := l.update(ctx); err != nil {
		empty.Close()
		return nil, errors.Join(err, l.closeManifest())
	}
	l.Begin(ctx, options.Poll, l.update, l.tell)
	l.summing.begin(ctx, l)
	return l, nil
}

// tell tells of an error once, until it is another one.
func (l *Live) tell(before, now error) {
	if (before == nil || now == nil || before.Error() != now.Error()) && l.options.OnError != nil {
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
	l.summing.end()
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

// update moves to the newest set if there is one, or to one of the same version
// if other files are damaged than before, or if its engine has failed.
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
	if err != nil {
		return err
	}
	if version != l.current.version || l.due() {
		l.moved = l.move(ctx)
	}
	return l.moved
}

func (l *Live) move(ctx context.Context) error {
	version, files, err := l.manifest.current(ctx)
	if err != nil {
		return err
	}
	damaged, err := l.inspect(ctx, version, files)
	if err != nil {
		return err
	}
	failed := l.current.poisoned.Load()
	if failed != nil {
		l.inspector.distrust(files)
		l.tell(nil, *failed)
	}
	if failed == nil && l.current.serves(version, files, damaged) {
		l.note(damaged)
		return nil
	}
	next, err := newSet(ctx, l.inspector, version, files, damaged, l.hot, l.options)
	if err != nil {
		return err
	}
	l.swap(next)
	l.note(next.absent)
	return nil
}

// lookEvery is how many times the version is asked for before the files are
// looked at again.
const lookEvery = 5

// due says whether to look at the files though the version has not moved.
func (l *Live) due() bool {
	l.polls++
	return l.polls%lookEvery == 0 || l.current.poisoned.Load() != nil
}

// serves says whether a set is what would be opened now. A file that vanished
// while it is open can still be read, and is.
func (s *set) serves(version int64, files []file, damaged map[string]error) bool {
	if version != s.version || !slices.Equal(files, s.files) {
		return false
	}
	stamps := s.inspector.stamps()
	for _, f := range files {
		now, then := damaged[f.name], s.absent[f.name]
		if (now == nil) != (then == nil) && !(then == nil && errors.Is(now, errMissing)) {
			return false
		}
		if now == nil && s.stamps[f.name] != stamps[f.name] { // another file is in its place
			return false
		}
	}
	return true
}

// note remembers which files are damaged, and tells of it when that changes.
func (l *Live) note(damaged map[string]error) {
	now := make(map[string]facts.Damage, len(damaged))
	for name, err := range damaged {
		d := facts.Damage{File: name, What: err.Error()}
		if d.Open = errors.Is(err, errMissing) && l.current.absent[name] == nil; d.Open {
			d.What += " before the next start; reports go on, because it is still open"
		}
		now[name] = d
	}
	l.mu.Lock()
	same := maps.Equal(l.damaged, now)
	l.damaged = now
	l.mu.Unlock()
	if !same && l.options.OnDamage != nil {
		l.options.OnDamage(l.Damaged())
	}
}

// Damaged implements facts.Live.
func (l *Live) Damaged() (all []facts.Damage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(l.damaged)) {
		all = append(all, l.damaged[name])
	}
	return all
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
