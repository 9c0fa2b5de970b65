package duckdb_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
)

// fewVisits lists what a reader gives of some websites, if that is few.
func fewVisits(t *testing.T, set facts.Set, first, last int64, websites ...string) string {
	t.Helper()
	var all []string
	few, err := set.(facts.Reader).Few(t.Context(), facts.VisitQuery{WebsiteIDs: websites, First: first, Last: last, Bots: true, Humans: true},
		func(v *facts.SeenVisit) { all = append(all, fmt.Sprint(websites[v.Website], v.URLPath)) })
	switch {
	case err != nil:
		return err.Error()
	case !few:
		return "many"
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestTheVisitsOfAFewAreGivenAsTheyAre(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	var rows []any
	for i := range facts.FewVisits {
		rows = append(rows, visit(monday+int64(i), "large", fmt.Sprint("/", i%7)))
	}
	publish(t, loader, facts.KindVisits, "first",
		append(rows, visit(monday+5, "a", "/x"), visit(monday+6, "b", "/x"), visit(monday+facts.WeekSeconds, "a", "/y"))...)
	live := follow(t, dir)
	set := acquire(t, live)
	defer set.Close()
	for range 2 { // read, and at hand
		expect(t, fewVisits(t, set, monday, monday+2*facts.WeekSeconds, "a", "b", "nobody"), "a/x a/y b/x")
		expect(t, fewVisits(t, set, monday+6, monday+facts.WeekSeconds-1, "b", "a"), "b/x")
		expect(t, fewVisits(t, set, monday-facts.WeekSeconds, monday-1, "a"), "")
	}
	expect(t, fewVisits(t, set, monday, monday, "large"), "large/0") // of as many as may be
	expect(t, fewVisits(t, set, monday, monday, "large", "a"), "many")
	publish(t, loader, facts.KindVisits, "second", visit(monday+7, "a", "/z"))
	waitForVersion(t, live, 2)
	next := acquire(t, live)
	defer next.Close()
	expect(t, fewVisits(t, next, monday, monday+facts.WeekSeconds, "a"), "a/x a/y a/z")
}

// What cannot be kept would be read again for every report, which is slower than
// the engine.
func TestVisitsThatCannotBeKeptAreLeftToTheEngine(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	var rows []any
	for i := range 1000 {
		rows = append(rows, visit(monday+int64(i), "w", fmt.Sprint("/a/page/of/its/own/", i)))
	}
	publish(t, loader, facts.KindVisits, "first", append(rows, visit(monday, "small", "/"))...)
	set := acquire(t, follow(t, dir))
	defer set.Close()
	eventually(t, "it is known that they are too large", func() bool { return fewVisits(t, set, monday, monday, "w") == "many" })
	expect(t, fewVisits(t, set, monday, monday, "small"), "small/")
	var websites []string
	for i := range 1001 {
		websites = append(websites, fmt.Sprint("w-", i))
	}
	expect(t, fewVisits(t, set, monday, monday, websites...), "many")
}
