package catalog

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/sightline-hq/sightline/internal/postgres"
)

// server is the catalog in a PostgreSQL database, which several hosts share.
type server struct{ address *postgres.Address }

func (s server) String() string { return s.address.String() }

func (s server) dialect() string { return "postgres" }

func (s server) open(writable bool) (*sql.DB, error) {
	if writable {
		return s.address.OpenWriter(), nil
	}
	return s.address.OpenReader(), nil
}

// lockNumber is "sightlin" in ASCII: advisory locks are told by a number that no
// other program in the same database should use.
const lockNumber int64 = 0x73696768746c696e

// lock lasts until the transaction ends, however it ends. It must come first:
// each later statement then sees what the writer before has committed.
func (s server) lock(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `select pg_advisory_xact_lock($1)`, lockNumber)
	return err
}

// tables looks into the system's catalog, which shows tables also to a role that
// may not read them: that deserves another answer than that there are none.
func (s server) tables(ctx context.Context, tx *sql.Tx) (all, meta int, err error) {
	var schema sql.NullString
	var encoding string
	const look = `select current_schema(), current_setting('server_encoding')`
	if err := tx.QueryRowContext(ctx, look).Scan(&schema, &encoding); err != nil {
		return 0, 0, err
	}
	switch {
	case !schema.Valid:
		return 0, 0, fmt.Errorf("catalog %s: the role may use none of the schemas in its search_path: "+
			"grant it usage, or name another one with search_path in the URL (docs/scaling.md has the statements)", s)
	case encoding != "UTF8":
		return 0, 0, fmt.Errorf("catalog %s: the database has the encoding %s: create one with encoding 'UTF8' template template0", s, encoding)
	}
	const query = `select count(*), count(*) filter (where c.relname = 'meta')
		from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where n.nspname = $1 and c.relkind in ('r', 'p')`
	err = tx.QueryRowContext(ctx, query, schema.String).Scan(&all, &meta)
	return all, meta, err
}

func (s server) foreign() error {
	return fmt.Errorf("%s holds tables of others: give the catalog a database of its own, "+
		"or a schema of its own with search_path=NAME in the URL", s)
}

// settle has nothing to do: a server sees to its files itself.
func (s server) settle(context.Context, *sql.DB) error { return nil }

func (s server) explain(err error) error { return s.address.Explain("catalog", err) }

// identity is not known: a database is its address.
func (s server) identity() string { return "" }
