package duckdb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/faults"
)

// fileOf is the file of a kind and week, by its Monday.
func fileOf(t *testing.T, dir, kind, week string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, kind+"-"+week+"-*.duckdb"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files of %s of %s: %v %v", kind, week, files, err)
	}
	return files[0]
}

// attempt reads the paths between two seconds, if that is possible.
func attempt(t *testing.T, live *duckdb.Live, first, last int64) (paths string, err error) {
	t.Helper()
	set := acquire(t, live)
	defer set.Close()
	query := "select url_path from " + set.Table(facts.Visits, []string{"ts", "url_path"}, first, last) + " where " +
		set.Within(facts.Visits, first, last) + " order by 1"
	err = set.Query(context.Background(), facts.Statement{SQL: query}, func(scan facts.Scan) error {
		var path string
		err := scan(&path)
		paths += path + " "
		return err
	})
	return strings.TrimSpace(paths), err
}

// totalsOf reads the totals of all weeks, which are kept in memory from then on.
func totalsOf(t *testing.T, live *duckdb.Live) error {
	t.Helper()
	set := acquire(t, live)
	defer set.Close()
	q := facts.TotalsQuery{Table: facts.Totals, WebsiteIDs: []string{"w"}, Width: 1, Last: allTime}
	return set.(facts.Reader).Totals(context.Background(), q, func(*facts.TotalsRow) {})
}

// eventually waits for something to hold.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("this did not happen: %s", what)
}

// expectOneWeekLost says that the second of three weeks fails, with the name of
// its file, and the others answer.
func expectOneWeekLost(t *testing.T, live *duckdb.Live, path string) {
	t.Helper()
	week := monday + facts.WeekSeconds
	if paths, err := attempt(t, live, week, week+facts.WeekSeconds-1); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("the damaged week answers %q, %v", paths, err)
	}
	if _, err := attempt(t, live, 0, allTime); err == nil {
		t.Error("a window over all weeks answers without the damaged one")
	}
	if err := totalsOf(t, live); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("totals of all weeks: %v", err)
	}
	for _, w := range []struct {
		first int64
		want  string
	}{{monday, "/1"}, {monday + 2*facts.WeekSeconds, "/3"}} {
		paths, err := attempt(t, live, w.first, w.first+facts.WeekSeconds-1)
		if err != nil || paths != w.want {
			t.Errorf("another week answers %q, %v, want %q", paths, err, w.want)
		}
	}
}

func TestADamagedFileFailsItsWeekAndNoOther(t *testing.T) {
	f, original := faults.New(t), closed(t)
	for _, fault := range f.OfFiles() {
		for _, running := range []bool{false, true} {
			if running && fault.Name == "missing" {
				continue // it is open, and goes on answering: see below
			}
			t.Run(fmt.Sprintf("%s, running %t", fault.Name, running), func(t *testing.T) {
				dir := copied(t, original)
				path := fileOf(t, dir, "visits", "20260309")
				restore := f.Keep(path)
				var live *duckdb.Live
				if running {
					live = follow(t, dir)
					must(0, totalsOf(t, live))
					expect(t, must(attempt(t, live, 0, allTime)), "/1 /2 /2 sunday /3")
				}
				fault.Break(path)
				if !running {
					live = follow(t, dir)
				}
				eventually(t, "the file is known to be damaged", func() bool {
					return len(live.Damaged()) == 1 && strings.Contains(live.Damaged()[0].What, path)
				})
				expectOneWeekLost(t, live, path)
				restore()
				eventually(t, "the restored file is noticed", func() bool { return len(live.Damaged()) == 0 })
				expect(t, must(attempt(t, live, 0, allTime)), "/1 /2 /2 sunday /3")
			})
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestAFileThatVanishesWhileItIsOpenIsReportedAndStillAnswers(t *testing.T) {
	dir, _ := threeWeeks(t)
	live := follow(t, dir)
	path := fileOf(t, dir, "visits", "20260309")
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the file is missed", func() bool { return len(live.Damaged()) == 1 })
	if d := live.Damaged()[0]; !d.Open || d.File != filepath.Base(path) ||
		d.What != path+" is missing: restore it from a backup with 'sightline restore DIR --repair' before the next start; reports go on, because it is still open" {
		t.Errorf("it is said to be %+v", d)
	}
	expect(t, must(attempt(t, live, 0, allTime)), "/1 /2 /2 sunday /3")
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the file is there again", func() bool { return len(live.Damaged()) == 0 })
}

// Wherever a bit flips, an answer is the right one or an error, and the next
// opening finds it.
func TestNoFlippedBitGivesAWrongAnswer(t *testing.T) {
	f := faults.New(t)
	dir, _ := threeWeeks(t)
	const want = "/1 /2 /2 sunday /3"
	paths := []string{fileOf(t, dir, "visits", "20260302"), fileOf(t, dir, "visits", "20260309")}
	live := follow(t, dir)
	for range f.Rounds() {
		path := paths[f.IntN(len(paths))]
		restore := f.Keep(path)
		f.Flip(path)
		if paths, err := attempt(t, live, 0, allTime); err == nil && paths != want {
			t.Fatalf("a flipped bit changes the answer to %q", paths)
		}
		live.Close()
		live = follow(t, dir)
		if paths, err := attempt(t, live, 0, allTime); err == nil {
			t.Fatalf("a flipped bit goes unnoticed at opening: %q", paths)
		}
		restore()
		eventually(t, "it answers after the repair", func() bool {
			paths, err := attempt(t, live, 0, allTime)
			return err == nil && paths == want
		})
	}
}

func TestTheServerSaysWhenFilesAreDamagedAndWhenNotAnyMore(t *testing.T) {
	f := faults.New(t)
	dir, _ := threeWeeks(t)
	path := fileOf(t, dir, "visits", "20260309")
	restore := f.Keep(path)
	f.Truncate(path)
	told := make(chan []facts.Damage, 10)
	live, err := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: 5 * time.Millisecond, OnDamage: func(d []facts.Damage) { told <- d }})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	if d := <-told; len(d) != 1 || d[0].Open || !strings.Contains(d[0].What, path) || !strings.Contains(d[0].What, "restore it from a backup with 'sightline restore DIR --repair'") {
		t.Errorf("told of %q", d)
	}
	restore()
	if d := <-told; len(d) != 0 {
		t.Errorf("told of %q after the repair", d)
	}
}

func TestALoadDoesNotCopyDamageIntoANewFile(t *testing.T) {
	f := faults.New(t)
	dir, loader := threeWeeks(t)
	path := fileOf(t, dir, "visits", "20260309")
	restore := f.Keep(path)
	f.Flip(path)
	load, err := loader.Begin(t.Context(), facts.KindVisits)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	if err := load.AddVisit(visit(monday+facts.WeekSeconds, "w", "/new")); err != nil {
		t.Fatal(err)
	}
	if _, err := load.Publish(t.Context(), nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a load into a damaged week: %v", err)
	}
	restore()
	publish(t, loader, facts.KindVisits, "new", visit(monday+facts.WeekSeconds, "w", "/new"))
	expect(t, must(attempt(t, follow(t, dir), 0, allTime)), "/1 /2 /2 sunday /3 /new")
}
