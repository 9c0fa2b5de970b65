package catalog

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

// Migrations are numbered from 1 without gaps. Each ends by setting
// meta.schema_version to its number.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations returns the statements of every migration, in order.
func migrations() ([]string, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var statements []string
	for _, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		statements = append(statements, string(text))
	}
	return statements, nil
}

// migrate brings the tables up to what this program knows.
func migrate(ctx context.Context, db *sql.DB, path string) error {
	known, err := migrations()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	found, err := schemaVersion(ctx, tx, path)
	if err != nil {
		return err
	}
	if found > len(known) {
		return newerSchema(path, found, len(known))
	}
	if found == len(known) {
		// Undone right away: SQLite opens what it cannot write without a word,
		// and a person should hear it now and not after more work.
		_, err := tx.ExecContext(ctx, `update meta set schema_version = schema_version`)
		return err
	}
	for _, statements := range known[found:] {
		if _, err := tx.ExecContext(ctx, statements); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// checkSchema is migrate for those who may not write.
func checkSchema(ctx context.Context, db *sql.DB, path string) error {
	known, err := migrations()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	found, err := schemaVersion(ctx, tx, path)
	switch {
	case err != nil:
		return err
	case found == 0:
		return fmt.Errorf("catalog %s is empty: run sightline apply first", path)
	case found < len(known):
		return fmt.Errorf("catalog %s has schema %d, this sightline needs %d: run sightline apply once", path, found, len(known))
	case found > len(known):
		return newerSchema(path, found, len(known))
	}
	return nil
}

// schemaVersion returns 0 for a database without tables.
func schemaVersion(ctx context.Context, tx *sql.Tx, path string) (version int, err error) {
	all, meta, err := countTables(ctx, tx)
	if err != nil || all == 0 {
		return 0, err
	}
	if meta == 0 {
		return 0, fmt.Errorf("%s is a database, but not a catalog: move it away, or choose another folder with --data", path)
	}
	err = tx.QueryRowContext(ctx, `select schema_version from meta`).Scan(&version)
	return version, err
}

func newerSchema(path string, found, known int) error {
	return fmt.Errorf("catalog %s has schema %d, this sightline knows up to %d: use the newer sightline that wrote it", path, found, known)
}

// countTables tells a catalog from an empty file and from a database of others.
func countTables(ctx context.Context, tx *sql.Tx) (all, meta int, err error) {
	const query = `select count(*), coalesce(sum(case when name = 'meta' then 1 else 0 end), 0)
		from sqlite_master where type = 'table'`
	err = tx.QueryRowContext(ctx, query).Scan(&all, &meta)
	return all, meta, err
}
