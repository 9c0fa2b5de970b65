package catalog

import (
	"crypto/sha256"
	"os"
	"os/user"
	"strings"
	"testing"
	"time"
)

// worksAt is whether a key is let in at a time, by a snapshot that is not renewed.
func worksAt(snap *Snapshot, key string, at time.Time) bool {
	_, ok := snap.authenticate(key, at)
	return ok
}

func TestAKeyEndsAtItsSecond(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		applyText(t, s, "teams: [{id: a, name: A}]")
		end := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
		info, key, err := s.CreateKey(t.Context(), "a", "", Expires(end))
		if err != nil || !info.ExpiresAt.Equal(end) {
			t.Fatal(info, err)
		}
		_, lasting := createKey(t, s, "a", "")
		snap := snapshot(t, s)
		for _, c := range []struct {
			name string
			at   time.Time
			want bool
		}{
			{"now", time.Now(), true},
			{"the last moment", end.Add(-time.Nanosecond), true},
			{"its second", end, false},
			{"long after", end.AddDate(10, 0, 0), false},
		} {
			if got := worksAt(snap, key, c.at); got != c.want {
				t.Errorf("%s: the key works: %v, want %v", c.name, got, c.want)
			}
		}
		if !worksAt(snap, lasting, end.AddDate(100, 0, 0)) {
			t.Error("a key without an end has ended")
		}
		keys, err := s.Keys(t.Context())
		if err != nil || len(keys) != 2 || keys[0].Expired(end) == keys[1].Expired(end) {
			t.Errorf("listed %+v, %v", keys, err)
		}
	})
}

func TestAnExpiredKeyIsRefusedThoughTheCatalogStands(t *testing.T) {
	place := stores[0].fresh(t)
	s := open(t, place)
	applyText(t, s, "teams: [{id: a, name: A}]")
	_, key, err := s.CreateKey(t.Context(), "a", "", Expires(time.Now().Add(2*time.Second)))
	if err != nil {
		t.Fatal(err)
	}
	live, err := Follow(t.Context(), openRead(t, place), PollInterval)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	first := live.Current()
	if _, ok := first.Authenticate(key); !ok || first.Counts().Keys != 1 {
		t.Fatal("the key does not work before its end")
	}
	time.Sleep(2 * time.Second)
	if _, ok := live.Current().Authenticate(key); ok || live.Current() != first || first.Counts().Keys != 0 {
		t.Error("the key works after its end, or the catalog was read again")
	}
}

func TestKeysEndInTheFuture(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		applyText(t, s, "teams: [{id: a, name: A}]")
		_, _, err := s.CreateKey(t.Context(), "a", "", Expires(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)))
		expectError(t, err, "the key would have expired at 2020-01-02T03:04:05Z: name a time that is still to come")
		info, _ := createKey(t, s, "a", "")
		_, _, err = s.RotateKey(t.Context(), info.ID, Overlap(-time.Hour))
		expectError(t, err, "an overlap of -1h0m0s ends before it begins")
		if !works(t, s, mustRotate(t, s, info.ID)) {
			t.Error("the refused rotation left something behind")
		}
	})
}

func mustRotate(t *testing.T, s *Store, id string, options ...KeyOption) string {
	t.Helper()
	_, key, err := s.RotateKey(t.Context(), id, options...)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestBothKeysWorkWhileTheyOverlap(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		applyText(t, s, "teams: [{id: a, name: A}]")
		old, oldKey := createKey(t, s, "a", "reports")
		before := time.Now()
		next, nextKey, err := s.RotateKey(t.Context(), old.ID, Overlap(time.Hour))
		if err != nil || !next.ExpiresAt.IsZero() {
			t.Fatal(next, err)
		}
		snap := snapshot(t, s)
		for _, c := range []struct {
			name     string
			at       time.Time
			old, new bool
		}{
			{"at once", time.Now(), true, true},
			{"nearly over", before.Add(59 * time.Minute), true, true},
			{"over", time.Now().Add(time.Hour), false, true},
		} {
			if a, b := worksAt(snap, oldKey, c.at), worksAt(snap, nextKey, c.at); a != c.old || b != c.new {
				t.Errorf("%s: the old works: %v, the new: %v", c.name, a, b)
			}
		}
		_, _, err = s.RotateKey(t.Context(), old.ID)
		expectError(t, err, "key "+old.ID+" was rotated already: rotate "+next.ID+", which took its place")
		if err := s.RevokeKey(t.Context(), old.ID); err != nil || works(t, s, oldKey) {
			t.Errorf("an overlap cannot be cut short: %v", err)
		}
	})
}

func TestRotationKeepsTheTermOfAKey(t *testing.T) {
	s := open(t, stores[0].fresh(t))
	applyText(t, s, "teams: [{id: a, name: A}]")
	day := 24 * time.Hour
	for _, c := range []struct {
		name    string
		options []KeyOption
		want    time.Duration // from now; 0: never
	}{
		{"as before", nil, 10 * day},
		{"another term", []KeyOption{Expires(time.Now().Add(3 * day))}, 3 * day},
		{"no term", []KeyOption{Expires(time.Time{})}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, oldKey, err := s.CreateKey(t.Context(), "a", "", Expires(time.Now().Add(10*day)))
			if err != nil {
				t.Fatal(err)
			}
			next, _, err := s.RotateKey(t.Context(), old.ID, append(c.options, Overlap(20*day))...)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == 0 != next.ExpiresAt.IsZero() {
				t.Fatalf("it ends at %v", next.ExpiresAt)
			}
			if left := time.Until(next.ExpiresAt); c.want > 0 && (left > c.want || left < c.want-time.Minute) {
				t.Errorf("it ends in %s, want %s", left, c.want)
			}
			if worksAt(snapshot(t, s), oldKey, time.Now().Add(11*day)) {
				t.Error("the overlap has made the old key live longer")
			}
		})
	}
}

func TestTheLogOfKeysTellsWhoDidWhat(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		s := open(t, place)
		applyText(t, s, "teams: [{id: a, name: A}]")
		first, _, err := s.CreateKey(t.Context(), "a", "reports", Expires(time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)))
		if err != nil {
			t.Fatal(err)
		}
		second, key, err := s.RotateKey(t.Context(), first.ID, Expires(time.Time{}))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time nothing happens, and nothing is noted
			if err := s.RevokeKey(t.Context(), second.ID); err != nil {
				t.Fatal(err)
			}
		}
		events, err := s.KeyLog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		me, _ := user.Current()
		host, _ := os.Hostname()
		for _, e := range events {
			got = append(got, string(e.Action)+" "+e.KeyID+" "+e.Detail)
			if e.TeamID != "a" || e.Name != "reports" || e.User != me.Username || e.Host != host || time.Since(e.At) > time.Minute {
				t.Errorf("the entry says %+v", e)
			}
			if strings.Contains(e.Detail, key) {
				t.Error("the key is in the log")
			}
		}
		want := []string{
			"create " + first.ID + " until 2999-01-01T00:00:00Z",
			"rotate " + first.ID + " to " + second.ID + ", until 2999-01-01T00:00:00Z",
			"create " + second.ID + " for " + first.ID,
			"revoke " + second.ID + " ",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestTheLogOfKeysOnlyGrows(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		s := open(t, place)
		applyText(t, s, "teams: [{id: a, name: A}]")
		createKey(t, s, "a", "")
		statements := []string{`update key_log set os_user = 'nobody'`, `delete from key_log`}
		if strings.HasPrefix(place, "postgres") {
			statements = append(statements, `truncate key_log`)
		} else {
			statements = append(statements, `insert or replace into key_log select number, 0, action, key_id, team_id, '', '', '', '' from key_log`)
		}
		for _, statement := range statements {
			_, err := s.db.ExecContext(t.Context(), statement)
			if err == nil || !strings.Contains(err.Error(), "the log of keys cannot be") {
				t.Errorf("%s: got %v", statement, err)
			}
		}
		if events, err := s.KeyLog(t.Context()); err != nil || len(events) != 1 || events[0].User == "" {
			t.Errorf("the log is %+v, %v", events, err)
		}
	})
}

// A catalog as the first schema had it, with a key in it.
func TestOlderCatalogsAreBroughtUpToDate(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		first, err := migrationFiles.ReadFile("migrations/0001_catalog.sql")
		if err != nil {
			t.Fatal(err)
		}
		key := newKey()
		edit(t, place, string(first), `insert into teams (id, name) values ('a', 'A')`,
			`insert into api_keys values ('k_old', 'a', 'reports', '`+keyHash(key)+`', '`+key[:9]+`', 1000, null)`)
		_, err = OpenReader(t.Context(), place)
		expectError(t, err, "catalog * has schema 1, this sightline needs 4: bring it up to date with 'sightline migrate'")
		s := open(t, place)
		if !works(t, s, key) || len(s.Verify(t.Context())) > 0 {
			t.Errorf("the key of before does not work: %v", s.Verify(t.Context()))
		}
		keys, err := s.Keys(t.Context())
		if err != nil || len(keys) != 1 || keys[0].Shown != key[:9]+"…" || !keys[0].ExpiresAt.IsZero() {
			t.Errorf("%+v, %v", keys, err)
		}
		if next := mustRotate(t, s, "k_old", Overlap(time.Hour)); !works(t, s, next) || !works(t, s, key) {
			t.Error("the key of before cannot be rotated")
		}
	})
}

func TestTheLogIsToldWhyAKeyIsRefused(t *testing.T) {
	key := "a key"
	s := &Snapshot{keys: map[[sha256.Size]byte]access{sha256.Sum256([]byte(key)): {Scope{key: "k_old"}, time.Now().Unix() - 1}}}
	if got := s.Refusal(key); got != "key k_old has expired" {
		t.Errorf("an expired key: %s", got)
	}
	if got := s.Refusal("another"); got != "unknown or revoked key" {
		t.Errorf("an unknown key: %s", got)
	}
}
