package random

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

func TestAServerMadeOfTheOracleAgreesWithIt(t *testing.T) {
	before := Requests.Load()
	worlds := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		worlds++
		Check(t, &memory{}, World(t), 30)
	})
	if n := Requests.Load() - before; n != worlds*30 {
		t.Errorf("%d requests were counted for %d worlds", n, worlds)
	}
}

// checked runs one world against a server, always the same for a seed.
func checked(sys System, seed, requests int) error {
	return rapid.Custom(func(t *rapid.T) error { return check(t, sys, World(t), requests) }).Example(seed)
}

func TestAFlawedServerIsFound(t *testing.T) {
	const most = 300
	for _, f := range flaws {
		t.Run(f.name, func(t *testing.T) {
			for seed := range most {
				if checked(&memory{flaw: f}, seed, 40) != nil {
					t.Logf("found in world %d", seed)
					return
				}
			}
			t.Errorf("not found in %d worlds", most)
		})
	}
}

func TestCheckFailsTheTestAndShowsTheDifference(t *testing.T) {
	flawed := &memory{flaw: flaw{response: replace("Unauthorized.", "Denied.")}}
	report := rapid.Custom(func(t *rapid.T) (report string) {
		defer func() { report = fmt.Sprint(recover()) }()
		Check(t, flawed, World(t), 500)
		return ""
	}).Example(1)
	for _, part := range []string{
		"/v1/products", `$.message: want "Unauthorized.", got "Denied."`,
		`want 401 {"message":"Unauthorized."}`, `got  401 {"message":"Denied."}`,
	} {
		if !strings.Contains(report, part) {
			t.Errorf("no %s in the report:\n%s", part, report)
		}
	}
}

// brittle is a server that cannot load, or forgets a key.
type brittle struct {
	memory
	keys map[string]string
	err  error
}

func (b *brittle) Load(*oracle.World) (map[string]string, error) { return b.keys, b.err }

func TestAServerThatCannotLoadIsFound(t *testing.T) {
	if err := checked(&brittle{err: errors.New("disk full")}, 1, 0); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("got %v", err)
	}
	if err := checked(&brittle{keys: map[string]string{}}, 1, 0); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("got %v", err)
	}
}
