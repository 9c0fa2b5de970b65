package e2e

import (
	"context"
	"os"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse"
	"github.com/sightline-hq/sightline/internal/house"
)

// onToday is today's ClickHouse engine: the library that SIGHTLINE_CHDB names. It
// has no port and no cluster, so what it shows is that the SQL which servers of
// 2018 run, and the rows that are loaded, give the same there.
func onToday(t testing.TB) engine {
	library := os.Getenv("SIGHTLINE_CHDB")
	if library == "" {
		house.Skip(t, "needs today's ClickHouse engine: 'make chdb' gets it, from npm")
	}
	running := todaysEngine(t, library)
	return engine{"", true, oneByOne(t, func(database string) error {
		return running.Exec(context.Background(), "drop database "+database)
	}, func(s *system, database string) (facts.Store, error) {
		return migrated(s, clickhouse.Store{Config: clickhouse.Config{Database: database}, Engine: running})
	})}
}
