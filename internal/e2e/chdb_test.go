package e2e

import (
	"fmt"
	"os"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/chdbtest"
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
	running := chdbtest.Start(t, library)
	var number int
	return engine{"", true, func(s *system) (facts.Store, error) {
		if number > 0 {
			if err := running.Exec(s.t.Context(), fmt.Sprintf("drop database facts%d", number)); err != nil {
				return nil, err
			}
		}
		number++
		store := clickhouse.Store{Config: clickhouse.Config{Database: fmt.Sprintf("facts%d", number)}, Engine: running}
		_, err := store.Migrate(s.t.Context())
		return store, err
	}}
}
