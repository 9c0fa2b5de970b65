package duckdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lock is held by the one process that loads. The kernel lets go of it when
// the process ends, however it ends.
type lock struct{ file *os.File }

// takeLock waits until no other load runs. It calls waiting once, with the
// process id of the one in front, if it has to wait.
func takeLock(ctx context.Context, dir string, waiting func(pid string)) (*lock, error) {
	f, err := os.OpenFile(filepath.Join(dir, "load.lock"), os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, fmt.Errorf("cannot write to the data directory: %w (choose another with --data)", err)
	}
	for told := false; ; told = true {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("cannot lock %s: %w", f.Name(), err), f.Close())
		}
		if !told && waiting != nil {
			waiting(holder(f))
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(50 * time.Millisecond):
		}
	}
	// The number is for people who wonder what they wait for; the lock holds without it.
	if err := f.Truncate(0); err == nil {
		f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return &lock{file: f}, nil
}

func holder(f *os.File) string {
	text := make([]byte, 20)
	n, _ := f.ReadAt(text, 0)
	if pid := strings.TrimSpace(string(text[:n])); pid != "" {
		return pid
	}
	return "unknown"
}

func (l *lock) release() error { return l.file.Close() }
