package fuzz

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/bench/stress/world"
)

// What must not happen is found where it happens.
func TestWrongAnswersAreFound(t *testing.T) {
	w := world.New(1)
	j := newJudge(w)
	first, third, agency := w.Teams[0], w.Teams[2], w.Teams[3]
	asJSON := http.Header{"Content-Type": {"application/json"}}
	for _, c := range []struct {
		name  string
		r     Request
		a     answer
		wrong bool
	}{
		{"as it should be", Request{Want: []int{200}, Team: first}, answer{200, nil, []byte(first.Marks[0])}, false},
		{"another status", Request{Want: []int{400}, Team: first}, answer{500, nil, nil}, true},
		{"a name of another team", Request{Want: []int{200}, Team: first}, answer{200, nil, []byte("x" + third.Marks[0] + "y")}, true},
		{"an id of another team", Request{Want: []int{200}, Team: first}, answer{200, nil, []byte(`{"id":` + third.Marks[1] + `000}`)}, true},
		{"a name in a header", Request{Want: []int{200}, Team: first}, answer{200, http.Header{"X": {third.Marks[0]}}, nil}, true},
		{"a managed team", Request{Want: []int{200}, Team: agency}, answer{200, nil, []byte(first.Marks[0])}, false},
		{"a team that is not managed", Request{Want: []int{200}, Team: agency}, answer{200, nil, []byte(third.Marks[0])}, true},
		{"a team's name without a key", Request{Want: []int{401}}, answer{401, nil, []byte(first.Marks[0])}, true},
		{"a chatty 401", Request{Want: []int{401}}, answer{401, asJSON, []byte(`{"message":"Unknown key."}` + "\n")}, true},
		{"a 401 with a reason", Request{Want: []int{401}}, answer{401, http.Header{"Sightline-Error-Detail": {"key"}}, nil}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := j.wrong(c.r, c.a); (err != nil) != c.wrong {
				t.Errorf("found: %v", err)
			}
		})
	}
}

func someKeys(w *world.World) Keys {
	keys := Keys{Valid: make(map[*world.Team]string), Overlapping: make(map[*world.Team]string), Dead: []string{"sl_revoked", "sl_expired"}}
	for _, team := range w.Teams {
		keys.Valid[team] = "sl_" + team.ID + "0123456789012345678901234567890123"
		keys.Overlapping[team] = "sl_" + team.ID + "old3456789012345678901234567890123"
	}
	return keys
}

// Keys of every state are among those that requests carry, and what must come is
// as their state says.
func TestRequestsCarryKeysOfEveryState(t *testing.T) {
	w := world.New(7)
	keys := someKeys(w)
	m := NewMaker(w, keys, 7, 1)
	carried := make(map[string]int)
	for range 5000 {
		r := m.Next()
		_, rest, _ := strings.Cut(string(r.Wire), "\r\nAuthorization: Bearer ")
		key, _, _ := strings.Cut(rest, "\r\n")
		switch {
		case r.Team != nil && key == keys.Valid[r.Team]:
			carried["valid"]++
		case r.Team != nil && key == keys.Overlapping[r.Team]:
			carried["overlapping"]++
		case slices.Contains(keys.Dead, key):
			if carried[key]++; r.Team != nil || !slices.Contains(r.Want, http.StatusUnauthorized) {
				t.Errorf("%s: want %v", key, r.Want)
			}
		}
	}
	for state, least := range map[string]int{"valid": 2000, "overlapping": 500, "sl_revoked": 10, "sl_expired": 10} {
		if carried[state] < least {
			t.Errorf("%s: only %d of 5000", state, carried[state])
		}
	}
}

func TestEqualSeedsMakeEqualRequests(t *testing.T) {
	w := world.New(7)
	keys := someKeys(w)
	a, b := NewMaker(w, keys, 7, 1), NewMaker(w, keys, 7, 1)
	for range 2000 {
		if r := a.Next(); string(r.Wire) != string(b.Next().Wire) || len(r.Want) == 0 {
			t.Fatalf("%q", r.Wire)
		}
	}
}
