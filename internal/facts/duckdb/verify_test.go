package duckdb_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/faults"
)

// rich is a folder of visits and answers of a week with everything in them.
func rich(t *testing.T) (dir string, loader *duckdb.Loader) {
	t.Helper()
	dir = t.TempDir()
	loader = openLoader(t, dir)
	var visits, answers []any
	for i := range 300 {
		v := visit(monday+int64(i)*1900, fmt.Sprint("w", i%3), fmt.Sprint("/p", i%11))
		v.URLPathDirectory = fmt.Sprint("/d", i%7%3)
		v.NormalizedURLPath, v.Origin = fmt.Sprint("/n", i%7), &facts.Origin{Platform: []string{"none", "openai", "other", "claude"}[i%4], BotType: "none"}
		v.Visitor, v.Referred, v.Agent = uint64(i%13), i%3 == 0, &facts.Agent{UserAgent: fmt.Sprint("agent", i%5)}
		if v.Bot = i%5 == 0; v.Bot {
			v.BotType, v.Visitor, v.Referred = fmt.Sprint("bot", i%2), 0, false
		}
		if i%10 == 0 {
			v.ID = fmt.Sprint("v", i)
		}
		visits = append(visits, v)
		a := answer(fmt.Sprint("a", i), monday+int64(i)*1900, int64(1+i%6), []int64{7, 8, 9}[:i%4]...)
		a.ProductID, a.Platform = int64(7+i%2), []string{"openai", "gemini"}[i%2]
		a.PromptKind = []string{"few", "many"}[a.PromptID/4]
		a.Citations = append(a.Citations, facts.Citation{URL: fmt.Sprint("https://b.example/", i%4), Domain: "b.example"})
		answers = append(answers, a)
	}
	publish(t, loader, facts.KindVisits, "visits", visits...)
	publish(t, loader, facts.KindAnswers, "answers", answers...)
	return dir, loader
}

func verify(t *testing.T, dir string) duckdb.Verified {
	t.Helper()
	v, err := duckdb.Verify(t.Context(), dir, func(string, int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestAHealthyFolderVerifies(t *testing.T) {
	dir, loader := rich(t)
	v := verify(t, dir)
	if len(v.Problems) > 0 || v.Rows != 600 || v.Files != 2 || v.Version != 2 {
		t.Errorf("%+v", v)
	}
	publish(t, loader, facts.KindAnswers, "more", answer("a1", monday+3*facts.WeekSeconds, 9, 7))
	if v := verify(t, dir); len(v.Problems) > 0 {
		t.Errorf("after a replacement: %v", v.Problems)
	}
	if v := verify(t, t.TempDir()); len(v.Problems) > 0 || v.Version != 0 {
		t.Errorf("a folder without facts: %+v", v)
	}
}

func TestVerifyTellsHowFarItIs(t *testing.T) {
	dir, loader := rich(t)
	loader.Close()
	var names []string
	last := int64(0)
	_, err := duckdb.Verify(t.Context(), dir, func(name string, done, all int64) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if done < last || done >= all {
			t.Errorf("%s: %d of %d after %d", name, done, all, last)
		}
		last = done
	})
	if err != nil || len(names) != 2 || last == 0 {
		t.Errorf("%q %v", names, err)
	}
}

func TestVerifyNamesEveryDamagedFile(t *testing.T) {
	f := faults.New(t)
	dir, loader := rich(t)
	loader.Close()
	files, err := filepath.Glob(filepath.Join(dir, "*.duckdb"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, path := range append(files, filepath.Join(dir, "manifest.db")) {
		for _, fault := range f.OfFiles() {
			restore := f.Keep(path)
			fault.Break(path)
			v, err := duckdb.Verify(t.Context(), dir, func(string, int64, int64) {})
			if err != nil || len(v.Problems) != 1 || !strings.Contains(v.Problems[0].Error(), path) {
				// A bit of the manifest that nothing depends on may flip.
				if fault.Name == "missing" || path != filepath.Join(dir, "manifest.db") {
					t.Errorf("%s %s: %v %v", filepath.Base(path), fault.Name, v.Problems, err)
				}
			}
			restore()
		}
	}
}

// republish changes a file with SQL and makes the manifest agree, as a fault of
// the loader would.
func republish(t *testing.T, dir, path, statement string) {
	t.Helper()
	db, err := sql.Open("duckdb", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement + "; checkpoint"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := duckdb.Reseal(t.Context(), dir, filepath.Base(path)); err != nil {
		t.Fatal(err)
	}
}

// Verify counts with the code that loads count with, so that has to be right:
// SQL that is written from what the columns mean gives the same.
func TestSQLGivesTheSameTotals(t *testing.T) {
	for file, fault := range map[string]string{
		"totals.sql":           "update totals set all_paths = all_paths + 1 where level = 3 and width = 1 and website = 1",
		"directory_totals.sql": "update directory_totals set unique_pages = unique_pages + 1 where width = 7 and website = 1",
		"agent_totals.sql":     "delete from agent_totals where width = 7 and website = 1",
	} {
		t.Run(file, func(t *testing.T) { sqlGivesTheSame(t, "testdata/"+file, fault) })
	}
}

func sqlGivesTheSame(t *testing.T, file, fault string) {
	dir, loader := rich(t)
	loader.Close()
	counted, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	path := fileOf(t, dir, "visits", "20260302")
	wrong := func() (n int64) {
		t.Helper()
		db, err := sql.Open("duckdb", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.QueryRow(strings.ReplaceAll(string(counted), "{{.}}.", "")).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := wrong(); n != 0 {
		t.Errorf("%d rows differ", n)
	}
	republish(t, dir, path, fault)
	if wrong() == 0 {
		t.Error("a total that is changed is not found: it proves nothing")
	}
}

func TestVerifyCountsAgainWhatWasCountedAtLoading(t *testing.T) {
	original, loader := rich(t)
	loader.Close()
	for _, c := range []struct{ kind, statement, want string }{
		{"visits", "update totals set unique_pages = unique_pages + 1 where level = 2 and width = 7", "totals that are not those of the visits"},
		{"visits", "delete from totals where width = 1 and level = 0 and website = 0", "totals that are not those of the visits"},
		{"visits", "insert into totals select * from totals limit 1", "there are 1 totals that are not those of the visits"},
		{"visits", "insert into totals select * replace (bucket + 7 * 86400 as bucket) from totals limit 2", "there are 2 totals that are not those of the visits"},
		{"visits", "update visits set visitor = 99 where ts = (select max(ts) from visits where bot = 0)", "totals that are not those of the visits"},
		{"visits", "update sources set platform = 'gemini' where platform = 'claude'", "totals that are not those of the visits"},
		{"visits", "update directory_totals set unique_human_visitors = unique_human_visitors + 1 where width = 1", "totals that are not those of the visits"},
		{"visits", "insert into directory_totals select * replace (1000000 as page) from directory_totals limit 1", "there are 1 totals that are not those of the visits"},
		{"visits", "insert into agent_totals select * from agent_totals limit 1", "there are 1 totals that are not those of the visits"},
		{"visits", "update agent_totals set source = source + 1", "totals that are not those of the visits"},
		{"visits", "delete from agents where agent = 0", "visits without a row in agents"},
		{"visits", "insert into pages select * from pages limit 1", "rows of pages with a number that is taken"},
		{"visits", "delete from visits where ts = (select min(ts) from visits)", "the manifest says"},
		{"visits", "update visits set ts = ts - 7 * 86400 where ts = (select min(ts) from visits)", "rows are of other weeks"},
		{"answers", "delete from mentions where answer_key = (select max(answer_key) from mentions)", "packed answers give"},
		{"answers", "delete from citations where answer_key = (select max(answer_key) from citations)", "packed answers give"},
		{"answers", "update mentions set position = position + 1 where product_id = 7", "packed answers give"},
		{"answers", "delete from answer_totals", "weeks without their sums"},
		{"answers", "update answer_totals set totals = (select max(totals) from answer_totals)", "packed answers give"},
		{"answers", "delete from answer_sources", "packed answers have no sources"},
		{"answers", "update answer_sources set domains = urls", "packed answers are damaged"},
		{"answers", "update answer_parts set kind = kind + 8", "packed answers give 0"},
		{"answers", "update answer_parts set kind = (select sum(distinct kind) from answer_parts) - kind", "the sums are of other prompts"},
		{"answers", "insert into answer_parts select * from answer_parts limit 1", "packed answers that are there twice"},
		{"answers", "insert into answer_parts select * replace (kind + 1 as kind) from answer_parts limit 1", "packed answers without their sums"},
		{"answers", "insert into answer_sources select * replace (1 as product_id) from answer_sources limit 1", "packed answers of unknown products or weeks"},
		{"answers", "update mentions set answer_key = 1000000 where product_id = 9", "mentions without their answer"},
		{"answers", "update citations set url = url || 'x' where domain = 'b.example'", "packed answers give"},
	} {
		t.Run(c.statement, func(t *testing.T) {
			dir := copied(t, original)
			path := fileOf(t, dir, c.kind, "20260302")
			republish(t, dir, path, c.statement)
			v := verify(t, dir)
			if len(v.Problems) != 1 || !strings.Contains(v.Problems[0].Error(), c.want) || !strings.Contains(v.Problems[0].Error(), path) {
				t.Errorf("%v, want %q", v.Problems, c.want)
			}
		})
	}
}
