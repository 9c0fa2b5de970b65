package catalog

import (
	"sync"
	"testing"
)

// Writers in different processes come one after the other: each counts its
// changes from what the one before has left.
func TestWritersComeOneAfterTheOther(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		first := open(t, place)
		applyText(t, first, consistent(0))
		const writers, rounds = 4, 10
		var mu sync.Mutex
		prompts, changed := 0, int64(1)
		var all sync.WaitGroup
		for i := range writers {
			s := open(t, place)
			all.Go(func() {
				for round := range rounds {
					c, err := s.Apply(t.Context(), parse(t, consistent((i*3+round)%7)))
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					prompts += c.Prompts.Added - c.Prompts.Retired
					if c.Any() {
						changed++
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		snap := snapshot(t, first)
		if got := snap.Counts(); got.Prompts != prompts || got.Websites != prompts || snap.Version() != changed {
			t.Errorf("%+v at version %d, want %d prompts at version %d", got, snap.Version(), prompts, changed)
		}
	})
}

func TestMigrateSaysWhatItDid(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		const now = 4
		for _, from := range []int{0, now} {
			m, err := Migrate(t.Context(), place)
			if err != nil || m.From != from || m.To != now || m.Place == "" {
				t.Errorf("got %+v, %v, want from %d", m, err, from)
			}
		}
		applyText(t, open(t, place), "teams: [{id: a, name: A}]")
	})
}
