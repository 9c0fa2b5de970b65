package e2e

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/leaktest"
	"github.com/sightline-hq/sightline/internal/oracle/random"
)

// What 'make test' asks; fewer worlds by SIGHTLINE_WORLDS, more by -rapid.checks,
// more of each by -requests, another seed by -rapid.seed.
const (
	worlds      = "30"
	fewerWorlds = "8" // where every world costs seconds
	tellEvery   = 500 // requests, how far a long run is
)

var requestsPerWorld = flag.Int("requests", 40, "random requests about each world")

func TestMain(m *testing.M) {
	if err := worldsFlag().Set(cmp.Or(os.Getenv("SIGHTLINE_WORLDS"), worlds)); err != nil { // before the command line is read
		panic(err)
	}
	facts.BusyVisits = 2 // worlds are small
	os.Exit(leaktest.Code(endShared(m.Run())))
}

func worldsFlag() flag.Value { return flag.Lookup("rapid.checks").Value }

func TestServerAgreesWithTheOracle(t *testing.T) {
	onEach(t, agreesWithTheOracle)
}

func agreesWithTheOracle(t *testing.T, e engine) {
	compareWithOracle(t, startOn(t, e), e.slow)
}

// compareWithOracle asks about random worlds: fewer where each costs seconds,
// unless somebody says how many.
func compareWithOracle(t *testing.T, s *system, slow bool) {
	if slow && !numberGiven() {
		worldsFlag().Set(fewerWorlds)
		defer worldsFlag().Set(worlds)
	}
	seed := chooseSeed(t)
	t.Logf("%s worlds of %d requests (seed %d)", worldsFlag(), *requestsPerWorld, seed)
	before, checked := random.Requests.Load(), contract.Requests()
	started, told := time.Now(), int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		s.merging = duckdb.Merging{Weeks: rapid.Int64Range(1, 3).Draw(rt, "weeks of a file"), Bytes: 1 << 40}
		random.Check(rt, s, random.World(rt), *requestsPerWorld)
		if asked := random.Requests.Load() - before; asked/tellEvery > told {
			told = asked / tellEvery
			t.Logf("%d requests in %s, of which loading took %s", asked, time.Since(started).Round(time.Second), s.loading.Round(time.Second))
		}
	})
	asked := random.Requests.Load() - before
	t.Logf("%d requests were answered as by the oracle, in %s; %d answers are valid by the OpenAPI document (seed %d)",
		asked, time.Since(started).Round(time.Second), contract.Requests()-checked, seed)
	many, _ := strconv.ParseInt(worldsFlag().String(), 10, 64)
	if want := many * int64(*requestsPerWorld); asked < want && !t.Failed() {
		t.Errorf("only %d requests were compared, want %d", asked, want)
	}
}

// numberGiven says whether the command line or the environment has a number of worlds.
func numberGiven() (given bool) {
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	return given || os.Getenv("SIGHTLINE_WORLDS") != ""
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
