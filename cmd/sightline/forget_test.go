package main

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A forget that is killed at any moment has removed nothing or everything, and
// doing it again completes it.
func TestKillingAForgetLeavesNothingOrEverything(t *testing.T) {
	p := newProgramOn(t, t.TempDir(), killWorkspace)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	p.serve()
	websites := []string{"w-1", "w-2", "w-3"}
	empty := settled(t, p.visits, "")
	p.run("load", "pageviews", killVisits(t, -1))
	whole := settled(t, p.visits, empty)
	started := time.Now()
	p.run("forget", "--yes", "--website", websites[0])
	took, interrupted := time.Since(started), 0
	last := settled(t, p.visits, whole)
	for i := range number(t, "SIGHTLINE_KILLS_FORGET", "5") {
		website := websites[(i+1)%3]
		p.run("load", "pageviews", killVisits(t, i))
		before := settled(t, p.visits, last)
		seen := killed(t, p, p.visits, time.Duration(random.Int64N(int64(took))), "forget", "--yes", "--website", website)
		if seen[len(seen)-1] == before {
			interrupted++
		}
		p.run("forget", "--yes", "--website", website)
		after := settled(t, p.visits, before)
		for _, answer := range seen {
			if answer != before && answer != after {
				t.Fatalf("kill %d: %s\nis neither the answer before: %s\nnor the one after: %s", i, answer, before, after)
			}
		}
		if after == before {
			t.Fatalf("kill %d: nothing was removed: %s", i, after)
		}
		last = after
	}
	t.Logf("%d were killed before they were published", interrupted)
}
