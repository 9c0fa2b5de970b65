package duckdb_test

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/faults"
)

// The engine refuses everything after some errors. A file is changed under it so
// that neither its own sums nor the file's size and time tell; reading it is such
// an error.
func TestAnEngineThatHasFailedIsOpenedAgain(t *testing.T) {
	for range 5 { // the sum of the file may be compared before the engine reads it: then nothing has to be told
		if failedIsOpenedAgain(t) {
			return
		}
	}
	t.Error("nobody was told")
}

func failedIsOpenedAgain(t *testing.T) (told bool) {
	f := faults.New(t)
	dir := t.TempDir()
	loader := openLoader(t, dir)
	var rows []any
	for i := range 30_000 {
		v := visit(monday+int64(i), "w", "/many")
		v.Visitor = uint64(i*7919) % 1_000_003
		rows = append(rows, v)
	}
	publish(t, loader, facts.KindVisits, "many", rows...)
	publish(t, loader, facts.KindVisits, "few", visit(monday+facts.WeekSeconds, "w", "/few"))
	path := fileOf(t, dir, "visits", "20260302")

	var heard atomic.Value
	live, err := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: 5 * time.Millisecond, OnError: func(err error) {
		if err != nil {
			heard.Store(err.Error())
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if f.Tamper(path) == 0 {
		t.Fatal("nothing was broken")
	}
	if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	set := acquire(t, live)
	query := "select sum(visitor)::varchar from " + set.Table(facts.Visits, []string{"visitor"}, monday, monday)
	err = set.Query(t.Context(), facts.Statement{SQL: query}, func(facts.Scan) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "INTERNAL") {
		t.Fatalf("the engine reads what was tampered with: %v", err)
	}
	err = set.Query(t.Context(), facts.Statement{SQL: "select 1"}, func(facts.Scan) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "invalidated") {
		t.Fatalf("the engine goes on after that: %v", err)
	}
	set.Close()
	eventually(t, "the other week answers again", func() bool {
		paths, err := attempt(t, live, monday+facts.WeekSeconds, monday+2*facts.WeekSeconds-1)
		return err == nil && paths == "/few"
	})
	eventually(t, "the file that did it is found", func() bool {
		return strings.Contains(fmt.Sprint(live.Damaged()), path)
	})
	return strings.Contains(fmt.Sprint(heard.Load()), "the engine has failed and is opened again")
}

func TestAReportThatNeedsTooMuchMemoryFailsAlone(t *testing.T) {
	dir, _ := threeWeeks(t)
	live, err := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: time.Hour, Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	set := acquire(t, live)
	defer set.Close()
	large := "select count(distinct hash(i, j)) from range(3000) a(i), range(3000) b(j)"
	for range 3 {
		err := set.Query(t.Context(), facts.Statement{SQL: large}, func(facts.Scan) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "Out of Memory") {
			t.Fatalf("nine million distinct values in 16 MiB: %v", err)
		}
		expect(t, must(attempt(t, live, 0, allTime)), "/1 /2 /2 sunday /3")
	}
	if d := live.Damaged(); len(d) != 0 {
		t.Errorf("files are blamed for it: %v", d)
	}
}
