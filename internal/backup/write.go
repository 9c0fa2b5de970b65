package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
)

// Item is a file to be kept, held open: it may leave its folder meanwhile.
type Item struct {
	Path   string // in the data directory, with slashes
	File   *os.File
	SHA256 string // empty: not known yet
	Link   bool   // may be a hard link: it is never changed in place
}

// Options of making a backup.
type Options struct {
	// Link makes hard links instead of copies where it can: they take no room and
	// no time, and protect from deletion, but not from a disk that fails.
	Link bool
	// Replace gives up a backup that has what the new one lacks.
	Replace  bool
	Progress Progress // may be nil
}

// Made says what making a backup took.
type Made struct {
	Files, Copied, Linked int
	Bytes, CopiedBytes    int64
}

// Write makes a backup in a folder, or brings the one that is there up to date:
// files that it has are not copied again.
func Write(ctx context.Context, dir string, b *Backup, items []Item, o Options) (made Made, err error) {
	unlock, err := open(dir)
	if err != nil {
		return made, err
	}
	defer unlock()
	b.dir, b.Format = dir, format
	if !o.Replace {
		if err := b.notWorse(ctx, items); err != nil {
			return made, err
		}
	}
	m := &meter{tell: o.Progress}
	for _, item := range items {
		info, err := item.File.Stat()
		if err != nil {
			return made, err
		}
		m.all += info.Size()
	}
	for _, item := range items {
		m.begin(item.Path, made.Bytes)
		f, err := keep(ctx, dir, item, o, &made, m)
		if err != nil {
			return made, fmt.Errorf("cannot back up %s: %w", item.File.Name(), err)
		}
		b.Files = append(b.Files, f)
		made.Files, made.Bytes = made.Files+1, made.Bytes+f.Bytes
	}
	if err := b.write(); err != nil {
		return made, fmt.Errorf("cannot write the backup: %w", err)
	}
	return made, b.tidy()
}

// open prepares the folder of a backup, and keeps others from writing to it.
// The lock stays as the mark of a folder that is for backups.
func open(dir string) (unlock func(), err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%s is a file: name a folder for the backup", dir)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot write the backup: %w", err)
	}
	path := filepath.Join(dir, lockName)
	if _, err := os.Stat(path); err != nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s is not empty and has no backup in it: name a folder of its own for backups", dir)
	}
	switch err := os.Mkdir(dir, 0o700); { // not its parents: a disk that is not mounted would go unnoticed
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s: make it, or mount the disk for backups", filepath.Dir(filepath.Clean(dir)))
	case err != nil && !errors.Is(err, fs.ErrExist):
		return nil, fmt.Errorf("cannot write the backup: %w", err)
	}
	lock, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot write the backup: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return nil, fmt.Errorf("another backup is writing to %s: wait until it has ended, or name another folder", dir)
	}
	return func() { lock.Close() }, nil
}

const lockName = "backup.lock"

// keep puts a file into the backup, unless it is there.
func keep(ctx context.Context, dir string, item Item, o Options, made *Made, m *meter) (f File, err error) {
	f = File{Path: item.Path, SHA256: item.SHA256}
	info, err := item.File.Stat()
	if err != nil {
		return f, err
	}
	f.Bytes = info.Size()
	if f.SHA256 == "" {
		if f.SHA256, err = sumOf(ctx, item.File, &meter{}); err != nil {
			return f, err
		}
	}
	f.Stored = stored(f.Path, f.SHA256)
	to := filepath.Join(dir, filepath.FromSlash(f.Stored))
	mayLink := o.Link && item.Link
	if there, err := os.Stat(to); err == nil && there.Size() == f.Bytes {
		switch {
		case mayLink:
			return f, nil
		case !os.SameFile(info, there): // a link that is to be a copy is made anew
			return f, private(to, there)
		}
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return f, err
	}
	if mayLink && link(item.File, info, to) == nil {
		made.Linked++
		return f, nil
	}
	made.Copied, made.CopiedBytes = made.Copied+1, made.CopiedBytes+f.Bytes
	return f, place(ctx, item.File, to, f, m)
}

// private takes from others what they may do with a stored file.
func private(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(path, 0o600); err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, errors.ErrUnsupported) {
		return err // but a disk without modes is as private as its mount
	}
	return nil
}

// link makes a hard link of a file, if its name still is that of the file.
func link(file *os.File, info fs.FileInfo, to string) error {
	os.Remove(to + part)
	if err := os.Link(file.Name(), to+part); err != nil {
		return err
	}
	linked, err := os.Stat(to + part)
	if err == nil && !os.SameFile(info, linked) {
		err = errors.New("another file has its name")
	}
	if err != nil {
		return errors.Join(err, os.Remove(to+part))
	}
	return os.Rename(to+part, to)
}

// tidy removes what earlier backups, also interrupted ones, have left in the
// folder: whatever is named like a stored file and not in the list.
func (b *Backup) tidy() error {
	keep := make(map[string]bool)
	for _, f := range b.Files {
		keep[f.Stored] = true
	}
	err := fs.WalkDir(os.DirFS(b.dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || keep[path] || !storedName.MatchString(path) {
			return err
		}
		return os.Remove(filepath.Join(b.dir, filepath.FromSlash(path)))
	})
	if err != nil {
		return fmt.Errorf("the backup is complete, but an old file cannot be removed: %w", err)
	}
	return nil
}

var storedName = regexp.MustCompile(`\.[0-9a-f]{16}(\.[a-z]+)?(\.part)?$`)
