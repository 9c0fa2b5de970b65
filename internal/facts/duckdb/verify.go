package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/sqlite"
)

// Verified is what was verified of a folder of facts.
type Verified struct {
	Version  int64
	Files    int
	Rows     int64
	Bytes    int64
	Problems []error // what is wrong, and what to do
}

// verifyMemory is what the engine may take to count a file again.
const verifyMemory = 512 << 20

// Verify compares a folder of facts with what its manifest says, file by file:
// sizes and sums, numbers of rows, and everything that was counted at loading
// with the rows that it was counted from. It only reads, and may run beside
// servers and loads. It tells progress of the file that it looks at, and how many
// bytes of all are done.
func Verify(ctx context.Context, dir string, progress func(name string, done, all int64)) (v Verified, err error) {
	m, err := openManifest(ctx, dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	if err != nil {
		return v, problem(&v, err)
	}
	defer func() { err = errors.Join(err, m.close()) }()
	var files []file
	if v.Version, files, err = m.verify(ctx); err != nil {
		return v, problem(&v, err)
	}
	all := bytesOf(files)
	for _, f := range files {
		err := verifyFile(ctx, dir, f, func(done, parts int64) { progress(f.name, v.Bytes+f.bytes*done/parts, all) })
		if ctx.Err() != nil {
			return v, ctx.Err()
		}
		if err != nil && m.still(ctx, f) {
			v.Problems = append(v.Problems, err)
		}
		v.Files, v.Rows, v.Bytes = v.Files+1, v.Rows+f.rows, v.Bytes+f.bytes
	}
	return v, nil
}

// problem makes a problem of an error, unless somebody has lost patience.
func problem(v *Verified, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	v.Problems = append(v.Problems, err)
	return nil
}

// verify checks the manifest itself, and returns its files.
func (m *manifest) verify(ctx context.Context) (version int64, files []file, err error) {
	err = m.tx(ctx, func(tx *sql.Tx) error {
		if err := sqlite.CheckIntegrity(ctx, tx); err != nil {
			return fmt.Errorf("%w (%w)", m.damaged(), err)
		}
		return m.checkAll(ctx, tx)
	})
	if err != nil {
		return 0, nil, err
	}
	return m.current(ctx)
}

// still says whether a file is current. A load may have replaced it meanwhile,
// and the next one removed it.
func (m *manifest) still(ctx context.Context, f file) bool {
	_, files, err := m.current(ctx)
	if err != nil {
		return true
	}
	for _, now := range files {
		if now == f {
			return true
		}
	}
	return false
}

// verifyFile says what is wrong with a file: the first thing that is found. It
// tells how many parts of it are done.
func verifyFile(ctx context.Context, dir string, f file, told func(done, all int64)) error {
	told(0, 1)
	if err := f.whole(ctx, dir, nil); err != nil {
		return err
	}
	s, err := newSet(ctx, newInspector(dir), 0, []file{f}, map[string]error{}, newHot(0), Options{Memory: verifyMemory, Spill: os.TempDir()})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.absent[f.name]; err != nil {
		return err
	}
	verify := s.verifyAnswers
	if f.kind == facts.KindVisits {
		verify = s.verifyVisits
	}
	if err = s.verifyCounts(ctx, f); err == nil {
		err = verify(ctx, f, told)
	}
	if err != nil {
		return fmt.Errorf("%s is not consistent: %w: %s, and report this: its sum is right, so it was published like that",
			filepath.Join(dir, f.name), err, restoreIt)
	}
	return nil
}

// verifyCounts compares a file with what the manifest says of it.
func (s *set) verifyCounts(ctx context.Context, f file) error {
	var rows, ids, distinct, newest, outside facts.Int
	query := fmt.Sprintf("select count(*), count(id), count(distinct id), max(ts), count(*) filter (where ts < %d or ts >= %d) from %s.%s",
		f.firstWeek, f.lastWeek+facts.WeekSeconds, f.database(), f.kind)
	err := s.Query(ctx, facts.Statement{SQL: query}, func(scan facts.Scan) error {
		return scan(&rows, &ids, &distinct, &newest, &outside)
	})
	switch {
	case err != nil:
		return err
	case int64(rows) != f.rows || int64(ids) != f.ids || int64(newest) != f.newest:
		return fmt.Errorf("it has %d rows and %d ids, the newest at %d; the manifest says %d, %d and %d", rows, ids, newest, f.rows, f.ids, f.newest)
	case distinct != ids:
		return fmt.Errorf("%d of its ids are there twice", ids-distinct)
	case outside > 0:
		return fmt.Errorf("%d of its rows are of other weeks", outside)
	}
	return nil
}

// verifyVisits counts the totals again, and looks for numbers without words.
func (s *set) verifyVisits(ctx context.Context, f file, told func(done, all int64)) error {
	for _, w := range vocabulary {
		query := fmt.Sprintf(`select (select count(*) from %[1]s.visits anti join %[1]s.%[2]s using (%[3]s)),
			(select count(*) - count(distinct %[3]s) from %[1]s.%[2]s)`, f.database(), w.table, w.key)
		if err := s.none(ctx, query, "visits without a row in "+w.table, "rows of "+w.table+" with a number that is taken"); err != nil {
			return err
		}
	}
	return s.verifyTotals(ctx, f, told)
}

// none fails if a query does not count nothing.
func (s *set) none(ctx context.Context, query string, of ...string) error {
	counts, into := make([]facts.Int, len(of)), make([]any, len(of))
	for i := range counts {
		into[i] = &counts[i]
	}
	err := s.Query(ctx, facts.Statement{SQL: query}, func(scan facts.Scan) error { return scan(into...) })
	for i, n := range counts {
		if n != 0 && err == nil {
			err = fmt.Errorf("there are %d %s", n, of[i])
		}
	}
	return err
}
