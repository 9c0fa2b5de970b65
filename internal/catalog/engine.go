package catalog

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/sightline-hq/sightline/internal/postgres"
)

// engine is the little in which the databases that can keep a catalog differ.
// Everything else is plain SQL that runs on all of them.
type engine interface {
	// String is where the catalog is, for people; never with a password.
	String() string
	// dialect marks the migrations that are for this engine alone.
	dialect() string
	// open prepares the database; connecting may wait until it is used.
	open(writable bool) (*sql.DB, error)
	// lock keeps other writers out until the transaction ends.
	lock(ctx context.Context, tx *sql.Tx) error
	// tables counts all tables there, and those that are called meta.
	tables(ctx context.Context, tx *sql.Tx) (all, meta int, err error)
	// foreign is what to do about a database that holds something else.
	foreign() error
	// identity tells a catalog from another one that was put in its place, if the
	// place can tell.
	identity() string
	// settle overwrites what was deleted, also where others have just read it.
	settle(ctx context.Context, db *sql.DB) error
	// explain says what to do about an error.
	explain(err error) error
}

// newEngine returns the engine of a place: the URL of a PostgreSQL database, or
// the path of an SQLite file.
func newEngine(place string) (engine, error) {
	switch {
	case postgres.IsURL(place):
		address, err := postgres.Parse(place)
		if err != nil {
			return nil, err
		}
		return server{address}, nil
	case strings.Contains(place, "://"):
		// Not repeated: it may hold a password.
		return nil, errors.New("a catalog is a file, or in PostgreSQL at postgres://user@host:5432/database: there is no other kind of URL")
	}
	return file(place), nil
}

// wholly makes a transaction see the database at one moment, however many
// statements it reads with. For SQLite every transaction is so.
var wholly = &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
