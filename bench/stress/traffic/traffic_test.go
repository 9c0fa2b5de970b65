package traffic

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/world"
)

// server answers every question by the state that it is in.
func server(t *testing.T, state func() int64) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"state":%d}`, state())
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

func recorded(t *testing.T, address string, state *atomic.Int64, states int) *Expected {
	t.Helper()
	e := &Expected{Questions: []Question{{Path: "/x?"}}}
	for n := range states {
		state.Store(int64(n))
		if err := e.Record(t.Context(), address, nil, Totals{}); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func TestAnAnswerOfAnotherStateIsFound(t *testing.T) {
	var state atomic.Int64
	address := server(t, state.Load)
	e := recorded(t, address, &state, 4)
	for _, c := range []struct {
		name   string
		shown  []int64 // one after the other, while publish 2 is going on
		failed bool
	}{
		{"before", []int64{1, 1}, false},
		{"before, then after", []int64{1, 2, 2}, false},
		{"after, then before", []int64{1, 2, 1}, true},
		{"older", []int64{0}, true},
		{"not yet published", []int64{3}, true},
		{"never published", []int64{99}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			long := time.Now().Add(-time.Minute)
			clock := &Clock{started: []time.Time{long, time.Now()}, ended: []time.Time{long}}
			one := &caller{load: &Load{Address: address, Expected: e, Clock: clock, Callers: 1, Keys: map[*world.Team]string{}}, client: http.DefaultClient, random: rand.New(rand.NewPCG(1, 1))}
			out := Outcome{States: make(map[int]int)}
			var err error
			for _, n := range c.shown {
				state.Store(n)
				if err = one.one(t.Context(), time.Now(), &out); err != nil {
					break
				}
			}
			if (err != nil) != c.failed {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestStatesRepeat(t *testing.T) {
	var state atomic.Int64
	e := recorded(t, server(t, state.Load), &state, 3)
	e.Repeat = 1
	for from, want := range map[int]int{0: 0, 1: 1, 2: 2, 3: 1, 4: 2, 5: 1} {
		if got, ok := e.recorded(from); got != want || !ok {
			t.Errorf("state %d is %d (%t), want %d", from, got, ok, want)
		}
	}
}
