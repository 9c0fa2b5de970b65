package duckdb_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

func forget(t *testing.T, l *duckdb.Loader, whose facts.Whose) facts.Forgotten {
	t.Helper()
	f, err := l.Forget(t.Context(), whose, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// owned draws loads in which an id is of one website, or of one product, and
// says which rows would be left without some.
func owned(t *rapid.T) (loads [][]any) {
	loads = drawLoads(t)
	for _, rows := range loads {
		for _, row := range rows {
			switch r := row.(type) {
			case *facts.Visit:
				if r.ID != "" {
					r.ID += r.WebsiteID
				}
			case *facts.Answer:
				r.ProductID = 6 + r.PromptID%2
				r.ID += fmt.Sprint(r.ProductID)
			}
		}
	}
	return loads
}

func belongs(row any, whose facts.Whose) bool {
	switch r := row.(type) {
	case *facts.Visit:
		return slices.Contains(whose.Websites, r.WebsiteID)
	case *facts.Answer:
		return slices.Contains(whose.Products, r.ProductID)
	}
	return false
}

// What is left after forgetting is what is there if it was never loaded.
func TestForgettingLeavesWhatWasThereWithout(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		loads := owned(r)
		whose := rapid.SampledFrom([]facts.Whose{
			{Websites: []string{"w"}}, {Products: []int64{6}}, {Websites: []string{"x", "none"}, Products: []int64{6}},
			{Websites: []string{"w", "x"}, Products: []int64{6, 7}},
		}).Draw(r, "whose")
		merging := duckdb.Merging{Weeks: rapid.Int64Range(1, 4).Draw(r, "weeks"), Bytes: 1 << 40}
		var got [2]string
		for i, without := range []bool{false, true} {
			dir := t.TempDir()
			l := openLoader(t, dir)
			l.Merging = merging
			for n, rows := range loads {
				if without {
					rows = slices.DeleteFunc(slices.Clone(rows), func(row any) bool { return belongs(row, whose) })
				}
				if len(rows) == 0 {
					continue
				}
				kind := facts.KindVisits
				if _, ok := rows[0].(*facts.Answer); ok {
					kind = facts.KindAnswers
				}
				publish(t, l, kind, fmt.Sprint(n), rows...)
			}
			if !without {
				plan, err := duckdb.PlanForget(t.Context(), dir, whose)
				f := forget(t, l, whose)
				if f.Version -= min(f.Files, 1); err != nil || plan.Visits != f.Visits || plan.Answers != f.Answers || plan.Files != f.Files || plan.Version != f.Version {
					r.Fatalf("planned %+v, %v, done %+v", plan, err, f)
				}
				if again := forget(t, l, whose); !again.Nothing() {
					r.Fatalf("something is left: %+v", again)
				}
			}
			got[i] = everything(t, dir)
			l.Close()
		}
		if got[0] != got[1] {
			r.Fatalf("after forgetting %+v:\n%s\nnever loaded:\n%s", whose, got[0], got[1])
		}
	})
}

// secrets are texts that only what is forgotten has.
var secrets = []string{"w-goneforgood", "/only-here-", "SecretAgent/", "cited-by-nobody-else", "gone-answer-"}

// worldWithSecrets has visits and answers of two owners in three weeks, enough
// of them that the engine packs them.
func worldWithSecrets(t *testing.T, l *duckdb.Loader) {
	var visits, answers []any
	for i := range int64(3000) {
		second := monday + i%3*facts.WeekSeconds + i
		kept, gone := visit(second, "w-kept", fmt.Sprintf("/page-%d", i%50)), visit(second, "w-goneforgood", fmt.Sprintf("/only-here-%d", i))
		gone.Agent = &facts.Agent{UserAgent: fmt.Sprintf("Mozilla/5.0 SecretAgent/%d", i%40)}
		gone.ID = fmt.Sprintf("gone-answer-%d", i)
		visits = append(visits, kept, gone)
		if i%10 == 0 {
			a, b := answer(fmt.Sprint("kept-", i), second, 1, 7), answer(fmt.Sprint("gone-answer-", i), second, 2, 8, 7)
			a.ProductID, b.ProductID = 7, 8
			b.Citations = []facts.Citation{{URL: fmt.Sprint("https://cited-by-nobody-else.example/", i), Domain: "cited-by-nobody-else.example"}}
			answers = append(answers, a, b)
		}
	}
	publish(t, l, facts.KindVisits, "visits", visits...)
	publish(t, l, facts.KindAnswers, "answers", answers...)
}

func TestNoByteOfWhatWasForgottenIsLeft(t *testing.T) {
	dir := t.TempDir()
	l := openLoader(t, dir)
	l.Merging = together
	worldWithSecrets(t, l)
	live := follow(t, dir)
	before := acquire(t, live)
	found := searched(t, dir)
	for _, secret := range secrets {
		if len(found[secret]) == 0 {
			t.Fatalf("the search does not find %q before: it proves nothing", secret)
		}
	}
	var told []int
	f, err := l.Forget(t.Context(), facts.Whose{Websites: []string{"w-goneforgood"}, Products: []int64{8}}, func(done, all int) { told = append(told, done, all) })
	if err != nil || f.Visits != 3000 || f.Answers != 300 || f.Mentions != 600 || f.Citations != 300 || f.Files < 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	if len(told) != 2*(1+int(f.Files)) || told[0] != 0 || told[len(told)-1] != int(f.Files) {
		t.Errorf("the progress was %v of %d files", told, f.Files)
	}
	waitForVersion(t, live, f.Version)
	if removed, err := l.Sweep(t.Context()); err != nil || removed == 0 {
		t.Fatal(err)
	}
	expect(t, read(t, before, "count(*)::varchar", facts.Visits, 0, allTime), "6000") // a reader that was there goes on
	before.Close()
	for secret, where := range searched(t, dir) {
		t.Errorf("%q is in %v", secret, where)
	}
	after := acquire(t, live)
	defer after.Close()
	expect(t, read(t, after, "distinct website_id || user_agent", facts.Visits, 0, allTime), "w-keptMozilla/5.0")
	expect(t, read(t, after, "count(*)::varchar", facts.Visits, 0, allTime), "3000")
	expect(t, read(t, after, "count(*)::varchar", facts.Mentions, 0, allTime), "300")
}

// searched looks for the secrets in the bytes of every file of a folder, and in
// every column of every table in it: the engine packs what it writes.
func searched(t *testing.T, dir string) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range secrets {
			if bytes.Contains(content, []byte(secret)) {
				found[secret] = append(found[secret], "the bytes of "+e.Name())
			}
		}
		if strings.HasSuffix(path, ".duckdb") {
			searchTables(t, path, found)
		}
	}
	return found
}

func searchTables(t *testing.T, path string, found map[string][]string) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("attach '" + path + "' as f (read_only)"); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query("select table_name, column_name, data_type from duckdb_columns() where database_name = 'f' and data_type in ('VARCHAR', 'BLOB')")
	if err != nil {
		t.Fatal(err)
	}
	var columns [][3]string
	err = facts.Drain(rows, func(scan facts.Scan) error {
		var c [3]string
		err := scan(&c[0], &c[1], &c[2])
		columns = append(columns, c)
		return err
	})
	if err != nil || len(columns) < 5 {
		t.Fatal(columns, err)
	}
	for _, c := range columns {
		var counts []string
		for _, secret := range secrets {
			value, text := c[1], secret
			if c[2] == "BLOB" {
				value, text = "hex("+c[1]+")", fmt.Sprintf("%X", secret)
			}
			counts = append(counts, fmt.Sprintf("count(*) filter (where contains(%s, '%s'))", value, text))
		}
		numbers, into := make([]int64, len(secrets)), make([]any, len(secrets))
		for i := range numbers {
			into[i] = &numbers[i]
		}
		if err := db.QueryRow("select " + strings.Join(counts, ", ") + " from f." + c[0]).Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, n := range numbers {
			if n > 0 {
				found[secrets[i]] = append(found[secrets[i]], fmt.Sprintf("%d rows of %s.%s of %s", n, c[0], c[1], filepath.Base(path)))
			}
		}
	}
}

func TestForgettingNobodyIsNoVersion(t *testing.T) {
	dir, loader := threeWeeks(t)
	f := forget(t, loader, facts.Whose{Websites: []string{"unknown' or true --"}, Products: []int64{12345}})
	if !f.Nothing() || f.Version != 2 || status(t, dir).Version != 2 {
		t.Errorf("%+v", f)
	}
	empty := t.TempDir()
	if plan, err := duckdb.PlanForget(t.Context(), empty, facts.Whose{Websites: []string{"w"}}); err != nil || plan.Version != 0 || !plan.Nothing() {
		t.Errorf("%+v, %v", plan, err)
	}
}

func TestTheFilesBeforeStayForTheGracePeriod(t *testing.T) {
	dir, loader := threeWeeks(t)
	forget(t, loader, facts.Whose{Websites: []string{"w"}})
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
}
