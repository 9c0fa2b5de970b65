package e2e

import (
	"cmp"
	"flag"
	"math/rand/v2"
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
	worlds           = "30"
	fewerWorlds      = "8" // where every world costs seconds
	requestsPerWorld = 40
)

func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", cmp.Or(os.Getenv("SIGHTLINE_WORLDS"), worlds)); err != nil { // before the command line is read
		panic(err)
	}
	os.Exit(leaktest.Code(endShared(m.Run())))
}

func TestServerAgreesWithTheOracle(t *testing.T) {
	onEach(t, agreesWithTheOracle)
}

func agreesWithTheOracle(t *testing.T, e engine) {
	compareWithOracle(t, startOn(t, e), e.slow)
}

// compareWithOracle asks about random worlds: fewer where each costs seconds,
// unless the command line says how many.
func compareWithOracle(t *testing.T, s *system, slow bool) {
	if checks := flag.Lookup("rapid.checks"); slow && checks.Value.String() == worlds {
		checks.Value.Set(fewerWorlds)
		defer checks.Value.Set(worlds)
	}
	seed := chooseSeed(t)
	before := contract.Requests()
	rapid.Check(t, func(rt *rapid.T) {
		s.merging = duckdb.Merging{Weeks: rapid.Int64Range(1, 3).Draw(rt, "weeks of a file"), Bytes: 1 << 40}
		random.Check(rt, s, random.World(rt), requestsPerWorld)
	})
	asked := contract.Requests() - before
	t.Logf("%d answers were equal to the oracle's and valid by the OpenAPI document (seed %d)", asked, seed)
	checks, _ := strconv.ParseInt(flag.Lookup("rapid.checks").Value.String(), 10, 64)
	if want := 20 * checks; int64(asked) < want && !t.Failed() {
		t.Errorf("only %d answers were compared, want at least %d", asked, want)
	}
}

// chooseSeed picks a seed where the command line has none, so that the figures
// can be had again: -rapid.seed=SEED.
func chooseSeed(t *testing.T) uint64 {
	given := flag.Lookup("rapid.seed")
	seed, _ := strconv.ParseUint(given.Value.String(), 10, 64)
	if seed == 0 {
		seed = rand.Uint64() >> 1
		given.Value.Set(strconv.FormatUint(seed, 10))
		t.Cleanup(func() { given.Value.Set("0") })
	}
	return seed
}
