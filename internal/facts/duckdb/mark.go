package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
)

// A file says itself which one it is. So one that is in the place of another, of
// the same size by chance, is told from it as soon as it is opened, and not only
// when its sum is compared. Files of earlier formats do not.

// mark is the statement that makes a new file say so.
func (f file) mark(database string) string {
	return fmt.Sprintf("create table %s.this_file as select %s as name, %s as kind, %d::bigint as first_week, %d::bigint as last_week",
		database, quote(f.name), quote(string(f.kind)), f.firstWeek, f.lastWeek)
}

// itself fails if the file that is attached under a name is another one.
func (f file) itself(ctx context.Context, db *sql.DB, dir, database string) error {
	if f.tables < tablesMarked {
		return nil
	}
	var is file
	err := db.QueryRowContext(ctx, "select name, kind, first_week, last_week from "+database+".this_file").
		Scan(&is.name, &is.kind, &is.firstWeek, &is.lastWeek)
	path := filepath.Join(dir, f.name)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return unreadable(path, err)
	case is.name != f.name || is.kind != f.kind || is.firstWeek != f.firstWeek || is.lastWeek != f.lastWeek:
		return fmt.Errorf("%s is damaged: it is another file, published as %q: %s", path, is.name, restoreIt)
	}
	return nil
}
