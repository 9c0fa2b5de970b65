package catalog

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Migrations are numbered from 1 without gaps. Each ends by setting
// meta.schema_version to its number. They are plain SQL for every database;
// where one needs its own, the name says so: 0002_words.postgres.sql beside
// 0002_words.sqlite.sql, with the reason in the first line.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations returns the statements of every migration of a dialect, in order.
func migrations(dialect string) (statements []string, err error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, only, ok := strings.Cut(strings.TrimSuffix(path.Base(name), ".sql"), "."); ok && only != dialect {
			continue
		}
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		statements = append(statements, string(text))
	}
	return statements, nil
}

// Migrated says from which version of the tables a catalog was brought to which.
type Migrated struct {
	Place    string // for people, without a password
	From, To int    // From is 0 for a catalog that did not exist
}

// Migrate brings the tables of a catalog up to date, or makes them. All that
// opens a catalog to change it does so too; this is for those who want it done
// at a time of their choosing, by a role that may.
func Migrate(ctx context.Context, place string) (Migrated, error) {
	s, m, err := openAndMigrate(ctx, place)
	if err != nil {
		return m, err
	}
	return m, s.Close()
}

func openAndMigrate(ctx context.Context, place string) (*Store, Migrated, error) {
	s, err := connect(place, true)
	if err != nil {
		return nil, Migrated{}, err
	}
	m, err := s.migrate(ctx)
	if err != nil {
		return nil, m, errors.Join(err, s.db.Close())
	}
	return s, m, nil
}

// migrate brings the tables up to what this program knows. Of several that do
// so at once, the first does it and the others find it done.
func (s *Store) migrate(ctx context.Context) (m Migrated, err error) {
	known, err := migrations(s.engine.dialect())
	if err != nil {
		return m, err
	}
	m = Migrated{Place: s.Place(), To: len(known)}
	err = s.write(ctx, func(tx *sql.Tx) (bool, error) {
		if m.From, err = s.schemaVersion(ctx, tx); err != nil {
			return false, err
		}
		if m.From > m.To {
			return false, s.newerSchema(m.From, m.To)
		}
		if m.From == m.To {
			// Undone right away: SQLite opens what it cannot write without a word,
			// and a person should hear it now and not after more work.
			_, err := tx.ExecContext(ctx, `update meta set schema_version = schema_version`)
			return false, err
		}
		for _, statements := range known[m.From:] {
			if _, err := tx.ExecContext(ctx, statements); err != nil {
				return false, err
			}
		}
		if m.From < sealsVersion {
			return true, sealAll(ctx, tx)
		}
		return true, nil
	})
	return m, err
}

// ErrOlder is a catalog of an earlier sightline, met by those who may not write.
var ErrOlder = errors.New("bring it up to date with 'sightline migrate'")

// checkSchema is migrate for those who may not write.
func (s *Store) checkSchema(ctx context.Context) error {
	return s.read(ctx, func(tx *sql.Tx) error { return s.checkVersion(ctx, tx) })
}

// checkVersion refuses tables that this program does not know.
func (s *Store) checkVersion(ctx context.Context, tx *sql.Tx) error {
	known, err := migrations(s.engine.dialect())
	if err != nil {
		return err
	}
	found, err := s.schemaVersion(ctx, tx)
	switch {
	case err != nil:
		return err
	case found == 0:
		return unusable{fmt.Errorf("catalog %s is empty: run sightline apply first", s.Place())}
	case found < len(known):
		return fmt.Errorf("catalog %s has schema %d, this sightline needs %d: %w", s.Place(), found, len(known), ErrOlder)
	case found > len(known):
		return s.newerSchema(found, len(known))
	}
	return nil
}

// schemaVersion returns 0 for a database without tables.
func (s *Store) schemaVersion(ctx context.Context, tx *sql.Tx) (version int, err error) {
	all, meta, err := s.engine.tables(ctx, tx)
	if err != nil || all == 0 {
		return 0, err
	}
	if meta == 0 {
		return 0, s.engine.foreign()
	}
	err = tx.QueryRowContext(ctx, `select schema_version from meta`).Scan(&version)
	return version, err
}

func (s *Store) newerSchema(found, known int) error {
	return fmt.Errorf("catalog %s has schema %d, this sightline knows up to %d: use the newer sightline that wrote it", s.Place(), found, known)
}
