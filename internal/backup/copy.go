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
func place(ctx context.Context, from io.Reader, to string, f File, m *meter) (err error) {
	out, err := openPart(to + part)
	if err != nil {
		return err
	}
	defer func() { // at the end: it is held until it has its name
		if err != nil {
			os.Remove(to + part)
		}
		err = errors.Join(err, out.Close())
	}()
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, hash), &reader{ctx, from, m})
	if err = errors.Join(err, out.Sync()); err != nil {
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

// openPart makes a file that nobody else writes, or empties one that was left.
func openPart(path string) (*os.File, error) {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	mine, err := held(out, path)
	if err == nil && !mine {
		err = fmt.Errorf("another command is writing %s: wait until it has ended", path)
	}
	if err == nil {
		err = out.Truncate(0)
	}
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

var errDamaged = errors.New("it is damaged: its content is not what its sum says")

// sumOf is the SHA-256 of a file that is open, in hexadecimal.
func sumOf(ctx context.Context, f *os.File, m *meter) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, &reader{ctx, f, m}); err != nil {
		return "", err
	}
	_, err := f.Seek(0, io.SeekStart)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// Verify compares every file of a backup with its sum, and returns what is wrong.
func (b *Backup) Verify(ctx context.Context, progress Progress) (problems []error, err error) {
	m, done := &meter{tell: progress, all: b.Bytes()}, int64(0)
	for _, f := range b.Files {
		m.begin(f.Path, done)
		if err := b.verify(ctx, f, m); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			problems = append(problems, err)
		}
		done += f.Bytes
	}
	return problems, nil
}

func (b *Backup) verify(ctx context.Context, f File, m *meter) error {
	path := filepath.Join(b.dir, filepath.FromSlash(f.Stored))
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("the backup is damaged: %w: use another one, or back up again", err)
	}
	defer file.Close()
	sum, err := sumOf(ctx, file, m)
	if err == nil && sum != f.SHA256 {
		err = errDamaged
	}
	if err != nil {
		return fmt.Errorf("the backup is damaged: %s: %w: remove that file and back up again, or use another backup", path, err)
	}
	return nil
}
