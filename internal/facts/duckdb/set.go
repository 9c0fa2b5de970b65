package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	duck "github.com/duckdb/duckdb-go/v2"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// lockdown closes every door of the engine that a report does not need.
// It comes after the files are attached: it forbids attaching as well.
const lockdown = `
set autoinstall_known_extensions = false;
set autoload_known_extensions = false;
set enable_external_access = false;
set lock_configuration = true;`

// set is an engine with the files of one version attached. It counts its
// users and closes when the last one leaves. It implements facts.Set.
type set struct {
	kept.Reader // of visits, and of what was counted about them

	version int64
	edition int64
	files   []file
	absent  map[string]error // why files are not attached, by name; reports that touch them fail
	db      *sql.DB
	hot     *hot
	spill   string // folder for what does not fit into memory; empty: none
	users   atomic.Int64

	inspector *inspector
	stamps    map[string]stamp      // of the files when they were attached, by name
	poisoned  atomic.Pointer[error] // what made the engine refuse everything
}

// opened counts the sets of this process.
var opened atomic.Int64

// newSet opens the files of a version but those that are known to be damaged;
// its one user is the caller.
func newSet(ctx context.Context, in *inspector, version int64, files []file, damaged map[string]error, hot *hot, options Options) (*set, error) {
	connector, err := duck.NewConnector("", nil)
	if err != nil {
		return nil, err
	}
	s := &set{version: version, edition: opened.Add(1), files: files, stamps: in.stamps(), absent: maps.Clone(damaged), db: sql.OpenDB(connector), hot: hot, inspector: in}
	s.Reader = kept.Reader{Source: s, Memory: hot.visits}
	s.users.Store(1)
	if err := errors.Join(s.bound(ctx, options), s.attach(ctx)); err != nil {
		return nil, errors.Join(err, s.end())
	}
	return s, nil
}

// bound sets how much memory the engine has, and where it puts what does not fit.
// Engines must not share a folder: their files have the same names.
func (s *set) bound(ctx context.Context, options Options) (err error) {
	limits := "set temp_directory = '';"
	if options.Spill != "" {
		if s.spill, err = os.MkdirTemp(options.Spill, "sightline-spill-"); err != nil {
			return fmt.Errorf("cannot make a folder for large reports: %w", err)
		}
		limits = fmt.Sprintf("set temp_directory = %s; set max_temp_directory_size = '%s';", quote(s.spill), maxSpill)
	}
	if options.Memory > 0 {
		limits += fmt.Sprintf("set memory_limit = '%d KiB';", options.Memory>>10)
	}
	_, err = s.db.ExecContext(ctx, limits)
	return err
}

// maxSpill bounds what large reports put on the disk at once.
const maxSpill = "16 GiB"

// end closes the engine and removes what it put on the disk.
func (s *set) end() error {
	err := s.db.Close()
	if s.spill != "" {
		err = errors.Join(err, os.RemoveAll(s.spill))
	}
	return err
}

func (s *set) attach(ctx context.Context) error {
	// Empty tables answer for windows in which there is no file.
	empty := createTables(facts.KindVisits, "memory") + createTables(facts.KindAnswers, "memory")
	if _, err := s.db.ExecContext(ctx, empty); err != nil {
		return err
	}
	for _, f := range s.files {
		if s.absent[f.name] != nil {
			continue
		}
		if err := s.attachFile(ctx, f); err != nil {
			if ctx.Err() != nil || errors.Is(err, fs.ErrPermission) {
				return err
			}
			s.absent[f.name] = err
			s.inspector.refuse(f, err)
		}
	}
	_, err := s.db.ExecContext(ctx, lockdown)
	return err
}

// attachFile opens a file, and leaves it out if it is another one.
func (s *set) attachFile(ctx context.Context, f file) error {
	path := filepath.Join(s.inspector.dir, f.name)
	if _, err := s.db.ExecContext(ctx, "attach "+quote(path)+" as "+f.database()+" (read_only)"); err != nil {
		return unreadable(path, err)
	}
	if s.inspector.proven(f, s.stamps[f.name]) {
		return nil
	}
	err := f.itself(ctx, s.db, s.inspector.dir, f.database())
	if err != nil {
		_, e := s.db.ExecContext(context.WithoutCancel(ctx), "detach "+f.database())
		err = errors.Join(err, e)
	}
	return err
}

// unreadable says what to do about a file that cannot be opened.
func unreadable(path string, err error) error {
	f, openErr := os.Open(path)
	if openErr == nil {
		f.Close()
	}
	switch {
	case errors.Is(openErr, fs.ErrPermission):
		return fmt.Errorf("cannot read %s: %w: run sightline as the user who owns the data directory, "+
			"and give that user the files that another one wrote (chown)", path, fs.ErrPermission)
	case errors.Is(openErr, fs.ErrNotExist):
		return fmt.Errorf("%s is %w: %s", path, errMissing, restoreIt)
	}
	return fmt.Errorf("%s is damaged: %s (%w)", path, restoreIt, err)
}

// database is the name that a file is attached under.
func (f file) database() string {
	return string(f.kind) + "_" + weekName(f.firstWeek)
}

func (s *set) acquire() *set {
	s.users.Add(1)
	return s
}

// Again implements facts.Set.
func (s *set) Again() facts.Set { return s.acquire() }

// Close implements facts.Set.
func (s *set) Close() {
	if s.users.Add(-1) == 0 {
		s.end()
	}
}

// Version implements facts.Set.
func (s *set) Version() int64 { return s.version }

// Edition implements facts.Set.
func (s *set) Edition() int64 { return s.edition }

// Dialect implements facts.Set.
func (s *set) Dialect() facts.Dialect { return Dialect{} }

// Table implements facts.Set: it names only the files that a window touches.
func (s *set) Table(t facts.Table, columns []string, first, last int64) string {
	return s.table(t, columns, first, last, func(file) (string, bool) { return "", true })
}

// table reads columns of the files of a window that are asked for, each under a condition.
func (s *set) table(t facts.Table, columns []string, first, last int64, where func(file) (condition string, ok bool)) string {
	var parts []string
	for _, f := range s.files {
		if f.kind != kindOf(t) || !f.overlaps(first, last) {
			continue
		}
		if condition, ok := where(f); ok {
			parts = append(parts, selectRows(f.database(), t, columns)+condition)
		}
	}
	if len(parts) == 0 {
		parts = append(parts, selectRows("memory", t, columns))
	}
	return "(" + strings.Join(parts, "\n  union all ") + ")"
}

// Within implements facts.Set.
func (s *set) Within(t facts.Table, first, last int64) string {
	column := "ts"
	switch t {
	case facts.Totals, facts.DirectoryTotals, facts.AgentTotals:
		column = "bucket"
	}
	return fmt.Sprintf("%s between %d and %d", column, first, last)
}

// Has implements facts.Set: files of earlier generations lack some tables, and none
// has pages apart: their visits lie together.
func (s *set) Has(t facts.Table, first, last int64) bool {
	if t == facts.BusyPages {
		return false
	}
	if t != facts.DirectoryTotals && t != facts.AgentTotals {
		return true
	}
	return !slices.ContainsFunc(s.files, func(f file) bool {
		return f.kind == kindOf(t) && f.tables < tablesNow && f.overlaps(first, last)
	})
}

// stretchBytes is how much of the files of visits is grouped at once: more would
// need more memory.
const stretchBytes = 48 << 20

// Stretches implements facts.Set.
func (s *set) Stretches(t facts.Table, first, last int64) (all []facts.Stretch) {
	var bytes int64 // of the last stretch
	for _, f := range s.files {
		if f.kind != kindOf(t) || !f.overlaps(first, last) {
			continue
		}
		ofWeek := f.bytes / ((f.lastWeek-f.firstWeek)/facts.WeekSeconds + 1)
		for week := max(f.firstWeek, facts.Week(first)); week <= min(f.lastWeek, last); week += facts.WeekSeconds {
			one := facts.Stretch{First: max(first, week), Last: min(last, week+facts.WeekSeconds-1)}
			if n := len(all); n > 0 && bytes+ofWeek <= stretchBytes {
				all[n-1].Last = one.Last
				bytes += ofWeek
				continue
			}
			all, bytes = append(all, one), ofWeek
		}
	}
	if len(all) == 0 {
		return []facts.Stretch{{First: first, Last: last}}
	}
	return all
}

// Query implements facts.Set.
func (s *set) Query(ctx context.Context, statement facts.Statement, row func(scan facts.Scan) error) error {
	rows, err := s.db.QueryContext(ctx, statement.SQL, statement.Args...)
	if err == nil {
		err = facts.Drain(rows, row)
	}
	return s.blame(ctx, statement.SQL, err)
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
