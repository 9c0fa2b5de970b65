package clickhouse

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
)

func TestEditionsAreNamedByRunsOfVersions(t *testing.T) {
	const w = facts.WeekSeconds
	visits := func(pairs ...[2]int64) (all []edition) {
		for _, p := range pairs {
			all = append(all, edition{kind: facts.KindVisits, week: p[0] * w, version: p[1]})
		}
		return all
	}
	for _, c := range []struct {
		name string
		state
		want string
	}{
		{"none", state{}, "1 = 0"},
		{"one", state{editions: visits([2]int64{1, 4})}, "version = 4"},
		{"one after the other", state{editions: visits([2]int64{1, 1}, [2]int64{2, 2}, [2]int64{3, 3})}, "version between 1 and 3"},
		{"with one of another kind between", state{editions: visits([2]int64{1, 1}, [2]int64{2, 3})}, "version between 1 and 3"},
		{"with a load that died between", state{editions: visits([2]int64{1, 1}, [2]int64{2, 3}), dead: []int64{2}}, "version = 1 or version = 3"},
		{"with a replaced one between", state{editions: visits([2]int64{1, 1}, [2]int64{2, 3}), replaced: visits([2]int64{1, 2})}, "version = 1 or version = 3"},
		{"with a replaced one in a week that is not asked for", state{editions: visits([2]int64{1, 1}, [2]int64{2, 3}), replaced: visits([2]int64{9, 2})}, "version between 1 and 3"},
		{"half replaced", state{editions: visits([2]int64{1, 1}, [2]int64{2, 2}), replaced: visits([2]int64{2, 1})}, fmt.Sprintf("version = 2 or (week, version) in ((%d, 1))", w)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.within(facts.KindVisits, w, 4*w-1)
			if !strings.HasSuffix(got, c.want) && !strings.HasSuffix(got, "("+c.want+")") {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Whatever was published, replaced and left behind, the runs take the current
// editions and no others.
func TestRunsTakeTheCurrentEditionsAlone(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range 2000 {
		var s state
		there := make(map[edition]bool) // on the disks
		for v := int64(1); v < 12; v++ {
			dead := random.IntN(4) == 0
			if dead {
				s.dead = append(s.dead, v)
			}
			for week := int64(1); week < 6; week++ {
				if random.IntN(3) > 0 {
					continue
				}
				e := edition{kind: facts.KindVisits, week: week * facts.WeekSeconds, version: v}
				switch there[e] = true; {
				case dead:
				case random.IntN(3) == 0:
					s.replaced = append(s.replaced, e)
				default:
					s.editions = append(s.editions, e)
				}
			}
		}
		first, last := int64(2)*facts.WeekSeconds, int64(5)*facts.WeekSeconds-1
		current := s.of(facts.KindVisits, first, last)
		if len(current) == 0 {
			continue
		}
		r := s.runs(facts.KindVisits, current)
		for e := range there {
			got := slices.Contains(r.single, e)
			for _, v := range r.versions {
				got = got || v[0] <= e.version && e.version <= v[1]
			}
			got = got && r.weeks[0] <= e.week && e.week <= r.weeks[1]
			if want := slices.Contains(current, e); got != want {
				t.Fatalf("%+v is taken: %t, want %t\n%+v", e, got, want, s)
			}
		}
	}
}
