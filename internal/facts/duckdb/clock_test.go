package duckdb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// A clock that jumps neither takes files from a server nor keeps them for ever.
func TestAClockThatJumpsTakesNothingAndKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	clock := time.Now()
	loader.SetClock(func() time.Time { return clock })
	load := 0
	replace := func() (path string) { // the file of the week, and remembers the one before
		t.Helper()
		path = fmt.Sprintf("visits-20260302-v%d.duckdb", load)
		load++
		publish(t, loader, facts.KindVisits, fmt.Sprint("load", load), visit(monday, "w", fmt.Sprint("/", load)))
		return filepath.Join(dir, path)
	}
	there := func(path string, want bool, when string) {
		t.Helper()
		if err := loader.SweepOld(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: the replaced file is there: %t, want %t", when, err == nil, want)
		}
	}
	replace()
	live := follow(t, dir)
	waitForVersion(t, live, 1)

	old := replace()
	there(old, true, "at once")
	clock = clock.Add(-time.Hour)
	there(old, true, "after the clock went back")
	clock = clock.Add(6 * time.Minute)
	there(old, false, "six minutes later, though the clock shows less than when it was replaced")

	clock = clock.AddDate(10, 0, 0)
	old = replace() // by a clock that is ten years ahead
	clock = clock.AddDate(-10, 0, 0)
	there(old, true, "after the clock was set right")
	clock = clock.Add(6 * time.Minute)
	there(old, false, "six minutes later")

	// The clock jumps ahead right after a publish: the file before goes at once,
	// and a server that has it open answers all the same.
	waitForVersion(t, live, 3)
	set := acquire(t, live)
	defer set.Close()
	old = replace()
	clock = clock.Add(time.Hour)
	there(old, false, "an hour later, says the clock")
	expect(t, read(t, set, "url_path", facts.Visits, 0, allTime), "/1 /2 /3")
	waitForVersion(t, live, 4)
	expect(t, fmt.Sprint(live.Damaged()), "[]")
	if p := prune(t, loader, date(3, 1)); !p.Nothing() {
		t.Errorf("the clock prunes: %+v", p)
	}
}
