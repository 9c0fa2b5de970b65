package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// CheckTarget says whether a data directory can be restored to a place: there is
// none, or an empty one.
func CheckTarget(dir string) error {
	_, err := vacant(dir)
	return err
}

// Restore puts all files of a backup into a new data directory: one that does
// not exist appears whole, or not at all. An empty one may be a disk of its own,
// so it is filled from within, what others look for first at the end.
func (b *Backup) Restore(ctx context.Context, to string, progress Progress) error {
	empty, err := vacant(to)
	if err != nil {
		return err
	}
	parent := to
	if !empty {
		parent = filepath.Dir(filepath.Clean(to))
		if err := os.MkdirAll(parent, 0o750); err != nil {
			return fmt.Errorf("cannot restore: %w", err)
		}
	}
	work, remove, err := Scratch(parent, restoring)
	if err != nil {
		return fmt.Errorf("cannot restore: %w", err)
	}
	defer remove()
	m, done := &meter{tell: progress, all: b.Bytes()}, int64(0)
	for _, f := range b.Files {
		m.begin(f.Path, done)
		if err := b.put(ctx, f, filepath.Join(work, filepath.FromSlash(f.Path)), m); err != nil {
			return err
		}
		done += f.Bytes
	}
	if empty {
		return fill(to, work)
	}
	if err := os.Chmod(work, 0o750); err != nil {
		return err
	}
	if err := os.Rename(work, filepath.Clean(to)); err != nil {
		return fmt.Errorf("cannot restore: %w", err)
	}
	return syncPath(parent)
}

// restoring is how the folders begin in which directories are made.
const restoring = ".restoring-"

// Content reads a small file of the backup.
func (b *Backup) Content(ctx context.Context, f File) ([]byte, error) {
	if err := b.verify(ctx, f, &meter{all: f.Bytes}); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(b.dir, filepath.FromSlash(f.Stored)))
}

// Put copies a file of the backup to a path.
func (b *Backup) Put(ctx context.Context, f File, to string, progress Progress) error {
	m := &meter{tell: progress, all: f.Bytes}
	m.begin(f.Path, 0)
	return b.put(ctx, f, to, m)
}

func (b *Backup) put(ctx context.Context, f File, to string, m *meter) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		return fmt.Errorf("cannot restore: %w", err)
	}
	path := filepath.Join(b.dir, filepath.FromSlash(f.Stored))
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("the backup is damaged: %w: use another one", err)
	}
	defer file.Close()
	err = place(ctx, file, to, f, m)
	if errors.Is(err, errDamaged) {
		return fmt.Errorf("the backup is damaged: %s: %w: use another backup", path, err)
	}
	if err == nil && f.Path != "secret" {
		err = os.Chmod(to, 0o640)
	}
	if err != nil {
		return fmt.Errorf("cannot restore %s: %w", to, err)
	}
	return nil
}

// vacant says whether a directory is there and empty; one that is not empty is
// refused.
func vacant(dir string) (empty bool, err error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, leadsSomewhere(dir)
	case errors.Is(err, syscall.ENOTDIR):
		return false, fmt.Errorf("%s is a file: name a new directory with --data", dir)
	case err != nil:
		return false, fmt.Errorf("cannot restore: %w", err)
	}
	for _, e := range entries {
		if e.Name() != "lost+found" && !strings.HasPrefix(e.Name(), restoring) {
			return false, fmt.Errorf("%s is not empty: nothing was restored; name a new directory with --data, or add --repair to mend this one", dir)
		}
	}
	return true, nil
}

// leadsSomewhere refuses a path that is, or goes through, a link to nothing:
// nothing can be made there.
func leadsSomewhere(path string) error {
	for path = filepath.Clean(path); ; path = filepath.Dir(path) {
		_, err := os.Stat(path)
		to, notLink := os.Readlink(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && notLink == nil:
			return fmt.Errorf("%s is a symbolic link to %s, which does not exist: nothing was restored; make that directory, "+
				"remove the link, or name another directory with --data", path, to)
		case err == nil || path == filepath.Dir(path):
			return nil
		}
	}
}

// fill moves what was restored into a directory: the facts at once, and the
// catalog, without which nothing starts, at the end.
func fill(dir, work string) error {
	entries, err := os.ReadDir(work)
	if err != nil {
		return err
	}
	const last = "catalog.db"
	for _, final := range []bool{false, true} {
		for _, e := range entries {
			if (e.Name() == last) != final {
				continue
			}
			if err := os.Rename(filepath.Join(work, e.Name()), filepath.Join(dir, e.Name())); err != nil {
				return fmt.Errorf("cannot restore: %w", err)
			}
		}
		if err := syncPath(dir); err != nil {
			return err
		}
	}
	return nil
}
