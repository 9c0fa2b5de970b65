package catalog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// within waits until something is so, for a second at most.
func within(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a second: %s", what)
		}
	}
}

func TestFollowSeesChangesWithinASecond(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		writer := open(t, place)
		applyText(t, writer, "teams: [{id: a, name: A}]")
		live, err := Follow(t.Context(), openRead(t, place), PollInterval)
		if err != nil {
			t.Fatal(err)
		}
		defer live.Close()
		first := live.Current()

		info, key := createKey(t, writer, "a", "")
		within(t, "the new key works", func() bool { _, ok := live.Current().Authenticate(key); return ok })
		if err := writer.RevokeKey(t.Context(), info.ID); err != nil {
			t.Fatal(err)
		}
		within(t, "the revoked key fails", func() bool { _, ok := live.Current().Authenticate(key); return !ok })
		applyText(t, writer, "teams: []")
		within(t, "the team is gone", func() bool { return live.Current().Counts().Teams == 0 })

		if first.Version() != 1 || first.Counts().Teams != 1 {
			t.Error("the first snapshot changed")
		}
		unchanged := live.Current()
		time.Sleep(3 * PollInterval)
		if live.Current() != unchanged || live.Err() != nil {
			t.Error("an unchanged catalog was read again")
		}
	})
}

// TestFollowKeepsTheLastGoodSnapshot takes the file away and puts an older one
// in its place, as a restore from a backup does.
func TestFollowKeepsTheLastGoodSnapshot(t *testing.T) {
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "catalog.db"), filepath.Join(dir, "backup.db")
	for _, p := range []string{backup, path} {
		s := open(t, p)
		applyText(t, s, "teams: [{id: a, name: A}]")
		if p == path {
			applyText(t, s, "teams: [{id: a, name: A}, {id: b, name: B}]")
		}
		_ = s.Close()
	}
	var mu sync.Mutex
	var reported []error
	live, err := Follow(t.Context(), openRead(t, path), 10*time.Millisecond, OnError(func(err error) {
		mu.Lock()
		defer mu.Unlock()
		reported = append(reported, err)
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()

	if _, failing := live.Since(); failing {
		t.Error("it fails before anything happened")
	}
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	within(t, "the failure is noticed", func() bool { return live.Err() != nil })
	if since, failing := live.Since(); !failing || time.Since(since) < 0 || time.Since(since) > time.Minute {
		t.Errorf("it fails since %s: %t", since, failing)
	}
	time.Sleep(50 * time.Millisecond)
	if live.Current().Counts().Teams != 2 {
		t.Error("the last good snapshot is gone")
	}
	for _, beside := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + beside)
	}
	if err := os.Rename(backup, path); err != nil {
		t.Fatal(err)
	}
	within(t, "the backup is read", func() bool { return live.Current().Counts().Teams == 1 && live.Err() == nil })
	if _, failing := live.Since(); failing {
		t.Error("it still fails")
	}
	live.Close()
	mu.Lock()
	defer mu.Unlock()
	if len(reported) < 2 || reported[0] == nil || reported[len(reported)-1] != nil || len(reported) > 6 {
		t.Errorf("reported %v", reported)
	}
}

func TestFollowEnds(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
		ctx, cancel := context.WithCancel(t.Context())
		byContext, err := Follow(ctx, s, time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		byClose, err := Follow(t.Context(), s, time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		byContext.Close()
		byClose.Close()
		byClose.Close() // twice is fine
		if byClose.Current() == nil || byContext.Err() != nil {
			t.Error("the snapshot is gone after the end")
		}
	})
}

func TestFollowFailsWhenThereIsNothingToFollow(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		_ = s.Close()
		if _, err := Follow(t.Context(), s, time.Second); err == nil {
			t.Error("followed a closed store")
		}
	})
}

// TestSnapshotsAreConsistent has a writer that keeps two counts equal, and
// readers, in the same store and in others, that must never see them differ.
func TestSnapshotsAreConsistent(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		writer := open(t, place)
		applyText(t, writer, consistent(0))
		live, err := Follow(t.Context(), openRead(t, place), time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		defer live.Close()
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for i := range 4 {
			s := writer
			if i > 0 {
				s = openRead(t, place)
			}
			all.Go(func() {
				for ctx.Err() == nil {
					snap, err := s.Snapshot(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					for _, snap := range []*Snapshot{snap, live.Current()} {
						if c := snap.Counts(); c.Prompts != c.Websites {
							t.Errorf("version %d: %+v", snap.Version(), c)
						}
					}
				}
			})
		}
		for i := range 40 {
			applyText(t, writer, consistent(i%7))
		}
		stop()
		all.Wait()
		if err := live.Err(); err != nil {
			t.Error(err)
		}
	})
}

// consistent is a workspace of n websites and n prompts.
func consistent(n int) string {
	var websites, prompts string
	for i := range n {
		websites += fmt.Sprintf("{websiteId: w%d, domain: p.example},", i)
		prompts += fmt.Sprintf("{id: %d, text: t%d},", i+1, i)
	}
	return product(", websites: [" + websites + "], prompts: [" + prompts + "]")
}

// A restored catalog that was changed since may have the version of the one that
// it replaces, and is another one all the same.
func TestFollowNoticesAnotherCatalogOfTheSameVersion(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "catalog.db"), filepath.Join(dir, "other.db")
	for p, team := range map[string]string{path: "a", other: "b"} {
		s := open(t, p)
		applyText(t, s, "teams: [{id: "+team+", name: Team}]")
		_ = s.Close()
	}
	live, err := Follow(t.Context(), openRead(t, path), 10*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	first := live.Current()
	for _, beside := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + beside)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	within(t, "the other catalog is read", func() bool { return live.Current().Edition() != first.Edition() })
	if live.Current().Version() != first.Version() {
		t.Errorf("versions %d and %d: the test is about equal ones", first.Version(), live.Current().Version())
	}
}
