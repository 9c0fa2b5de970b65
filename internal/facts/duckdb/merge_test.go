package duckdb_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// Each world is loaded twice into real files, so few are made; more by
// -rapid.checks.
func init() {
	if err := flag.Set("rapid.checks", "12"); err != nil {
		panic(err)
	}
}

// one says how each week has a file of its own; together, how weeks are merged at once.
var (
	one      = duckdb.Merging{Weeks: 1}
	together = duckdb.Merging{Weeks: 3, Bytes: 1 << 40}
)

// drawLoads makes loads of visits and answers over seven weeks. Ids come again.
func drawLoads(t *rapid.T) (loads [][]any) {
	second := rapid.Int64Range(monday, monday+7*facts.WeekSeconds-1)
	for range rapid.IntRange(1, 3).Draw(t, "loads") {
		var rows []any
		visits := rapid.Bool().Draw(t, "visits")
		for range rapid.IntRange(1, 8).Draw(t, "rows") {
			id := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "id")
			if !visits {
				a := answer(id, second.Draw(t, "second"), rapid.Int64Range(1, 3).Draw(t, "prompt"), 7)
				a.ProductID, a.PromptKind = 7, rapid.SampledFrom([]string{"k", "l"}).Draw(t, "kind")
				rows = append(rows, a)
				continue
			}
			v := visit(second.Draw(t, "second"), rapid.SampledFrom([]string{"w", "x"}).Draw(t, "website"), "/"+rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "path"))
			v.URLPathDirectory = "/" + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "directory")
			if v.Bot = rapid.Bool().Draw(t, "bot"); v.Bot {
				v.Agent = &facts.Agent{UserAgent: rapid.SampledFrom([]string{"g", "h", "i"}).Draw(t, "agent")}
			}
			v.Visitor = 1<<63 + rapid.Uint64Range(0, 2).Draw(t, "visitor")
			if rapid.Bool().Draw(t, "with id") {
				v.ID = id
			}
			rows = append(rows, v)
		}
		loads = append(loads, rows)
	}
	return loads
}

// everything is all that can be read of a folder, as one text.
func everything(t *testing.T, dir string) string {
	live := follow(t, dir)
	defer live.Close()
	set := acquire(t, live)
	defer set.Close()
	var all []string
	for table, row := range map[facts.Table]string{
		facts.Visits:    "ts || website_id || coalesce(url_path, '') || normalized_url_path || platform || user_agent || visitor",
		facts.Answers:   "ts || id || prompt_id",
		facts.Mentions:  "ts || ' ' || product_id || ' ' || position",
		facts.Citations: "ts || url",
	} {
		all = append(all, read(t, set, row, table, 0, allTime))
	}
	for table, columns := range map[facts.Table][]string{
		facts.Totals:          {"bucket", "width", "level", "website_id", "human_visits", "unique_human_visitors", "all_pages"},
		facts.DirectoryTotals: {"bucket", "width", "website_id", "url_path_directory", "human_visits", "unique_human_visitors", "unique_pages"},
		facts.AgentTotals:     {"bucket", "width", "website_id", "platform", "user_agent"},
	} {
		query := fmt.Sprintf("select concat_ws(' ', '%s', %s) from %s", table, strings.Join(columns, ", "), set.Table(table, columns, 0, allTime))
		err := set.Query(t.Context(), facts.Statement{SQL: query}, func(scan facts.Scan) error {
			var text string
			err := scan(&text)
			all = append(all, text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, prompts := range [][]int64{{1, 2, 3}, {2}, {1, 3}} {
		all = append(all, counted(t, set.(facts.AnswerReader), facts.AnswerQuery{ProductID: 7, PromptIDs: prompts, Products: []int64{7}, Last: allTime})...)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// counted is what packed answers give for a query.
func counted(t *testing.T, reader facts.AnswerReader, q facts.AnswerQuery) (all []string) {
	t.Helper()
	for _, by := range []facts.Grouping{facts.Together, facts.ByDayAndPlatform, facts.ByPromptAndPlatform} {
		tallies, err := reader.Tally(t.Context(), q, by)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range tallies {
			all = append(all, fmt.Sprint("tally ", q.PromptIDs, by, *of))
		}
	}
	cited, err := reader.Cited(t.Context(), q, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range cited.Domains {
		all = append(all, fmt.Sprint("cited ", q.PromptIDs, d))
	}
	for _, p := range cited.Pages {
		all = append(all, fmt.Sprint("cited ", q.PromptIDs, p))
	}
	return all
}

// However weeks are put together, the same can be read; and also after a prune.
func TestMergingChangesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		loads := drawLoads(r)
		var want string
		other := duckdb.Merging{Weeks: rapid.Int64Range(2, 4).Draw(r, "weeks"), Rest: rapid.Int64Range(0, 2).Draw(r, "rest"), Bytes: 1 << 40}
		for _, merging := range []duckdb.Merging{one, other} {
			dir := t.TempDir()
			l := openLoader(t, dir)
			l.Merging = merging
			for i, rows := range loads {
				kind := facts.KindVisits
				if _, ok := rows[0].(*facts.Answer); ok {
					kind = facts.KindAnswers
				}
				publish(t, l, kind, fmt.Sprint(i), rows...)
			}
			got := everything(t, dir)
			prune(t, l, date(3, 16))
			got += "\nafter the prune\n" + everything(t, dir)
			l.Close()
			if want == "" {
				want = got
			}
			if got != want {
				r.Fatalf("%+v:\n%s\nwant\n%s", merging, got, want)
			}
		}
	})
}

func TestAPruneTellsHowManyFilesAreCut(t *testing.T) {
	l := openLoader(t, t.TempDir())
	l.Merging = together
	for i := range int64(7) {
		publish(t, l, facts.KindVisits, fmt.Sprint(i), visit(monday+i*facts.WeekSeconds, "w", fmt.Sprint("/", i)))
	}
	var told []int
	p, err := l.Prune(t.Context(), time.Unix(monday+facts.WeekSeconds, 0), func(done, all int) { told = append(told, done, all) })
	if err != nil || len(p.Cut) != 1 {
		t.Fatalf("%+v %v", p, err)
	}
	if want := []int{0, 1, 1, 1}; !slices.Equal(told, want) {
		t.Errorf("%v, want %v", told, want)
	}
}

func TestWeeksAreMergedIntoFewerFiles(t *testing.T) {
	dir := t.TempDir()
	l := openLoader(t, dir)
	l.Merging = together
	for i := range int64(7) {
		publish(t, l, facts.KindVisits, fmt.Sprint(i), visit(monday+i*facts.WeekSeconds, "w", fmt.Sprint("/", i)))
	}
	if n := len(status(t, dir).Weeks); n > 4 {
		t.Errorf("seven weeks are in %d files, want them merged by three", n)
	}
	set := acquire(t, follow(t, dir))
	defer set.Close()
	expect(t, read(t, set, "url_path", facts.Visits, 0, allTime), "/0 /1 /2 /3 /4 /5 /6")
}
