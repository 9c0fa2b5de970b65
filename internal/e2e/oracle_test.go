package e2e

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/oracle/random"
)

// requestsPerWorld times rapid's 100 worlds is what 'make test' asks; more by
// -rapid.checks, another seed by -rapid.seed.
const requestsPerWorld = 40

func TestServerAgreesWithTheOracle(t *testing.T) {
	s := start(t)
	before := contract.Requests()
	rapid.Check(t, func(rt *rapid.T) {
		random.Check(rt, s, random.World(rt), requestsPerWorld)
	})
	asked := contract.Requests() - before
	t.Logf("%d answers were equal to the oracle's and valid by the OpenAPI document", asked)
	if asked < 1000 && !t.Failed() {
		t.Errorf("only %d answers were compared, want at least 1,000", asked)
	}
}
