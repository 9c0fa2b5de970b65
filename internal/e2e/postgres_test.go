package e2e

import (
	"testing"

	"github.com/sightline-hq/sightline/internal/datadir"
	"github.com/sightline-hq/sightline/internal/postgres/pgtest"
)

// startOnPostgres serves a new data directory with its catalog in PostgreSQL.
func startOnPostgres(t *testing.T) *system {
	t.Helper()
	server := pgtest.Shared(t)
	return startWith(t, datadir.Dir(t.TempDir()), func() string { return server.Database(t) }, onDuckDB)
}

// Where the catalog is changes no answer, and no statement on the facts.
func TestGoldenWithTheCatalogInPostgreSQL(t *testing.T) {
	if *update {
		t.Skip("the cases are recorded once")
	}
	startOnPostgres(t).goldenCases(t)
}

// The number of worlds is small: what varies with them is mostly facts.
func TestTheOracleAgreesWithACatalogInPostgreSQL(t *testing.T) {
	compareWithOracle(t, startOnPostgres(t), true)
}
