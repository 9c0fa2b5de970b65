package duckdb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/sqlite"
)

const (
	manifestName    = "manifest.db"
	manifestVersion = 6 // of the schema and of the files, in SQLite's user_version
	markedVersion   = 5 // the one before files had generations
	unmarkedVersion = 4 // the one before files said what they are
	unsealedVersion = 3 // the one before there were sums of the manifest itself
)

// file is a row of the manifest: a published file.
type file struct {
	name                string
	kind                facts.Kind
	firstWeek, lastWeek int64
	rows, ids, newest   int64
	bytes               int64
	sha256              string
	tables              int // generation of its tables
}

// Generations of the tables of a file. A file stays as it was written; a build
// counts and packs anew what it takes from a file of an earlier one.
const (
	tablesMarked = 1 // it says itself which file it is; those before do not
	tablesNow    = 2 // visits have totals by directory and sets of agents, answers are packed by kind of prompts
)

// overlaps says whether the file may hold rows between two seconds.
func (f file) overlaps(first, last int64) bool {
	return f.firstWeek <= last && first < f.lastWeek+facts.WeekSeconds
}

// manifest is the list of published files.
type manifest struct {
	db   *sql.DB
	dir  string // of the files
	path string
	now  func() time.Time
}

// openManifest opens the manifest of a folder; a writer creates it.
// A reader gets fs.ErrNotExist where there is none yet.
func openManifest(ctx context.Context, dir string, write bool) (_ *manifest, err error) {
	m := &manifest{dir: dir, path: filepath.Join(dir, manifestName), now: time.Now}
	if write {
		if _, err := os.Stat(m.path); errors.Is(err, fs.ErrNotExist) {
			if err := m.notLost(); err != nil {
				return nil, err
			}
		}
		if m.db, err = sqlite.OpenWriter(m.path); err != nil {
			return nil, m.explain(err)
		}
	} else {
		if _, err := os.Stat(m.path); err != nil {
			return nil, cmp.Or(m.notLost(), err)
		}
		m.db = sqlite.OpenReader(m.path)
	}
	if err := m.migrate(ctx, write); err != nil {
		return nil, errors.Join(m.explain(err), m.db.Close())
	}
	return m, nil
}

// notLost refuses a folder without a manifest, or with an empty one, that has
// facts: a new one would not name them, and the next load would sweep them up.
func (m *manifest) notLost() error {
	files, err := filepath.Glob(filepath.Join(m.dir, "*"+fileSuffix))
	if err == nil && len(files) > 0 {
		err = fmt.Errorf("%s is missing, but there are facts beside it: %s, "+
			"or move them away to start over", m.path, restoreAll)
	}
	return err
}

func (m *manifest) explain(err error) error {
	return sqlite.Explain("manifest of the facts", m.path, err)
}

func (m *manifest) migrate(ctx context.Context, write bool) error {
	version, err := formatOf(ctx, m.db)
	if err != nil {
		return err
	}
	switch {
	case version > manifestVersion:
		return m.newer(version)
	case version == manifestVersion, version >= unsealedVersion && !write:
		return nil
	case version == 1 || version == 2:
		return fmt.Errorf("%s was written by a sightline before its first release: load the data again into a new directory", m.path)
	case version == 0:
		if err := m.notLost(); err != nil {
			return err
		}
		if !write {
			return fs.ErrNotExist // being created at this moment
		}
	}
	return m.raise(ctx)
}

func (m *manifest) newer(version int) error {
	return fmt.Errorf("%s has format %d, this sightline knows up to %d: use the newer sightline that wrote it", m.path, version, manifestVersion)
}

// raise brings the tables to today's format, or makes them.
func (m *manifest) raise(ctx context.Context) error {
	return m.tx(ctx, func(tx *sql.Tx) error {
		version, err := formatOf(ctx, tx)
		if err != nil || version == manifestVersion {
			return err
		}
		statements := manifestSchema
		switch version {
		case unsealedVersion:
			statements = addSums + ";" + addMarks + ";" + addTables
		case unmarkedVersion:
			statements = addMarks + ";" + addTables
		case markedVersion:
			statements = addTables
		}
		if version >= unmarkedVersion { // sealed anew, damage would be what was written
			if err := m.checkAll(ctx, tx); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, statements+fmt.Sprintf(";pragma user_version = %d", manifestVersion)); err != nil {
			return err
		}
		inputs, err := readInputs(ctx, tx)
		if err != nil {
			return err
		}
		return seal(ctx, tx, sumInputs(inputs, manifestVersion))
	})
}

func (m *manifest) close() error { return m.db.Close() }

func (m *manifest) tx(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return m.explain(err)
	}
	if err := do(tx); err != nil {
		return errors.Join(m.explain(err), tx.Rollback())
	}
	return m.explain(tx.Commit())
}

// version is the number of the last publish.
func (m *manifest) version(ctx context.Context) (version int64, err error) {
	err = m.db.QueryRowContext(ctx, "select version from state").Scan(&version)
	return version, m.explain(err)
}

// current returns the version and its files, read together.
func (m *manifest) current(ctx context.Context) (version int64, files []file, err error) {
	err = m.tx(ctx, func(tx *sql.Tx) error {
		if err := m.checkSeal(ctx, tx); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "select version from state").Scan(&version); err != nil {
			return err
		}
		files, err = currentFiles(ctx, tx)
		return err
	})
	return version, files, err
}

func currentFiles(ctx context.Context, tx *sql.Tx) (files []file, err error) {
	format, err := formatOf(ctx, tx)
	if err != nil {
		return nil, err
	}
	tables := "tables"
	switch {
	case format <= unmarkedVersion:
		tables = "0"
	case format == markedVersion:
		tables = "marked"
	}
	rows, err := tx.QueryContext(ctx, `select name, kind, first_week, last_week, row_count, id_count, newest, bytes, sha256, `+tables+`
		from files not indexed where removed_version is null order by kind, first_week`)
	if err != nil {
		return nil, err
	}
	err = facts.Drain(rows, func(scan facts.Scan) error {
		var f file
		err := scan(&f.name, &f.kind, &f.firstWeek, &f.lastWeek, &f.rows, &f.ids, &f.newest, &f.bytes, &f.sha256, &f.tables)
		files = append(files, f)
		return err
	})
	return files, err
}

// change is what one publish does to the manifest.
type change struct {
	add           []file
	remove        []file
	inputs        []facts.Input
	nextAnswerKey int64 // 0: unchanged
}

// publish makes a change visible, whole, as the next version.
func (m *manifest) publish(ctx context.Context, c change) (version int64, err error) {
	now := m.now().Unix()
	err = m.tx(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `update state set version = version + 1,
			next_answer_key = max(next_answer_key, ?) returning version`, c.nextAnswerKey).Scan(&version)
		if err != nil {
			return err
		}
		for _, f := range c.remove {
			if _, err := tx.ExecContext(ctx, `update files not indexed set removed_version = ?, removed_at = ? where name = ?`,
				version, now, f.name); err != nil {
				return err
			}
		}
		for _, f := range c.add {
			if _, err := tx.ExecContext(ctx, `insert into files (name, kind, first_week, last_week, row_count, id_count,
				newest, bytes, sha256, tables, added_version) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				f.name, f.kind, f.firstWeek, f.lastWeek, f.rows, f.ids, f.newest, f.bytes, f.sha256, f.tables, version); err != nil {
				return err
			}
		}
		added, err := insertInputs(ctx, tx, c.inputs, version, now)
		if err != nil {
			return err
		}
		return addToSeal(ctx, tx, added)
	})
	if err != nil {
		return 0, err // it may have failed at the end
	}
	return version, nil
}

func (m *manifest) nextAnswerKey(ctx context.Context) (key int64, err error) {
	err = m.db.QueryRowContext(ctx, "select next_answer_key from state").Scan(&key)
	return key, m.explain(err)
}

// sweep drops the rows of files that were removed before a time, and returns the
// names of those that stay. A file that is to be removed in the
// future was so by a clock that was wrong, and has its grace period from now on.
func (m *manifest) sweep(ctx context.Context, before time.Time) (names map[string]bool, err error) {
	now := m.now()
	err = m.tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "update files not indexed set removed_at = ? where removed_at > ?", now.Unix(), now.Unix()); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "delete from files not indexed where removed_at < ?", before.Unix()); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, "select name from files not indexed")
		if err != nil {
			return err
		}
		names = make(map[string]bool)
		if err := facts.Drain(rows, func(scan facts.Scan) error {
			var name string
			err := scan(&name)
			names[name] = true
			return err
		}); err != nil {
			return err
		}
		return addToSeal(ctx, tx, inputsSum{})
	})
	return names, err
}
