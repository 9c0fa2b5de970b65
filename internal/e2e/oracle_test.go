package e2e

import (
	"cmp"
	"flag"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/leaktest"
	"github.com/sightline-hq/sightline/internal/oracle/random"
)

// What 'make test' asks; fewer worlds by SIGHTLINE_WORLDS, more by -rapid.checks,
// another seed by -rapid.seed.
const (
	worlds           = "50"
	fewerWorlds      = "8" // where every world costs seconds
	requestsPerWorld = 40
)

func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", cmp.Or(os.Getenv("SIGHTLINE_WORLDS"), worlds)); err != nil { // before the command line is read
		panic(err)
	}
	os.Exit(leaktest.Code(m.Run()))
}

func TestServerAgreesWithTheOracle(t *testing.T) {
	onEach(t, agreesWithTheOracle)
}

func agreesWithTheOracle(t *testing.T, e engine) {
	if checks := flag.Lookup("rapid.checks"); e.slow && checks.Value.String() == worlds {
		checks.Value.Set(fewerWorlds)
		defer checks.Value.Set(worlds)
	}
	s := startOn(t, e)
	before := contract.Requests()
	rapid.Check(t, func(rt *rapid.T) {
		s.merging = duckdb.Merging{Weeks: rapid.Int64Range(1, 3).Draw(rt, "weeks of a file"), Bytes: 1 << 40}
		random.Check(rt, s, random.World(rt), requestsPerWorld)
	})
	asked := contract.Requests() - before
	t.Logf("%d answers were equal to the oracle's and valid by the OpenAPI document", asked)
	checks, _ := strconv.ParseInt(flag.Lookup("rapid.checks").Value.String(), 10, 64)
	if want := 20 * checks; int64(asked) < want && !t.Failed() {
		t.Errorf("only %d answers were compared, want at least %d", asked, want)
	}
}
