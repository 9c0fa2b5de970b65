package clickhouse

import (
	"context"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Store is facts in ClickHouse. It implements facts.Store.
type Store struct {
	Config Config
	// Engine takes the statements instead of the servers of the configuration, if
	// it is not nil: an engine without a network, in tests.
	Engine Engine
}

// Engine is ClickHouse without a network.
type Engine interface {
	Query(ctx context.Context, sql string, row func(facts.Scan) error) error
	Exec(ctx context.Context, sql string) error
	// Insert adds rows, in the format RowBinary, compressed with gzip.
	Insert(ctx context.Context, table, columns string, rows []byte) error
}

// embedded is an engine as a server.
type embedded struct{ Engine }

func (embedded) String() string { return "engine" }
func (embedded) close() error   { return nil }
func (e embedded) query(ctx context.Context, sql string, row func(facts.Scan) error, settings ...string) error {
	return e.Query(ctx, bounded(sql, settings), row)
}
func (e embedded) exec(ctx context.Context, sql string) error { return e.Exec(ctx, sql) }
func (e embedded) insert(ctx context.Context, table, columns string, rows []byte) error {
	return e.Insert(ctx, table, columns, rows)
}
