package e2e

import (
	"flag"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/oracle/random"
)

// What 'make test' asks; more worlds by -rapid.checks, another seed by -rapid.seed.
const (
	worlds           = "50"
	requestsPerWorld = 40
)

func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", worlds); err != nil { // before the command line is read
		panic(err)
	}
	os.Exit(m.Run())
}

func TestServerAgreesWithTheOracle(t *testing.T) {
	s := start(t)
	before := contract.Requests()
	rapid.Check(t, func(rt *rapid.T) {
		s.merging = duckdb.Merging{Weeks: rapid.Int64Range(1, 3).Draw(rt, "weeks of a file"), Bytes: 1 << 40}
		random.Check(rt, s, random.World(rt), requestsPerWorld)
	})
	asked := contract.Requests() - before
	t.Logf("%d answers were equal to the oracle's and valid by the OpenAPI document", asked)
	if asked < 1000 && !t.Failed() {
		t.Errorf("only %d answers were compared, want at least 1,000", asked)
	}
}
