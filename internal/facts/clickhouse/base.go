package clickhouse

import (
	"context"
	"errors"

	"github.com/sightline-hq/sightline/internal/facts"
)

// base is the database, for reading.
type base struct {
	config  Config
	engine  Engine // nil: the servers of the configuration
	entries *entries
}

// local is a table on one server.
func (b *base) local(table string) string { return b.config.Database + "." + table }

// all is a table on all shards.
func (b *base) all(table string) string {
	if b.config.Cluster != "" {
		table += "_all"
	}
	return b.local(table)
}

func (b *base) query(ctx context.Context, sql string, row func(facts.Scan) error, settings ...string) error {
	return b.entries.query(ctx, sql, row, settings...)
}

func (s Store) open() (*base, error) {
	b := &base{config: s.Config, engine: s.Engine}
	if s.Engine != nil {
		b.entries = newEntries(embedded{s.Engine})
		return b, nil
	}
	b.entries = newEntries()
	for _, address := range s.Config.Addresses {
		n, err := s.Config.open(address)
		if err != nil {
			return nil, errors.Join(err, b.close())
		}
		b.entries.servers = append(b.entries.servers, n)
	}
	return b, nil
}

func (b *base) close() error { return b.entries.close() }
