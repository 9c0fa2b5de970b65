package duckdb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sightline-hq/sightline/internal/facts"
)

// build writes the file of a span into the stage's folder: the rows of the old
// file that are not replaced, and the staged ones. A file without rows is not
// kept.
func (s *stage) build(ctx context.Context, sp span, version int64) (f file, err error) {
	f = file{
		name: fmt.Sprintf("%s-%s-v%d%s", s.kind, weekName(sp.firstWeek), version, fileSuffix),
		kind: s.kind, firstWeek: sp.firstWeek, lastWeek: sp.lastWeek,
	}
	if sp.old != nil {
		detach, err := s.attachOld(ctx, sp.old)
		if err != nil {
			return f, err
		}
		defer detach()
	}
	path := filepath.Join(s.dir, f.name)
	if err := s.fill(ctx, sp, path); err != nil {
		return f, err
	}
	err = s.db.QueryRowContext(ctx, fmt.Sprintf("select count(*), count(id), coalesce(max(ts), 0) from made.%s", s.kind)).
		Scan(&f.rows, &f.ids, &f.newest)
	if err != nil {
		return f, errors.Join(err, s.detachMade(ctx))
	}
	if err := s.detachMade(ctx); err != nil {
		return f, err
	}
	return f, s.seal(path, &f)
}

// fill attaches a new file as "made" and writes its tables.
func (s *stage) fill(ctx context.Context, sp span, path string) error {
	if _, err := s.db.ExecContext(ctx, "attach "+quote(path)+" as made"); err != nil {
		return err
	}
	statements := fillAnswers(sp)
	if s.kind == facts.KindVisits {
		statements = fillVisits(sp)
	}
	for _, statement := range append([]string{createTables(s.kind, "made")}, statements...) {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return errors.Join(err, s.detachMade(ctx))
		}
	}
	return nil
}

func (s *stage) detachMade(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	_, err := s.db.ExecContext(ctx, "checkpoint made")
	_, err2 := s.db.ExecContext(ctx, "detach made")
	return errors.Join(err, err2)
}

// seal makes a finished file durable and notes its size and checksum.
func (s *stage) seal(path string, f *file) error {
	if _, err := os.Stat(path + ".wal"); err == nil {
		return fmt.Errorf("%s was not written out completely", path)
	}
	if f.rows == 0 {
		return os.Remove(path)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		return err
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	hash := sha256.New()
	if f.bytes, err = io.Copy(hash, in); err != nil {
		return err
	}
	f.sha256 = hex.EncodeToString(hash.Sum(nil))
	return in.Sync()
}

func syncPath(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
