package main

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

func TestTheDateOfAPrune(t *testing.T) {
	now := time.Date(2026, 3, 12, 23, 59, 59, 0, time.FixedZone("", -5*60*60)) // the 13th in UTC
	for _, c := range []struct{ text, want string }{
		{"2026-01-01", "2026-01-01"},
		{"2026-03-13", "2026-03-13"},
		{"2026-03-14", "--before 2026-03-14 is in the future: give today, 2026-03-13, or an earlier date"},
		{"2026-02-30", `--before "2026-02-30" is not a date: write it as 2026-01-31`},
		{"2026-1-1", `--before "2026-1-1" is not a date: write it as 2026-01-31`},
		{"2026-01-01T00:00:00Z", `--before "2026-01-01T00:00:00Z" is not a date: write it as 2026-01-31`},
		{"0206-01-01", "--before 0206-01-01: no fact is older than 2000-01-01"},
	} {
		date, err := parseBefore(c.text, now)
		got := date.Format(time.RFC3339)
		want := c.want + "T00:00:00Z"
		if err != nil {
			got, want = err.Error(), c.want
		}
		if got != want {
			t.Errorf("%s: %s, want %s", c.text, got, want)
		}
	}
}

// pruneVisits has a visit on each of the Mondays March 2, 9 and 16.
func pruneVisits(t *testing.T) string {
	return write(t, "weeks.ndjson", 3, func(i int) string {
		return fmt.Sprintf(`{"at":"2026-03-%02dT09:00:00Z","websiteId":"w-acme","url":"https://acme.com/","userAgent":"curl/8.5.0"}`, 2+7*i)
	})
}

func weeklyAnswer(items ...string) string {
	pages := min(len(items), 1)
	return fmt.Sprintf(`{"previousPage":null,"currentPage":1,"nextPage":null,"totalPages":%d,"totalItems":%d,"perPage":100,"items":[%s]}`+"\n",
		pages, len(items), strings.Join(items, ","))
}

func TestAServerAnswersWithoutTheWeeksThatWerePruned(t *testing.T) {
	p := newProgram(t, t.TempDir())
	p.run("load", "pageviews", pruneVisits(t))
	p.run("load", "answers", write(t, "answers.ndjson", 2, func(i int) string {
		return fmt.Sprintf(`{"id":"%d","promptId":11,"platform":"openai","at":"2026-03-02T09:00:00Z","mentions":[]}`, i)
	}))
	p.serve()
	week := func(day string) string { return `{"timestamp":"` + day + `T00:00:00Z","botVisits":1}` }
	prompts := func(values string) string {
		return `[{"promptText":"best rocket","platform":"openai","domain":"acme.com",` + values + `,"labels":[]}]` + "\n"
	}
	const gone = `"position":null,"visibility":null,"rank":null,"runCount":null`
	p.until(p.visits, weeklyAnswer(week("2026-03-02"), week("2026-03-09"), week("2026-03-16")))
	p.until(p.runs, prompts(`"position":null,"visibility":0,"rank":null,"runCount":2`))
	p.run("prune", "--before", "2026-03-09")
	p.until(p.visits, weeklyAnswer(week("2026-03-09"), week("2026-03-16")))
	p.until(p.runs, prompts(gone))
	p.run("prune", "--before", "2026-03-23")
	p.until(p.visits, weeklyAnswer())
	p.until(p.runs, prompts(gone))
	p.run("load", "pageviews", write(t, "more.ndjson", 1, func(int) string {
		return `{"at":"2026-03-09T10:00:00Z","websiteId":"w-acme","url":"https://acme.com/","userAgent":"curl/8.5.0"}`
	}))
	p.until(p.visits, weeklyAnswer(week("2026-03-09")))
}

func TestAPruneWaitsForARunningLoad(t *testing.T) {
	p := newProgram(t, t.TempDir())
	p.run("load", "pageviews", pruneVisits(t))
	loader, err := duckdb.OpenLoader(t.Context(), filepath.Join(p.data, "facts"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer loader.Close()
	var out bytes.Buffer
	cmd := p.command("prune", "--before", "2026-03-16")
	cmd.Stdout = &out
	errOut, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(errOut).ReadString('\n')
	if !strings.Contains(line, "Another load is running") {
		t.Errorf("it says %q", line)
	}
	if s, err := duckdb.ReadStatus(t.Context(), filepath.Join(p.data, "facts")); err != nil || s.Version != 1 {
		t.Errorf("it did not wait: %+v, %v", s, err)
	}
	loader.Close()
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "visits  2026-03-02  2026-03-09  2      2 ") {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestAFileThatIsCutIsNamed(t *testing.T) {
	week := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).Unix()
	cut := []facts.Weeks{{Kind: facts.KindVisits, First: week, Last: week + 2*facts.WeekSeconds, Files: 1}}
	var out bytes.Buffer
	if err := printPruned(&out, facts.Pruned{Version: 1, KeptFrom: week + facts.WeekSeconds, Cut: cut}, true); err != nil {
		t.Fatal(err)
	}
	want := `Of the visits of the weeks 2026-03-02 to 2026-03-16, which are in one file, those before 2026-03-09 go.

This was a dry run: nothing was removed. Facts from 2026-03-09 on would be kept.
`
	if out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}
