package duckdb_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// date is a day of 2026, 00:00 UTC.
func date(month time.Month, day int) time.Time {
	return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC)
}

// threeWeeks is a folder with visits in the weeks of March 2, 9 and 16, and
// answers in the first.
func threeWeeks(t *testing.T) (dir string, loader *duckdb.Loader) {
	t.Helper()
	dir = t.TempDir()
	loader = openLoader(t, dir)
	publish(t, loader, facts.KindVisits, "visits", visit(monday, "w", "/1"), visit(monday+facts.WeekSeconds, "w", "/2"),
		visit(monday+2*facts.WeekSeconds-1, "w", "/2 sunday"), visit(monday+2*facts.WeekSeconds, "w", "/3"))
	publish(t, loader, facts.KindAnswers, "answers", answer("a", monday+7, 1, 7))
	return dir, loader
}

func prune(t *testing.T, l *duckdb.Loader, before time.Time) facts.Pruned {
	t.Helper()
	p, err := l.Prune(t.Context(), before, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// weeksOf lists the first days of the weeks of each kind.
func weeksOf(all []facts.Weeks) string {
	var names []string
	for _, w := range all {
		names = append(names, string(w.Kind)+" "+day(w.First))
	}
	return strings.Join(names, ", ")
}

func TestPruneRemovesTheWeeksThatHaveEnded(t *testing.T) {
	for _, c := range []struct {
		name          string
		before        time.Time
		removed, left string
		keptFrom      string
	}{
		{"a monday: the week before it goes", date(3, 9),
			"answers 2026-03-02, visits 2026-03-02", "visits 2026-03-09, visits 2026-03-16", "2026-03-09"},
		{"a sunday: its week stays", date(3, 15),
			"answers 2026-03-02, visits 2026-03-02", "visits 2026-03-09, visits 2026-03-16", "2026-03-09"},
		{"before everything", date(3, 8), "", "answers 2026-03-02, visits 2026-03-02, visits 2026-03-09, visits 2026-03-16", "2026-03-02"},
		{"after everything", date(4, 1), "answers 2026-03-02, visits 2026-03-02, visits 2026-03-09, visits 2026-03-16", "", "2026-03-30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, loader := threeWeeks(t)
			plan, err := duckdb.PlanPrune(t.Context(), dir, c.before)
			if err != nil || plan.Version != 2 || weeksOf(plan.Removed) != c.removed || status(t, dir).Version != 2 {
				t.Errorf("the plan is %+v, %v", plan, err)
			}
			p := prune(t, loader, c.before)
			expect(t, weeksOf(p.Removed), c.removed)
			expect(t, weeksOf(status(t, dir).Weeks), c.left)
			expect(t, day(p.KeptFrom), c.keptFrom)
			want := int64(3)
			if c.removed == "" {
				want = 2 // no new version for nothing
			}
			if p.Version != want || status(t, dir).Version != want || p.Free.IsZero() != (c.removed == "") {
				t.Errorf("%+v, want version %d", p, want)
			}
		})
	}
}

func TestAServerFollowsAPrune(t *testing.T) {
	dir, loader := threeWeeks(t)
	live := follow(t, dir)
	before := acquire(t, live)
	prune(t, loader, date(3, 9))
	waitForVersion(t, live, 3)
	after := acquire(t, live)
	defer after.Close()
	expect(t, read(t, before, "url_path", facts.Visits, 0, allTime), "/1 /2 /2 sunday /3")
	expect(t, read(t, before, "id", facts.Answers, 0, allTime), "a")
	before.Close()
	expect(t, read(t, after, "url_path", facts.Visits, 0, allTime), "/2 /2 sunday /3")
	for _, table := range []facts.Table{facts.Answers, facts.Mentions, facts.Citations} {
		expect(t, read(t, after, "count(*)::varchar", table, 0, allTime), "0")
	}
	if err := live.Err(); err != nil {
		t.Error(err)
	}
}

func TestAKindWithoutAnyFileCanBeReadAndLoadedAgain(t *testing.T) {
	dir, loader := threeWeeks(t)
	live := follow(t, dir)
	prune(t, loader, date(4, 1))
	waitForVersion(t, live, 3)
	set := acquire(t, live)
	expect(t, read(t, set, "count(*)::varchar", facts.Visits, 0, allTime), "0")
	set.Close()
	if newest, err := loader.Newest(t.Context(), facts.KindVisits); newest != 0 || err != nil {
		t.Errorf("newest is %d, %v", newest, err)
	}
	done := publish(t, loader, facts.KindAnswers, "more", answer("a", monday, 1, 8), answer("b", monday, 1))
	if done.Rows != 2 || done.Replaced != 0 || done.Version != 4 {
		t.Errorf("%+v: what was pruned cannot be replaced", done)
	}
	publish(t, loader, facts.KindVisits, "more", visit(monday, "w", "/again"))
	waitForVersion(t, live, 5)
	set = acquire(t, live)
	defer set.Close()
	expect(t, read(t, set, "id", facts.Answers, 0, allTime), "a b")
	expect(t, read(t, set, "product_id::varchar", facts.Mentions, 0, allTime), "8")
	expect(t, read(t, set, "url_path", facts.Visits, 0, allTime), "/again")
}

func TestWhatWasPrunedIsStillKnown(t *testing.T) {
	dir, loader := threeWeeks(t)
	prune(t, loader, date(4, 1))
	var names []string
	for _, in := range status(t, dir).Latest {
		names = append(names, in.Name)
	}
	expectLines(t, names, "answers", "visits")
}

func TestPrunedFilesLeaveTheDiskAfterTheGracePeriod(t *testing.T) {
	dir, loader := threeWeeks(t)
	prune(t, loader, date(3, 9))
	loader.Close()
	first := filepath.Join(dir, "visits-20260302-v1.duckdb")
	openLoader(t, dir).Close()
	if _, err := os.Stat(first); err != nil {
		t.Errorf("the file is gone while servers may be opening it: %v", err)
	}
	duckdb.PassGrace(t, dir)
	openLoader(t, dir)
	if _, err := os.Stat(first); err == nil {
		t.Error("the file is still there")
	}
	if _, err := os.Stat(filepath.Join(dir, "visits-20260309-v1.duckdb")); err != nil {
		t.Error(err)
	}
	if s := status(t, dir); s.Replaced.Files != 0 {
		t.Errorf("%+v after the sweep", s.Replaced)
	}
}

func TestPruningAFolderWithoutFactsPlansNothing(t *testing.T) {
	dir := t.TempDir()
	p, err := duckdb.PlanPrune(t.Context(), dir, date(3, 11))
	if err != nil || p.Version != 0 || len(p.Removed) != 0 || day(p.KeptFrom) != "2026-03-09" {
		t.Errorf("%+v, %v", p, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("planning made %v", entries)
	}
}
