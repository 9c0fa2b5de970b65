package catalog

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

var keyForm = regexp.MustCompile(`^sl_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$`)

func createKey(t testing.TB, s *Store, team, name string) (KeyInfo, string) {
	t.Helper()
	info, key, err := s.CreateKey(t.Context(), team, name)
	if err != nil {
		t.Fatal(err)
	}
	return info, key
}

func works(t testing.TB, s *Store, key string) bool {
	t.Helper()
	_, ok := snapshot(t, s).Authenticate(key)
	return ok
}

func TestKeysHaveTheirForm(t *testing.T) {
	seen := make(map[string]bool)
	used := make(map[rune]int)
	for range 2000 {
		key := newKey()
		if !keyForm.MatchString(key) || !wellFormed(key) || seen[key] {
			t.Fatalf("bad key %s", key)
		}
		seen[key] = true
		for _, r := range key[len(keyPrefix) : len(keyPrefix)+keyRandom] {
			used[r]++
		}
	}
	// 64,000 characters over 62: about 1,032 each, give or take 32.
	for _, r := range base62 {
		if used[r] < 800 || used[r] > 1300 {
			t.Errorf("%c was used %d times", r, used[r])
		}
	}
}

// The checksum is part of what leak scanners know, so it must never change.
func TestChecksumIsFixed(t *testing.T) {
	if got := checksum("sl_00000000000000000000000000000000"); got != "1g3nia" {
		t.Errorf("got %s", got)
	}
}

func TestMangledKeysAreRefused(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		applyText(t, s, "teams: [{id: a, name: A}]")
		_, key := createKey(t, s, "a", "")
		snap := snapshot(t, s)
		for i := range key {
			other := byte('x')
			if key[i] == other {
				other = 'y'
			}
			if mangled := key[:i] + string(other) + key[i+1:]; wellFormed(mangled) {
				t.Errorf("%s passes for %s", mangled, key)
			}
		}
		for name, mangled := range map[string]string{
			"empty": "", "prefix only": "sl_", "cut": key[:len(key)-1], "longer": key + "0",
			"spaces": " " + key, "other case": strings.ToUpper(key), "unknown": newKey(), "hash": keyHash(key),
			"not base62": strings.Replace(key, key[5:6], "-", 1),
		} {
			if scope, ok := snap.Authenticate(mangled); ok || scope.TeamID() != "" {
				t.Errorf("%s: %q was let in", name, mangled)
			}
		}
		if _, ok := snap.Authenticate(key); !ok {
			t.Error("the key itself was not let in")
		}
	})
}

func TestTheKeyIsNotStored(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		s := open(t, place)
		applyText(t, s, "teams: [{id: a, name: A}]")
		info, key := createKey(t, s, "a", "reports")
		_, second, err := s.RotateKey(t.Context(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		look := func() {
			t.Helper()
			all := remains(t, s, place)
			for _, k := range []string{key, second} {
				if strings.Contains(all, k) || strings.Contains(all, k[:len(keyPrefix)+3]) || strings.Contains(all, k[len(k)-keyShown-1:]) {
					t.Error("the key is in the database")
				}
				if !strings.Contains(all, keyHash(k)) {
					t.Error("the hash of the key is not in the database")
				}
			}
		}
		look()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, place)
		look()
	})
}

func TestKeysAreListed(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		applyText(t, s, "teams: [{id: a, name: A}, {id: b, name: B}]")
		before := time.Now().Add(-time.Second)
		first, key := createKey(t, s, "a", "reports")
		second, _ := createKey(t, s, "b", "")
		if err := s.RevokeKey(t.Context(), second.ID); err != nil {
			t.Fatal(err)
		}
		applyText(t, s, "teams: [{id: a, name: A}]")
		keys, err := s.Keys(t.Context())
		if err != nil || len(keys) != 2 {
			t.Fatal(keys, err)
		}
		byID := map[string]KeyInfo{keys[0].ID: keys[0], keys[1].ID: keys[1]}
		if got := byID[first.ID]; got != first || got.Shown != "…"+key[len(key)-4:] || got.Name != "reports" || got.Revoked() ||
			got.CreatedAt.Before(before.Truncate(time.Second)) || got.TeamRetired {
			t.Errorf("got %+v, want %+v", got, first)
		}
		if got := byID[second.ID]; !got.Revoked() || !got.TeamRetired || got.TeamID != "b" {
			t.Errorf("got %+v", got)
		}
		if !regexp.MustCompile(`^k_[a-z2-7]{8}$`).MatchString(first.ID) {
			t.Errorf("id %s", first.ID)
		}
	})
}

func TestRotateAndRevoke(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		applyText(t, s, "teams: [{id: a, name: A}, {id: b, name: B}]")
		old, oldKey := createKey(t, s, "a", "reports")
		_, otherKey := createKey(t, s, "b", "")
		version := snapshot(t, s).Version()

		next, nextKey, err := s.RotateKey(t.Context(), old.ID)
		if err != nil {
			t.Fatal(err)
		}
		if next.TeamID != "a" || next.Name != "reports" || next.ID == old.ID || nextKey == oldKey {
			t.Errorf("rotated to %+v", next)
		}
		if works(t, s, oldKey) || !works(t, s, nextKey) || !works(t, s, otherKey) {
			t.Error("after the rotation not exactly the new key and the other one work")
		}
		if got := snapshot(t, s).Version(); got != version+1 {
			t.Errorf("the version moved from %d to %d", version, got)
		}
		for range 2 { // again changes nothing
			if err := s.RevokeKey(t.Context(), next.ID); err != nil {
				t.Fatal(err)
			}
			if got := snapshot(t, s).Version(); got != version+2 {
				t.Errorf("the version is %d, want %d", got, version+2)
			}
		}
		if works(t, s, nextKey) || snapshot(t, s).Counts().Keys != 1 {
			t.Error("the revoked key still works")
		}
		_, _, err = s.RotateKey(t.Context(), old.ID)
		expectError(t, err, "key "+old.ID+" is revoked, and was rotated before: rotate "+next.ID+", which took its place")
		_, _, err = s.RotateKey(t.Context(), next.ID)
		expectError(t, err, "key "+next.ID+" is revoked: make a new one with sightline key create --team a")
	})
}

func TestKeyErrorsSayWhatToDo(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		create := func(team, name string) error {
			info, key, err := s.CreateKey(t.Context(), team, name)
			if info != (KeyInfo{}) || key != "" {
				t.Errorf("a key came out of a failure: %+v", info)
			}
			return err
		}
		expectError(t, create("x", ""), `unknown team "x": there are no teams, run sightline apply first`)
		applyText(t, s, "teams: [{id: agency, name: A}, {id: acme, name: B}, {id: gone, name: C}]")
		gone, goneKey := createKey(t, s, "gone", "")
		applyText(t, s, "teams: [{id: agency, name: A}, {id: acme, name: B}]")
		expectError(t, create("x", ""), `unknown team "x": teams are acme, agency`)
		expectError(t, create("gone", ""), `unknown team "gone": teams are acme, agency`)
		expectError(t, create("acme", " x"), `name of the key: " x" has white space around it`)
		expectError(t, create("acme", "a\nb"), `name of the key: has a control character in it (U+000A)`)

		expectError(t, s.RevokeKey(t.Context(), "k_nothing"), "no key k_nothing: see sightline key list")
		_, _, err := s.RotateKey(t.Context(), "k_nothing")
		expectError(t, err, "no key k_nothing: see sightline key list")
		_, _, err = s.RotateKey(t.Context(), gone.ID)
		expectError(t, err, `unknown team "gone": teams are acme, agency`)
		err = s.RevokeKey(t.Context(), goneKey)
		expectError(t, err, "that is a key, not the id of one: see sightline key list")
		if strings.Contains(err.Error(), goneKey) {
			t.Error("the error repeats the key")
		}
		if err := s.RevokeKey(t.Context(), gone.ID); err != nil {
			t.Errorf("the key of a retired team cannot be revoked: %v", err)
		}
	})
}
