package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/faults"
)

const twoTeams = `
teams: [{id: a, name: A, manages: [c]}, {id: b, name: B}, {id: c, name: C}]
products:
  - id: 1
    team: b
    name: One
    names: [Eins]
    website: https://one.example
    domain: one.example
    competitors: [2]
    websites: [{websiteId: w1, domain: one.example}]
    labels: [{id: 1, name: brand}]
    prompts: [{id: 11, text: best, platforms: [openai], labels: [1]}]
  - {id: 2, team: c, name: Two, website: https://two.example, domain: two.example}
`

func TestADamagedKeyIsRefusedAndOthersGoOn(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		s := open(t, place)
		applyText(t, s, twoTeams)
		_, other := createKey(t, s, "a", "")
		for name, change := range map[string]string{
			"revoked no more":   `revoked_at = null`,
			"expires later":     `expires_at = expires_at + 4194304`,
			"expires no more":   `expires_at = null`,
			"of another team":   `team_id = 'b'`,
			"another key":       `hash = '` + keyHash(newKey()) + `'`,
			"a hash of nothing": `hash = replace(hash, substr(hash, 1, 1), 'x')`,
			"another name":      `name = 'Reports'`,
			"a seal of nothing": `seal = ''`,
		} {
			info, key, err := s.CreateKey(t.Context(), "a", "reports", Expires(time.Now().Add(time.Hour)))
			if err == nil && strings.HasPrefix(name, "revoked") {
				err = s.RevokeKey(t.Context(), info.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
			edit(t, place, `update api_keys set `+change+` where id = '`+info.ID+`'`)
			snap := snapshot(t, s)
			if worksAt(snap, key, time.Now()) || !worksAt(snap, other, time.Now()) {
				t.Errorf("%s: the key works, or the other one does not", name)
			}
			const advice = " is damaged, and no longer works: remove it with 'sightline key revoke *' and make a new one with 'sightline key create', or restore a backup"
			if problems := s.Verify(t.Context()); len(problems) != 1 {
				t.Errorf("%s: verify finds %v", name, problems)
			} else {
				expectError(t, problems[0], "catalog *: key "+info.ID+advice)
			}
			keys, err := s.Keys(t.Context())
			if err != nil || len(keys) != 2 || keys[0].Damaged == keys[1].Damaged {
				t.Errorf("%s: listed as %+v, %v", name, keys, err)
			}
			_, _, err = s.RotateKey(t.Context(), info.ID, Overlap(time.Hour))
			expectError(t, err, "key "+info.ID+advice)
			if err := s.RevokeKey(t.Context(), info.ID); err != nil || len(s.Verify(t.Context())) > 0 || works(t, s, key) {
				t.Errorf("%s: after its removal: %v %v", name, err, s.Verify(t.Context()))
			}
		}
		events, err := s.KeyLog(t.Context())
		if last := events[len(events)-1]; err != nil || last.Action != KeyRevoked || last.Detail != "it was damaged" {
			t.Errorf("the log ends with %+v, %v", last, err)
		}
	})
}

func TestADamagedWorkspaceIsRefusedUntilItIsAppliedAgain(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		s := open(t, place)
		applyText(t, s, strings.Replace(twoTeams, "{id: c, name: C}]", "{id: c, name: C}, {id: d, name: D}]", 1))
		applyText(t, s, twoTeams)
		for _, damage := range []string{
			`update teams set retired = false where id = 'd'`,
			`update teams set name = 'a' where id = 'a'`,
			`delete from team_manages`,
			`update team_manages set managed_team_id = 'b'`,
			`update products set team_id = 'a' where id = 1`,
			`update products set team_id = null where id = 1`,
			`update products set domain = 'ona.example' where id = 1`,
			`update product_names set name = 'Ains'`,
			`update product_competitors set product_id = 2, competitor_id = 1`,
			`update websites set tracked = false`,
			`update labels set name = 'grand'`,
			`update prompts set text = 'bast'`,
			`update prompts set retired = true`,
			`update prompt_platforms set platform = 'openaj'`,
			`delete from prompt_labels`,
		} {
			edit(t, place, damage)
			const advice = "catalog *: what it says of teams, products, websites, labels or prompts is damaged: put it right with 'sightline apply workspace.yaml', *"
			_, err := s.Snapshot(t.Context())
			expectError(t, err, advice)
			if problems := s.Verify(t.Context()); len(problems) != 1 {
				t.Errorf("%s: verify finds %v", damage, problems)
			}
			if changes := applyText(t, s, twoTeams); !changes.Mended || !changes.Any() {
				t.Errorf("%s: applied as %+v", damage, changes)
			}
			if problems := s.Verify(t.Context()); len(problems) > 0 || applyText(t, s, twoTeams).Any() {
				t.Errorf("%s: after apply: %v", damage, problems)
			}
		}
	})
}

// Facts know websites and prompts by their ids alone: who owns them is not taken
// from a file that contradicts a damaged catalog.
func TestADamagedHistoryIsNotMendedByApply(t *testing.T) {
	place := filepath.Join(t.TempDir(), "catalog.db")
	s := open(t, place)
	applyText(t, s, twoTeams)
	edit(t, place, `update websites set product_id = 2`)
	_, err := s.Apply(t.Context(), parse(t, twoTeams))
	expectError(t, err, "catalog *: it is damaged: restore a backup into a new directory with 'sightline restore DIR --data NEW' (*)")
	if !Lost(err) {
		t.Error("the catalog does not count as lost")
	}
}

// Wherever a bit flips, keys that have ended stay so, and a key that works sees
// what it saw.
func TestNoFlippedBitLetsAnyoneIn(t *testing.T) {
	f := faults.New(t)
	path := filepath.Join(t.TempDir(), "catalog.db")
	s := open(t, path)
	applyText(t, s, twoTeams)
	_, key := createKey(t, s, "a", "")
	info, revoked := createKey(t, s, "b", "")
	if err := s.RevokeKey(t.Context(), info.ID); err != nil {
		t.Fatal(err)
	}
	_, expired, err := s.CreateKey(t.Context(), "b", "", Expires(time.Now().Add(time.Second)))
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Minute)
	sees := func(snap *Snapshot) string {
		scope, ok := snap.authenticate(key, later)
		text := fmt.Sprint(ok, scope.TeamID())
		for _, primary := range scope.Products() {
			p := primary.Product()
			text += fmt.Sprint(p.ID, p.TeamID, p.Name, p.Names, p.Website, p.Domain, len(p.Competitors), len(p.Websites), len(p.Prompts))
		}
		return text
	}
	want, nothing := sees(snapshot(t, s)), sees(&Snapshot{})
	s.Close()
	refused, restore := 0, f.Keep(path)
	for range 20 * f.Rounds() {
		flipUsed(t, f, path)
		snap, problems := lookInto(t, path)
		if len(problems) > 0 {
			refused++
		}
		if snap != nil && (worksAt(snap, revoked, later) || worksAt(snap, expired, later)) {
			t.Fatal("a key that has ended works again")
		}
		if snap != nil && sees(snap) != want && sees(snap) != nothing {
			t.Fatalf("a key sees %s, want %s", sees(snap), want)
		}
		restore()
	}
	t.Logf("%d of %d flipped bits were noticed", refused, 20*f.Rounds())
}

// flipUsed changes one bit of a file, in a byte that is not empty.
func flipUsed(t *testing.T, f *faults.Faults, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := f.IntN(len(text))
	for text[at] == 0 {
		at = f.IntN(len(text))
	}
	text[at] ^= 1 << f.IntN(8)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// lookInto reads a catalog that may be damaged, if that is possible.
func lookInto(t *testing.T, path string) (*Snapshot, []error) {
	t.Helper()
	s, err := OpenReader(t.Context(), path)
	if err != nil {
		return nil, []error{err}
	}
	defer s.Close()
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		return nil, []error{err}
	}
	return snap, snap.Damaged()
}

func TestFollowTellsOfDamagedKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catalog.db")
	s := open(t, path)
	applyText(t, s, twoTeams)
	info, _ := createKey(t, s, "a", "")
	told := make(chan []error, 5)
	live, err := Follow(t.Context(), openRead(t, path), 5*time.Millisecond, OnDamage(func(keys []error) { told <- keys }))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	edit(t, path, `update api_keys set team_id = 'b'`, `update meta set catalog_version = catalog_version + 1`)
	if keys := <-told; len(keys) != 1 || !strings.Contains(keys[0].Error(), info.ID) {
		t.Errorf("told of %v", keys)
	}
	if err := s.RevokeKey(t.Context(), info.ID); err != nil {
		t.Fatal(err)
	}
	if keys := <-told; len(keys) != 0 {
		t.Errorf("told of %v", keys)
	}
}
