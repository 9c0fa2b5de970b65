package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// place copies a file under a name, and lets it have the name only if it is what
// it should be, and durable.
func place(ctx context.Context, from io.Reader, to string, f File) (err error) {
	out, err := os.OpenFile(to+part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(to + part)
		}
	}()
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), &reader{ctx, from})
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != f.SHA256 || n != f.Bytes {
		return errDamaged
	}
	if err := os.Rename(to+part, to); err != nil {
		return err
	}
	return syncPath(filepath.Dir(to))
}

var errDamaged = errors.New("it is damaged: its content is not what its sum says")

// sumOf is the SHA-256 of a file that is open, in hexadecimal.
func sumOf(ctx context.Context, f *os.File) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, &reader{ctx, f}); err != nil {
		return "", err
	}
	_, err := f.Seek(0, io.SeekStart)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// reader reads until somebody has lost patience.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// Verify compares every file of a backup with its sum, and returns what is wrong.
func (b *Backup) Verify(ctx context.Context, progress func(path string, done, all int64)) (problems []error, err error) {
	done, all := int64(0), b.Bytes()
	for _, f := range b.Files {
		if progress != nil {
			progress(f.Path, done, all)
		}
		if err := b.verify(ctx, f); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			problems = append(problems, err)
		}
		done += f.Bytes
	}
	return problems, nil
}

func (b *Backup) verify(ctx context.Context, f File) error {
	path := filepath.Join(b.dir, filepath.FromSlash(f.Stored))
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("the backup is damaged: %w: use another one, or back up again", err)
	}
	defer file.Close()
	sum, err := sumOf(ctx, file)
	if err == nil && sum != f.SHA256 {
		err = errDamaged
	}
	if err != nil {
		return fmt.Errorf("the backup is damaged: %s: %w: remove that file and back up again, or use another backup", path, err)
	}
	return nil
}
