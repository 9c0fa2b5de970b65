package duckdb_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
)

func TestASetOfAPageHasTheVisitsToItAlone(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	var rows []any
	for i := range int64(12) { // in weeks with other numbers for the same pages
		week := monday + i%3*facts.WeekSeconds
		rows = append(rows, visit(week+i, fmt.Sprint("w", i%2), fmt.Sprint("/", (i+i%3)%4)))
	}
	rows = append(rows, visit(monday+5*facts.WeekSeconds, "w0", "/late"))
	publish(t, loader, facts.KindVisits, "first", rows...)
	set := acquire(t, follow(t, dir))
	defer set.Close()
	const row = "normalized_url_path || ' ' || website_id || ' ' || ts"
	of := func(path string, first, last int64) string {
		t.Helper()
		narrow, err := set.(facts.Pages).OfPage(t.Context(), path, first, last)
		if err != nil {
			t.Fatal(err)
		}
		again := narrow.Again()
		defer again.Close()
		got := read(t, narrow, row, facts.Visits, first, last)
		expect(t, read(t, again, row, facts.Visits, first, last), got)
		return got
	}
	end := monday + facts.WeekSeconds - 1
	for range 2 { // read, and at hand
		var all, ofWeek []string
		for _, path := range []string{"/0", "/1", "/2", "/3", "/late"} {
			all = append(all, of(path, 0, allTime))
			ofWeek = append(ofWeek, of(path, monday, end))
		}
		expect(t, strings.Join(all, " "), read(t, set, row, facts.Visits, 0, allTime))
		expect(t, strings.TrimSpace(strings.Join(ofWeek, " ")), read(t, set, row, facts.Visits, monday, end))
		expect(t, of("/late", 0, allTime), fmt.Sprint("/late w0 ", monday+5*facts.WeekSeconds))
		for _, nobody := range []string{"/nowhere", "' or true --", ""} {
			expect(t, of(nobody, 0, allTime), "")
		}
	}
}
