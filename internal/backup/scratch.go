package backup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// What a command needs while it runs goes when it ends; a command that is killed
// leaves it. So whoever makes such a folder or file holds a lock on it, which the
// kernel lets go of, and whoever comes next removes those that nobody holds.

// held locks a file or folder for as long as it is open. It is false if another
// process holds it, or did so and has moved or removed it. On a disk that knows no
// locks nobody is told, and nothing is removed.
func held(f *os.File, path string) (bool, error) {
	if errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		return false, nil
	}
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(mine, there), nil
}

// Scratch makes a folder of a kind, which the beginning of its name tells, and
// removes those of the same kind beside it that were left by commands that were killed.
func Scratch(parent, kind string) (dir string, remove func(), err error) {
	sweep(parent, func(name string) bool {
		number, ok := strings.CutPrefix(name, kind)
		return ok && number != "" && strings.Trim(number, "0123456789") == ""
	})
	for range 10 { // another command may sweep a folder before it is held
		if dir, err = os.MkdirTemp(parent, kind); err != nil {
			return "", nil, err
		}
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		if mine, err := held(f, dir); mine && err == nil {
			return dir, func() { os.RemoveAll(dir); f.Close() }, nil
		}
		f.Close()
	}
	return "", nil, errors.New("cannot make a folder that stays in " + parent)
}

// Tidy removes what commands that were killed have left of single files of a
// folder, whose names end in a way.
func Tidy(dir, ending string) {
	sweep(dir, func(name string) bool { return strings.HasSuffix(name, ending+part) })
}

// sweep removes entries of a folder that are this user's and that nobody holds. What
// cannot be looked at or removed stays: it is no reason to fail.
func sweep(dir string, its func(name string) bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if its(e.Name()) {
			removeUnheld(filepath.Join(dir, e.Name()))
		}
	}
}

func removeUnheld(path string) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return
	}
	system, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(system.Uid) != os.Geteuid() || syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return
	}
	os.RemoveAll(path)
}
