package duckdb

import (
	"context"
	"time"
)

// BrokenFile is a current file that is missing or not what was published.
type BrokenFile struct {
	Name, SHA256 string
	Damage       error
}

// Broken reads all current files of a folder, and lists those that are not whole.
// It tells progress of the file that it reads, and how many bytes of all are done.
func Broken(ctx context.Context, dir string, progress func(name string, done, all int64)) (all []BrokenFile, err error) {
	err = reading(ctx, dir, func(m *manifest) error {
		_, files, err := m.current(ctx)
		done, bytes := int64(0), bytesOf(files)
		for _, f := range files {
			read := done
			progress(f.name, read, bytes)
			damage := f.whole(ctx, dir, func(time.Duration) {
				read += sumPiece
				progress(f.name, read, bytes)
			})
			if damage != nil {
				all = append(all, BrokenFile{f.name, f.sha256, damage})
			}
			done += f.bytes
		}
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return all, err
}

// bytesOf is how large files are together.
func bytesOf(files []file) (all int64) {
	for _, f := range files {
		all += f.bytes
	}
	return all
}
