package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/sightline-hq/sightline/internal/sqlite"
)

// Store is the catalog in its database. It is safe for concurrent use, and for
// use by several processes at once.
type Store struct {
	db   *sql.DB
	path string
}

// Open opens a catalog to change it. It creates the file if there is none, in a
// folder that must exist, and brings older tables up to date.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := notFolder(path); err != nil {
		return nil, err
	}
	db, err := sqlite.OpenWriter(path)
	if err != nil {
		return nil, explain(path, err)
	}
	if err := migrate(ctx, db, path); err != nil {
		return nil, explain(path, errors.Join(err, db.Close()))
	}
	return &Store{db, path}, nil
}

// OpenReader opens a catalog to read it, while others may change it. It never
// writes.
func OpenReader(ctx context.Context, path string) (*Store, error) {
	if err := notFolder(path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no catalog at %s: run sightline apply first, or name another folder with --data", path)
	}
	db := sqlite.OpenReader(path)
	if err := checkSchema(ctx, db, path); err != nil {
		return nil, explain(path, errors.Join(err, db.Close()))
	}
	return &Store{db, path}, nil
}

// explain says what to do about an error of the database.
func explain(path string, err error) error { return sqlite.Explain("catalog", path, err) }

func notFolder(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, not a catalog: choose another folder with --data", path)
	}
	return nil
}

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

// Version returns the version of the catalog. It is cheap: asking five times a
// second is fine.
func (s *Store) Version(ctx context.Context) (version int64, err error) {
	err = s.db.QueryRowContext(ctx, `select catalog_version from meta`).Scan(&version)
	return version, explain(s.path, err)
}

// Snapshot reads the whole catalog at one version.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer func() { _ = tx.Rollback() }()
	st, err := loadState(ctx, tx)
	if err != nil {
		return nil, explain(s.path, err)
	}
	return newSnapshot(st), nil
}

// change runs f in a transaction and adds one to the version if f changed
// something.
func (s *Store) change(ctx context.Context, f func(tx *sql.Tx) (changed bool, err error)) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return explain(s.path, err)
	}
	defer func() { _ = tx.Rollback() }()
	changed, err := f(tx)
	if err != nil || !changed {
		return explain(s.path, err)
	}
	if _, err := tx.ExecContext(ctx, `update meta set catalog_version = catalog_version + 1`); err != nil {
		return explain(s.path, err)
	}
	return explain(s.path, tx.Commit())
}

func sorted[T int64 | string](values []T) []T {
	slices.Sort(values)
	return values
}
