package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// CopyInto writes a database as it is at one moment into a new file, while
// others may read and write it.
func CopyInto(ctx context.Context, db *sql.DB, path string) error {
	_, err := db.ExecContext(ctx, "vacuum into ?", path)
	return err
}

// CheckIntegrity has SQLite look through a whole database.
func CheckIntegrity(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) error {
	var said string
	if err := db.QueryRowContext(ctx, "pragma integrity_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return fmt.Errorf("SQLite says: %s", said)
	}
	return nil
}
