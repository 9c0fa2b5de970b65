package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// engine is a place for facts that the suite runs on.
type engine struct {
	golden string // the file of its SQL in golden cases; empty: not looked at
	slow   bool
	// empty makes a new, empty store.
	empty func(s *system) (facts.Store, error)
}

// pace is how often the engine is asked for news: servers answer with a query.
func (e engine) pace() time.Duration {
	if e.slow {
		return 10 * poll
	}
	return poll
}

var onDuckDB = engine{"duckdb.sql", false, func(s *system) (facts.Store, error) {
	return duckdb.Store{Dir: s.dir.Facts()}, nil
}}

// onClickHouse is one server, or two that are shards.
func onClickHouse(t testing.TB, shards int) engine {
	cluster := twoShards(t)
	golden, urlOf := "clickhouse.sql", cluster.URL
	if shards == 1 { // but for the names of tables, the SQL is the same
		golden, urlOf = "", cluster.Servers[0].URL
	}
	return engine{golden, true, oneByOne(t, func(database string) error {
		for _, server := range cluster.Servers {
			server.Query("drop database if exists " + database)
		}
		return nil
	}, func(s *system, database string) (facts.Store, error) {
		config, err := clickhouse.ParseURL(urlOf(database), func(string) string { return clickhousetest.Password })
		if err != nil {
			return nil, err
		}
		return migrated(s, clickhouse.Store{Config: config})
	})}
}

// oneByOne makes databases, each of which is dropped before the next, and the
// last with the test: they always have the same names.
func oneByOne(t testing.TB, drop func(database string) error, create func(s *system, database string) (facts.Store, error)) func(s *system) (facts.Store, error) {
	var number int
	end := func() error { return drop(fmt.Sprintf("facts%d", number)) }
	return func(s *system) (facts.Store, error) {
		if number > 0 {
			if err := end(); err != nil {
				return nil, err
			}
		} else {
			t.Cleanup(func() {
				if err := end(); err != nil {
					t.Error(err)
				}
			})
		}
		number++
		return create(s, fmt.Sprintf("facts%d", number))
	}
}

func migrated(s *system, store clickhouse.Store) (facts.Store, error) {
	_, err := store.Migrate(s.t.Context())
	return store, err
}

// onEach runs a test on every engine.
func onEach(t *testing.T, test func(t *testing.T, e engine)) {
	t.Run("duckdb", func(t *testing.T) { test(t, onDuckDB) })
	t.Run("clickhouse on one server", func(t *testing.T) { test(t, onClickHouse(t, 1)) })
	t.Run("clickhouse on two shards", func(t *testing.T) { test(t, onClickHouse(t, 2)) })
	t.Run("today's clickhouse engine", func(t *testing.T) { test(t, onToday(t)) })
}
