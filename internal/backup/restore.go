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
	work, err := os.MkdirTemp(parent, ".restoring-")
	if err != nil {
		return fmt.Errorf("cannot restore: %w", err)
	}
	defer os.RemoveAll(work)
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
		return false, nil
	case errors.Is(err, syscall.ENOTDIR):
		return false, fmt.Errorf("%s is a file: name a new directory with --data", dir)
	case err != nil:
		return false, fmt.Errorf("cannot restore: %w", err)
	}
	for _, e := range entries {
		if e.Name() != "lost+found" && !strings.HasPrefix(e.Name(), ".restoring-") {
			return false, fmt.Errorf("%s is not empty: nothing was restored; name a new directory with --data, or add --repair to mend this one", dir)
		}
	}
	return true, nil
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
