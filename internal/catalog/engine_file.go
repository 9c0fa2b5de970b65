package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/sightline-hq/sightline/internal/sqlite"
)

// file is the catalog in an SQLite file.
type file string

func (f file) String() string { return string(f) }

func (f file) dialect() string { return "sqlite" }

// open creates a file that is to be written, in a folder that must exist.
func (f file) open(writable bool) (*sql.DB, error) {
	info, err := os.Stat(string(f))
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder, not a catalog: choose another folder with --data", f)
	case writable:
		return sqlite.OpenWriter(string(f))
	case errors.Is(err, fs.ErrNotExist):
		return nil, unusable{fmt.Errorf("no catalog at %s: run sightline apply first, or name another folder with --data", f)}
	}
	return sqlite.OpenReader(string(f)), nil
}

// identity is the file itself, whatever its name.
func (f file) identity() string {
	info, err := os.Stat(string(f))
	if err != nil {
		return "" // reading it says why
	}
	if system, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprint(system.Dev, " ", system.Ino)
	}
	return ""
}

// lock has nothing to do: a writer's transaction begins with the lock.
func (f file) lock(context.Context, *sql.Tx) error { return nil }

func (f file) tables(ctx context.Context, tx *sql.Tx) (all, meta int, err error) {
	const query = `select count(*), coalesce(sum(case when name = 'meta' then 1 else 0 end), 0)
		from sqlite_master where type = 'table'`
	err = tx.QueryRowContext(ctx, query).Scan(&all, &meta)
	return all, meta, err
}

func (f file) foreign() error {
	return unusable{fmt.Errorf("%s is a database, but not a catalog: move it away, or choose another folder with --data", f)}
}

func (f file) settle(ctx context.Context, db *sql.DB) error { return sqlite.Settle(ctx, db) }

func (f file) explain(err error) error { return sqlite.Explain("catalog", string(f), err) }
