// Package sqlite is all that is peculiar to SQLite: how a file is opened by one
// process that writes and by others that read, and what its errors mean to a
// person. The catalog and the manifest of the facts are such files.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// OpenWriter opens a database to read and write; transactions that may write
// take the write lock at their start, so that they wait instead of failing.
func OpenWriter(path string) (*sql.DB, error) {
	if err := createFile(path); err != nil {
		return nil, err
	}
	dsn, err := dataSource(path, url.Values{
		"_busy_timeout": {"10000"}, "_journal_mode": {"WAL"}, "_foreign_keys": {"1"},
		"_txlock": {"immediate"}, "_dqs": {"0"}, "_error_rc": {"1"},
		"_pragma": {"journal_size_limit(0)", "secure_delete(1)"}, // what is deleted is overwritten
	})
	if err != nil {
		return nil, err
	}
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(keepWAL{c})
	db.SetMaxOpenConns(1)
	return db, nil
}

// OpenReader opens a database that others write. Every use opens the file anew
// and closes it again, so a file that was replaced, by a restore for instance, is
// noticed like any other change.
func OpenReader(path string) *sql.DB {
	db := sql.OpenDB(readOnly{path})
	db.SetMaxIdleConns(-1)
	return db
}

type readOnly struct{ path string }

// Connect opens the file for reading. In a folder where it may not write, SQLite
// can do that while the WAL is there, which keepWAL sees to. A lone file, such as
// a backup, has none; nobody is writing to it, so it is read as immutable.
func (r readOnly) Connect(ctx context.Context) (driver.Conn, error) {
	settings := url.Values{"mode": {"ro"}, "_busy_timeout": {"10000"}, "_dqs": {"0"}, "_error_rc": {"1"}}
	conn, err := r.open(ctx, settings)
	if err == nil {
		return conn, nil
	}
	if _, e := os.Stat(r.path + "-wal"); !errors.Is(e, fs.ErrNotExist) {
		return nil, err
	}
	settings.Set("immutable", "1")
	if conn, e := r.open(ctx, settings); e == nil {
		return conn, nil
	}
	return nil, err
}

// open looks into the file at once: SQLite itself does so at the first query.
func (r readOnly) open(ctx context.Context, settings url.Values) (driver.Conn, error) {
	dsn, err := dataSource(r.path, settings)
	if err != nil {
		return nil, err
	}
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	conn, err := c.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.(driver.ExecerContext).ExecContext(ctx, "select count(*) from sqlite_master", nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func (readOnly) Driver() driver.Driver { return &sqlite.Driver{} }

func dataSource(path string, settings url.Values) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(abs), RawQuery: settings.Encode()}
	return u.String(), nil
}

// createFile makes an empty database unless there is one, so that whatever the
// system has against it is said in the system's words. A file that exists is
// not opened: closing it would drop the locks that SQLite holds on it.
func createFile(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o640)
	if err == nil {
		return f.Close()
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// keepWAL lets the files beside the database stay when the last writer leaves.
// They are empty then, but a reader without the right to create them needs them.
type keepWAL struct{ driver.Connector }

func (k keepWAL) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.(sqlite.FileControl).FileControlPersistWAL("main", 1); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// Settle writes all changes into the file itself, and empties the WAL. Closing a
// database does so, too, unless somebody reads it at that moment: then what was
// deleted would stay in the file until the next change. It waits for readers as long
// as writers wait for one another.
func Settle(ctx context.Context, db *sql.DB) error {
	var busy, pages, written int
	err := db.QueryRowContext(ctx, "pragma wal_checkpoint(truncate)").Scan(&busy, &pages, &written)
	if err == nil && busy != 0 {
		err = errors.New("somebody reads it for so long that what was deleted stays in the file until its next change")
	}
	return err
}

// Damaged tells whether an error says that the file is no database, or not whole.
func Damaged(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff
	return code == sqlite3.SQLITE_NOTADB || code == sqlite3.SQLITE_CORRUPT
}

// restoreIt is the advice about a database that is lost.
const restoreIt = "restore a backup into a new directory with 'sightline restore DIR --data NEW'"

// Explain says what to do about an error of a database, which people know as
// the catalog or the manifest.
func Explain(what, path string, err error) error {
	var e *sqlite.Error
	var system *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &system):
		return fmt.Errorf("cannot create the %s: %w: make its folder writable, or choose another with --data", what, err)
	case !errors.As(err, &e):
		return err
	}
	var advice string
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		advice = "it is damaged, or no " + what + " at all: " + restoreIt + ", or choose another folder with --data"
	case sqlite3.SQLITE_CORRUPT:
		advice = "it is damaged: " + restoreIt
	case sqlite3.SQLITE_READONLY:
		advice = "it cannot be written: make the file and its folder writable, or choose another with --data"
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		advice = "it cannot be opened: make the file readable and its folder writable, or choose another with --data"
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			advice = "it is missing: put it back, or " + restoreIt
		}
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		advice = "another command is writing to it: try again when that has ended"
	case sqlite3.SQLITE_FULL:
		advice = "the disk is full: nothing was changed, make room and try again"
	case sqlite3.SQLITE_IOERR:
		advice = "the disk failed to read or write it: look at the system's log"
	default:
		return fmt.Errorf("%s %s: %w", what, path, err)
	}
	return fmt.Errorf("%s %s: %s (%w)", what, path, advice, err)
}
