package e2e

import (
	"cmp"
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/datadir"
	"github.com/sightline-hq/sightline/internal/oracle/random"
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
	checks := flag.Lookup("rapid.checks").Value.String()
	defer flag.Set("rapid.checks", checks)
	if err := flag.Set("rapid.checks", cmp.Or(os.Getenv("SIGHTLINE_WORLDS"), fewerWorlds)); err != nil {
		t.Fatal(err)
	}
	s := startOnPostgres(t)
	before := contract.Requests()
	rapid.Check(t, func(rt *rapid.T) {
		random.Check(rt, s, random.World(rt), requestsPerWorld)
	})
	if asked := contract.Requests() - before; asked < 200 && !t.Failed() {
		t.Errorf("only %d answers were compared, want at least 200", asked)
	}
}
