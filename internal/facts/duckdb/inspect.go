package duckdb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// inspector finds out which published files are whole. Sizes are compared at
// once and sums as time allows: until then, the engine's own sums of each block
// stand between a flipped bit and a report. It looks again at files that change,
// so that one that was restored is noticed.
type inspector struct {
	dir string

	mu    sync.Mutex
	known map[string]*finding // by name
}

// finding is what is known of a file while its stamp is the same, and while the
// manifest expects the same of it: directories may be exchanged.
type finding struct {
	stamp   stamp
	sha256  string // what is expected
	summed  bool
	damage  error     // what is wrong and what to do; nil: nothing that is known
	refused time.Time // when the engine could not open it; zero: it could
}

// retryRefused is how long a file rests that the engine refused: it may have
// been for a passing reason.
const retryRefused = 10 * time.Second

// stamp changes when a file does. The time of its last change of status is not
// in it: a backup by hard links moves that.
type stamp struct {
	bytes    int64
	modified time.Time
	inode    uint64
}

// errMissing is a file that is not there. Those who have it open still can read it.
var errMissing = errors.New("missing")

func newInspector(dir string) *inspector {
	return &inspector{dir: dir, known: make(map[string]*finding)}
}

// look compares the sizes of files, and returns what is known to be wrong, by
// name. It fails if a file is not this user's to read, which is no damage.
func (i *inspector) look(files []file) (map[string]error, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	damaged, current := make(map[string]error), make(map[string]*finding, len(files))
	for _, f := range files {
		now, err := stampOf(filepath.Join(i.dir, f.name))
		if errors.Is(err, fs.ErrPermission) {
			return nil, unreadable(filepath.Join(i.dir, f.name), err)
		}
		known := i.known[f.name]
		if known == nil || known.stamp != now || known.sha256 != f.sha256 {
			known = &finding{stamp: now, sha256: f.sha256, damage: f.sized(i.dir, now.bytes, err)}
		}
		if !known.refused.IsZero() && time.Since(known.refused) > retryRefused {
			known.damage, known.refused = nil, time.Time{}
		}
		if current[f.name] = known; known.damage != nil {
			damaged[f.name] = known.damage
		}
	}
	i.known = current
	return damaged, nil
}

// sized says what is wrong with a file by its size, or by the error of asking for it.
func (f file) sized(dir string, bytes int64, err error) error {
	path := filepath.Join(dir, f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is %w: %s", path, errMissing, restoreIt)
	case err != nil:
		return fmt.Errorf("%s cannot be read: %w", path, err)
	case bytes != f.bytes:
		return fmt.Errorf("%s is damaged: it has %d bytes, not %d: %s", path, bytes, f.bytes, restoreIt)
	}
	return nil
}

// whole reads a file and says what is wrong with it.
func (f file) whole(ctx context.Context, dir string, pause func(time.Duration)) error {
	path := filepath.Join(dir, f.name)
	now, err := stampOf(path)
	if err := f.sized(dir, now.bytes, err); err != nil {
		return err
	}
	sum, err := sumOf(ctx, path, pause)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s is damaged: %w: %s", path, err, restoreIt)
	case sum != f.sha256:
		return fmt.Errorf("%s is damaged: its content is not what was published: %s", path, restoreIt)
	}
	return nil
}

// restoreIt is the advice about a damaged file, restoreAll that about the manifest.
const (
	restoreIt  = "restore it from a backup with 'sightline restore DIR --repair'"
	restoreAll = "restore a backup into a new directory with 'sightline restore DIR --data NEW'"
)

// sum compares the sum of a file, unless that was done. pause is called between
// the pieces that are read, with the time that the piece took.
func (i *inspector) sum(ctx context.Context, f file, pause func(time.Duration)) error {
	i.mu.Lock()
	known := i.known[f.name]
	done := known == nil || known.sha256 != f.sha256 || known.summed || known.damage != nil && known.refused.IsZero()
	i.mu.Unlock()
	if done {
		return nil
	}
	damage := f.whole(ctx, i.dir, pause)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	known.summed = true
	if now, err := stampOf(filepath.Join(i.dir, f.name)); err == nil && now == known.stamp {
		known.damage, known.refused = damage, time.Time{} // else it changed meanwhile, and the next look knows nothing of it
	}
	return nil
}

// unsummed returns the newest file whose sum is not known.
func (i *inspector) unsummed(files []file) (newest file, any bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, f := range files {
		known := i.known[f.name]
		if known != nil && known.sha256 == f.sha256 && !known.summed && (known.damage == nil || !known.refused.IsZero()) && (!any || f.newest > newest.newest) {
			newest, any = f, true
		}
	}
	return newest, any
}

// stamps are those of the files as they were last looked at, by name.
func (i *inspector) stamps() map[string]stamp {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := make(map[string]stamp, len(i.known))
	for name, known := range i.known {
		all[name] = known.stamp
	}
	return all
}

// proven says whether a file was compared with its sum, and is the one with a stamp.
func (i *inspector) proven(f file, s stamp) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	known := i.known[f.name]
	return known != nil && known.summed && known.damage == nil && known.stamp == s && known.sha256 == f.sha256
}

// distrust has the sums of files compared again: the engine met something odd.
func (i *inspector) distrust(files []file) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, f := range files {
		if known := i.known[f.name]; known != nil {
			known.summed = false
		}
	}
}

// refuse notes that the engine could not open a file.
func (i *inspector) refuse(f file, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if known := i.known[f.name]; known != nil && known.damage == nil {
		known.damage, known.refused = err, time.Now()
	}
}

func stampOf(path string) (stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}, err
	}
	s := stamp{bytes: info.Size(), modified: info.ModTime()}
	if system, ok := info.Sys().(*syscall.Stat_t); ok {
		s.inode = system.Ino
	}
	return s, nil
}

// sumOf is the SHA-256 of a file, in hexadecimal.
func sumOf(ctx context.Context, path string, pause func(time.Duration)) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash, buffer := sha256.New(), make([]byte, sumPiece)
	for ctx.Err() == nil {
		began := time.Now()
		n, err := io.ReadFull(f, buffer)
		hash.Write(buffer[:n])
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return hex.EncodeToString(hash.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
		if pause != nil {
			pause(time.Since(began))
		}
	}
	return "", ctx.Err()
}

// sumPiece is how much is read at once.
const sumPiece = 1 << 20
