package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/sightline-hq/sightline/internal/sqlite"
)

// CopyInto writes the catalog as it is at one moment into a new file. A catalog
// in PostgreSQL has tools of its own for that.
func (s *Store) CopyInto(ctx context.Context, path string) error {
	if _, ok := s.engine.(file); !ok {
		return fmt.Errorf("catalog %s is in PostgreSQL: back it up with pg_dump", s.Place())
	}
	return s.explain(sqlite.CopyInto(ctx, s.db, path))
}

// Verify looks through the whole catalog: the file, what refers to what, and
// whether what it says is what was written. It returns what is wrong, and what to do.
func (s *Store) Verify(ctx context.Context) (problems []error) {
	if err := s.verifyFile(ctx); err != nil {
		return []error{err}
	}
	snap, err := s.Snapshot(ctx)
	if err != nil {
		return []error{err}
	}
	for _, key := range snap.Damaged() {
		problems = append(problems, fmt.Errorf("catalog %s: %w", s.Place(), key))
	}
	return problems
}

// verifyFile has SQLite look through its file. PostgreSQL has pg_amcheck.
func (s *Store) verifyFile(ctx context.Context) error {
	if _, ok := s.engine.(file); !ok {
		return nil
	}
	if err := sqlite.CheckIntegrity(ctx, s.db); err != nil {
		return s.damaged(err.Error())
	}
	var table string
	err := s.db.QueryRowContext(ctx, "select \"table\" from pragma_foreign_key_check limit 1").Scan(&table)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return s.explain(err)
	}
	return s.damaged("a row of " + table + " belongs to nothing")
}

func (s *Store) damaged(how string) error {
	return unusable{fmt.Errorf("catalog %s: it is damaged: restore a backup into a new directory with 'sightline restore DIR --data NEW' (%s)", s.Place(), how)}
}
