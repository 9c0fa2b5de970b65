package e2e

import (
	"fmt"
	"testing"

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

var onDuckDB = engine{"duckdb.sql", false, func(s *system) (facts.Store, error) {
	return duckdb.Store{Dir: s.dir.Facts()}, nil
}}

// onClickHouse starts servers for one test: with two, they are shards.
func onClickHouse(t testing.TB, shards int) engine {
	cluster := clickhousetest.Start(t, shards)
	var number int
	golden := "clickhouse.sql"
	if shards == 1 {
		golden = "" // but for the names of tables, it is the same
	}
	return engine{golden, true, func(s *system) (facts.Store, error) {
		for _, server := range cluster.Servers {
			server.Query(fmt.Sprintf("drop database if exists facts%d", number))
		}
		number++
		url := cluster.URL(fmt.Sprintf("facts%d", number))
		if shards == 1 {
			url = cluster.Servers[0].URL(fmt.Sprintf("facts%d", number))
		}
		return migrated(s, url)
	}}
}

func migrated(s *system, url string) (facts.Store, error) {
	config, err := clickhouse.ParseURL(url, func(string) string { return clickhousetest.Password })
	if err != nil {
		return nil, err
	}
	store := clickhouse.Store{Config: config}
	_, err = store.Migrate(s.t.Context())
	return store, err
}

// onEach runs a test on every engine.
func onEach(t *testing.T, test func(t *testing.T, e engine)) {
	t.Run("duckdb", func(t *testing.T) { test(t, onDuckDB) })
	t.Run("clickhouse on one server", func(t *testing.T) { test(t, onClickHouse(t, 1)) })
	t.Run("clickhouse on two shards", func(t *testing.T) { test(t, onClickHouse(t, 2)) })
	t.Run("today's clickhouse engine", func(t *testing.T) { test(t, onToday(t)) })
}
