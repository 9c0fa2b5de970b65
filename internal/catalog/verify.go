package catalog

import (
	"context"
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
// whether a server could use it.
func (s *Store) Verify(ctx context.Context) error {
	if _, ok := s.engine.(file); ok {
		if err := sqlite.CheckIntegrity(ctx, s.db); err != nil {
			return s.damaged(err.Error())
		}
		var table string
		rows, err := s.db.QueryContext(ctx, "select \"table\" from pragma_foreign_key_check limit 1")
		if err != nil {
			return s.explain(err)
		}
		defer rows.Close()
		if rows.Next() {
			if err := rows.Scan(&table); err != nil {
				return s.explain(err)
			}
			return s.damaged("a row of " + table + " belongs to nothing")
		}
		if err := rows.Err(); err != nil {
			return s.explain(err)
		}
	}
	_, err := s.Snapshot(ctx)
	return err
}

func (s *Store) damaged(how string) error {
	return unusable{fmt.Errorf("catalog %s: it is damaged: restore a backup into a new directory with 'sightline restore DIR --data NEW' (%s)", s.Place(), how)}
}
