package duckdb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

func status(t *testing.T, dir string) facts.Status {
	t.Helper()
	s, err := duckdb.ReadStatus(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// described is weeks without their bytes, which must match the files of the folder.
func described(t *testing.T, dir string, all []facts.Weeks) (lines []string) {
	t.Helper()
	for _, w := range all {
		lines = append(lines, fmt.Sprintf("%s %s to %s: %d files, %d rows, newest +%d", w.Kind,
			day(w.First), day(w.Last), w.Files, w.Rows, w.Newest-w.Last))
		name := fmt.Sprintf("%s-%s-*.duckdb", w.Kind, time.Unix(w.First, 0).UTC().Format("20060102"))
		files, _ := filepath.Glob(filepath.Join(dir, name))
		if info, err := os.Stat(files[len(files)-1]); err != nil || info.Size() != w.Bytes {
			t.Errorf("%v has %d bytes: %v", files, w.Bytes, err)
		}
	}
	return lines
}

func day(second int64) string { return time.Unix(second, 0).UTC().Format("2006-01-02") }

func expectLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestStatusListsTheWeeksOfEachKind(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	publish(t, loader, facts.KindVisits, "one", visit(monday, "w", "/a"), visit(monday+9, "w", "/b"), visit(monday+facts.WeekSeconds+5, "w", "/c"))
	publish(t, loader, facts.KindAnswers, "two", answer("a", monday+7, 1))
	load, err := loader.Begin(t.Context(), facts.KindVisits)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	if err := load.AddVisit(visit(monday, "w", "/not yet")); err != nil {
		t.Fatal(err)
	}
	s := status(t, dir) // while a load holds the lock
	if s.Version != 2 || s.Inputs != 2 || s.Replaced.Files != 0 || !s.Replaced.Free.IsZero() {
		t.Errorf("%+v", s)
	}
	expectLines(t, described(t, dir, s.Weeks),
		"answers 2026-03-02 to 2026-03-02: 1 files, 1 rows, newest +7",
		"visits 2026-03-02 to 2026-03-02: 1 files, 2 rows, newest +9",
		"visits 2026-03-09 to 2026-03-09: 1 files, 1 rows, newest +5")
}

func TestStatusListsTheLatestInputsTheNewestFirst(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	for i := range 7 {
		publish(t, loader, facts.KindVisits, fmt.Sprint("input ", i), visit(monday+int64(i)*facts.WeekSeconds, "w", "/"))
	}
	s := status(t, dir)
	var names []string
	for _, l := range s.Latest {
		names = append(names, fmt.Sprintf("%s in version %d", l.Name, l.Version))
		if age := time.Since(l.At); age < -time.Second || age > time.Hour {
			t.Errorf("loaded at %s", l.At)
		}
	}
	expectLines(t, names, "input 6 in version 7", "input 5 in version 6", "input 4 in version 5", "input 3 in version 4", "input 2 in version 3")
	if s.Inputs != 7 {
		t.Errorf("%d inputs, want 7", s.Inputs)
	}
}

func TestStatusCountsReplacedFiles(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	publish(t, loader, facts.KindVisits, "one", visit(monday, "w", "/a"))
	before := status(t, dir).Weeks[0]
	publish(t, loader, facts.KindVisits, "two", visit(monday, "w", "/b"))
	s := status(t, dir)
	if s.Replaced.Files != 1 || s.Replaced.Bytes != before.Bytes {
		t.Errorf("%+v, want 1 file of %d bytes", s.Replaced, before.Bytes)
	}
	if wait := time.Until(s.Replaced.Free); wait < 4*time.Minute || wait > 6*time.Minute || s.Replaced.DueFiles > 0 {
		t.Errorf("free in %s, want the grace period: %+v", wait, s.Replaced)
	}
	if s.Weeks[0].Rows != 2 || s.Weeks[0].Files != 1 {
		t.Errorf("%+v, want the new file alone", s.Weeks[0])
	}
}

func TestStatusTellsReplacedFilesThatMayGoFromOthers(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	publish(t, loader, facts.KindVisits, "one", visit(monday, "w", "/a"))
	first := status(t, dir).Weeks[0]
	publish(t, loader, facts.KindVisits, "two", visit(monday, "w", "/b"))
	duckdb.PassGrace(t, dir)
	r := status(t, dir).Replaced
	if r.Files != 1 || r.DueFiles != 1 || r.DueBytes != first.Bytes || r.Free.After(time.Now()) {
		t.Errorf("%+v, want one that may go", r)
	}
	second := status(t, dir).Weeks[0]
	publish(t, loader, facts.KindVisits, "three", visit(monday, "w", "/c"))
	r = status(t, dir).Replaced
	if r.Files != 2 || r.DueFiles != 1 || r.Bytes != first.Bytes+second.Bytes || r.DueBytes != first.Bytes || !r.Free.After(time.Now()) {
		t.Errorf("%+v, want one that may go and one that may not", r)
	}
}

func TestStatusOfAFolderWithoutFacts(t *testing.T) {
	for name, dir := range map[string]string{"empty": t.TempDir(), "missing": filepath.Join(t.TempDir(), "facts")} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(facts.Status{}, status(t, dir)); diff != "" {
				t.Error(diff)
			}
			if entries, _ := os.ReadDir(dir); len(entries) > 0 {
				t.Errorf("reading the status made %v", entries)
			}
		})
	}
}

func TestStatusNoticesALostManifest(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "visits-20260302-v1.duckdb"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := duckdb.ReadStatus(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), "there are facts beside it: restore a backup into a new directory") {
		t.Errorf("facts without a manifest: %v", err)
	}
}

func TestTotalsAreOfOneKind(t *testing.T) {
	all := []facts.Weeks{
		{Kind: facts.KindAnswers, First: 1, Last: 99, Files: 1, Rows: 1000, Bytes: 1000, Newest: 99},
		{Kind: facts.KindVisits, First: 10, Last: 10, Files: 1, Rows: 2, Bytes: 30, Newest: 17},
		{Kind: facts.KindVisits, First: 5, Last: 8, Files: 2, Rows: 3, Bytes: 50, Newest: 9},
	}
	want := facts.Weeks{Kind: facts.KindVisits, First: 5, Last: 10, Files: 3, Rows: 5, Bytes: 80, Newest: 17}
	if got := facts.Total(facts.KindVisits, all); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := facts.Total(facts.KindVisits, all[:1]); got != (facts.Weeks{Kind: facts.KindVisits}) {
		t.Errorf("%+v of none", got)
	}
}
