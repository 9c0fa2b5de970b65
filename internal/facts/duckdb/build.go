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
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// The order of rows within a file: what reports ask for lies together.
var sortedBy = map[facts.Table]string{
	facts.Visits:    "website_id, ts",
	facts.Answers:   "prompt_id, platform, ts",
	facts.Mentions:  "prompt_id, platform, ts",
	facts.Citations: "prompt_id, platform, ts",
}

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
	if _, err := s.db.ExecContext(ctx, "attach "+quote(path)+" as made;"+createTables(s.kind, "made")); err != nil {
		return err
	}
	for _, t := range tablesOf(s.kind) {
		query := fmt.Sprintf("insert into made.%[1]s select * from (\n%[2]s\n) order by %[3]s",
			t, strings.Join(s.parts(t, sp), "\nunion all\n"), sortedBy[t])
		if _, err := s.db.ExecContext(ctx, query); err != nil {
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

// parts are the queries whose rows together make up a table of a span.
func (s *stage) parts(t facts.Table, sp span) (parts []string) {
	within := fmt.Sprintf("ts >= %d and ts < %d", sp.firstWeek, sp.lastWeek+facts.WeekSeconds)
	switch t {
	case facts.Visits, facts.Answers:
		parts = append(parts, "select * exclude (seq) from stage.fresh where "+within)
		if sp.old != nil {
			parts = append(parts, fmt.Sprintf(
				"select * from old.%s where id is null or id not in (select id from stage.staged_ids)", t))
		}
	default:
		parts = append(parts, fmt.Sprintf(
			"select * from stage.%s where %s and answer_key in (select answer_key from stage.fresh)", t, within))
		if sp.old != nil {
			parts = append(parts, fmt.Sprintf("select * from old.%s where answer_key not in "+
				"(select answer_key from old.answers where id in (select id from stage.staged_ids))", t))
		}
	}
	return parts
}

// seal makes a finished file durable and notes its size and checksum.
func (s *stage) seal(path string, f *file) error {
	if _, err := os.Stat(path + ".wal"); err == nil {
		return fmt.Errorf("%s was not written out completely", path)
	}
	if f.rows == 0 {
		return os.Remove(path)
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
