package catalog

import (
	"context"
	"database/sql"
	"errors"
	"slices"
)

// Store is the catalog in its database. It is safe for concurrent use, and for
// use by several processes at once.
type Store struct {
	db     *sql.DB
	engine engine
}

// Open opens a catalog to change it. The place is the path of a file, which is
// created if there is none, in a folder that must exist; or the URL of a
// PostgreSQL database, which must exist. Older tables are brought up to date.
func Open(ctx context.Context, place string) (*Store, error) {
	s, _, err := openAndMigrate(ctx, place)
	return s, err
}

// OpenReader opens a catalog to read it, while others may change it. It never
// writes.
func OpenReader(ctx context.Context, place string) (*Store, error) {
	s, err := connect(place, false)
	if err != nil {
		return nil, err
	}
	if err := s.checkSchema(ctx); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

func connect(place string, writable bool) (*Store, error) {
	e, err := newEngine(place)
	if err != nil {
		return nil, err
	}
	db, err := e.open(writable)
	if err != nil {
		return nil, e.explain(err)
	}
	return &Store{db, e}, nil
}

// Place is where the catalog is, for people. It has no password in it.
func (s *Store) Place() string { return s.engine.String() }

// explain says what to do about an error of the database.
func (s *Store) explain(err error) error { return s.engine.explain(err) }

// Close closes the database.
func (s *Store) Close() error { return s.db.Close() }

// Version returns the version of the catalog. It is cheap: asking five times a
// second is fine.
func (s *Store) Version(ctx context.Context) (version int64, err error) {
	err = s.db.QueryRowContext(ctx, `select catalog_version from meta`).Scan(&version)
	return version, s.explain(err)
}

// Snapshot reads the whole catalog at one version. It fails if that is damaged, but
// for keys: one that is damaged is left out, and the others go on.
func (s *Store) Snapshot(ctx context.Context) (snap *Snapshot, err error) {
	err = s.read(ctx, func(tx *sql.Tx) error {
		// A newer sightline may have come while this one runs. What it says of a key
		// is not known here: rather an old snapshot than one that lets too many in.
		if err := s.checkVersion(ctx, tx); err != nil {
			return err
		}
		st, err := s.wholeState(ctx, tx)
		if err == nil {
			snap = newSnapshot(st)
		}
		return err
	})
	return snap, err
}

// read runs f in a transaction that sees the catalog at one moment.
func (s *Store) read(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, wholly)
	if err != nil {
		return s.explain(err)
	}
	defer func() { _ = tx.Rollback() }()
	return s.explain(f(tx))
}

// change runs f in a transaction, after all other writers and before the next,
// and adds one to the version if f changed something.
func (s *Store) change(ctx context.Context, f func(tx *sql.Tx) (changed bool, err error)) error {
	return s.write(ctx, func(tx *sql.Tx) (bool, error) {
		// Somebody may have moved the tables on since this store was opened.
		if err := s.checkVersion(ctx, tx); err != nil {
			return false, err
		}
		changed, err := f(tx)
		if err != nil || !changed {
			return false, err
		}
		_, err = tx.ExecContext(ctx, `update meta set catalog_version = catalog_version + 1`)
		return true, err
	})
}

// write runs f in a transaction that no other writer overlaps, and keeps what it
// did if it says so.
func (s *Store) write(ctx context.Context, f func(tx *sql.Tx) (keep bool, err error)) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	defer func() { _ = tx.Rollback() }()
	if err := s.engine.lock(ctx, tx); err != nil {
		return s.explain(err)
	}
	keep, err := f(tx)
	if err != nil || !keep {
		return s.explain(err)
	}
	return s.explain(tx.Commit())
}

func sorted[T int64 | string](values []T) []T {
	slices.Sort(values)
	return values
}
