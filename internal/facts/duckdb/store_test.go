package duckdb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).Unix()

func visit(second int64, website, path string) *facts.Visit {
	return &facts.Visit{
		Second: second, WebsiteID: website, Visitor: 1 << 63, Origin: &facts.Origin{Platform: "none", BotType: "none"},
		Page:  &facts.Page{URLPath: path, NormalizedURLPath: path, URLPathDirectory: "/"},
		Agent: &facts.Agent{UserAgent: "Mozilla/5.0"},
	}
}

func answer(id string, second, prompt int64, products ...int64) *facts.Answer {
	a := &facts.Answer{ID: id, Second: second, PromptID: prompt, Platform: "openai",
		Citations: []facts.Citation{{URL: "https://a.example/" + id, Domain: "a.example"}}}
	for i, p := range products {
		a.Mentions = append(a.Mentions, facts.Mention{ProductID: p, Position: int64(i + 1)})
	}
	return a
}

func openLoader(t *testing.T, dir string) *duckdb.Loader {
	t.Helper()
	l, err := duckdb.OpenLoader(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// known says whether an input was loaded.
func known(t *testing.T, l *duckdb.Loader, kind facts.Kind, sha string) bool {
	t.Helper()
	inputs, err := l.Inputs(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(inputs, func(in facts.Input) bool { return in.SHA256 == sha })
}

// publish loads visits or answers as one input.
func publish(t *testing.T, l *duckdb.Loader, kind facts.Kind, sha string, rows ...any) facts.Published {
	t.Helper()
	load, err := l.Begin(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	for _, row := range rows {
		switch r := row.(type) {
		case *facts.Visit:
			err = load.AddVisit(r)
		case *facts.Answer:
			err = load.AddAnswer(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	done, err := load.Publish(t.Context(), []facts.Input{{Kind: kind, SHA256: sha, Name: sha}})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func follow(t *testing.T, dir string) *duckdb.Live {
	t.Helper()
	live, err := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: 5 * time.Millisecond, Hot: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { live.Close() })
	return live
}

// read returns what a query over the columns of a table makes of each row, as one string.
func read(t *testing.T, set facts.Set, what string, table facts.Table, first, last int64) string {
	t.Helper()
	columns := map[facts.Table][]string{
		facts.Visits: {"ts", "website_id", "bot", "referred", "platform", "bot_type", "visitor", "url_path",
			"normalized_url_path", "url_path_directory", "user_agent", "website_key", "page_key", "agent_key"},
		facts.Answers:   {"id", "answer_key", "ts", "prompt_id", "platform"},
		facts.Mentions:  {"answer_key", "ts", "prompt_id", "platform", "product_id", "position"},
		facts.Citations: {"answer_key", "ts", "prompt_id", "platform", "domain", "url"},
	}[table]
	var values []string
	query := "select " + what + " from " + set.Table(table, columns, first, last) + " order by 1"
	err := set.Query(context.Background(), facts.Statement{SQL: query}, func(scan facts.Scan) error {
		var v string
		err := scan(&v)
		values = append(values, v)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(values, " ")
}

func acquire(t *testing.T, live *duckdb.Live) facts.Set {
	t.Helper()
	set, err := live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

const allTime = 1 << 40

func TestAFolderWithoutFactsIsAnEmptySet(t *testing.T) {
	set := acquire(t, follow(t, t.TempDir()))
	defer set.Close()
	for _, table := range []facts.Table{facts.Visits, facts.Answers, facts.Mentions, facts.Citations} {
		expect(t, read(t, set, "count(*)::varchar", table, 0, allTime), "0")
	}
}

func TestAServerMovesToANewSetAndKeepsTheOldOneForThoseWhoHoldIt(t *testing.T) {
	dir := t.TempDir()
	live, loader := follow(t, dir), openLoader(t, dir)
	before := acquire(t, live)
	publish(t, loader, facts.KindVisits, "one", visit(monday, "w", "/a"), visit(monday+facts.WeekSeconds, "w", "/b"))
	waitForVersion(t, live, 1)
	after := acquire(t, live)
	defer after.Close()
	expect(t, read(t, before, "url_path", facts.Visits, 0, allTime), "")
	before.Close()
	expect(t, read(t, after, "url_path", facts.Visits, 0, allTime), "/a /b")
	if table := after.Table(facts.Visits, []string{"ts"}, monday, monday+5); table != "(select ts from visits_20260302.visits v)" {
		t.Errorf("a window inside one week reads %s, want that week's file alone", table)
	}
}

func waitForVersion(t *testing.T, live *duckdb.Live, version int64) {
	t.Helper()
	for range 1000 {
		set := acquire(t, live)
		now := set.Version()
		set.Close()
		if now == version {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("version %d was not seen: %v", version, live.Err())
}

func TestTheSameIDReplacesTheOlderRow(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	publish(t, loader, facts.KindAnswers, "one",
		answer("a", monday, 1, 7), answer("b", monday, 1), answer("a", monday+1, 2, 8, 9))
	t.Run("within a load, the last counts", func(t *testing.T) {
		set := acquire(t, follow(t, dir))
		defer set.Close()
		expect(t, read(t, set, "id || prompt_id", facts.Answers, 0, allTime), "a2 b1")
		expect(t, read(t, set, "product_id::varchar", facts.Mentions, 0, allTime), "8 9")
		expect(t, read(t, set, "url", facts.Citations, 0, allTime), "https://a.example/a https://a.example/b")
	})
	t.Run("across loads and weeks, and its mentions and citations go with it", func(t *testing.T) {
		done := publish(t, loader, facts.KindAnswers, "two", answer("a", monday+facts.WeekSeconds, 3, 5))
		if done.Replaced != 1 || done.Rows != 1 {
			t.Errorf("replaced %d of %d, want 1 of 1", done.Replaced, done.Rows)
		}
		set := acquire(t, follow(t, dir))
		defer set.Close()
		expect(t, read(t, set, "id || prompt_id", facts.Answers, 0, allTime), "a3 b1")
		expect(t, read(t, set, "product_id::varchar", facts.Mentions, 0, allTime), "5")
		expect(t, read(t, set, "url", facts.Citations, 0, allTime), "https://a.example/a https://a.example/b")
	})
	t.Run("a week that loses its last row loses its file", func(t *testing.T) {
		publish(t, loader, facts.KindAnswers, "three", answer("b", monday+facts.WeekSeconds, 4))
		set := acquire(t, follow(t, dir))
		defer set.Close()
		expect(t, set.Table(facts.Answers, []string{"ts"}, monday, monday), "(select ts from memory.answers v)")
		expect(t, read(t, set, "id || prompt_id", facts.Answers, 0, allTime), "a3 b4")
	})
}

func TestVisitsWithoutAnIDAreAllKept(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	withID := visit(monday, "w", "/first")
	withID.ID = "v1"
	publish(t, loader, facts.KindVisits, "one", withID, visit(monday, "w", "/a"), visit(monday, "w", "/a"))
	again := visit(monday, "w", "/second")
	again.ID = "v1"
	publish(t, loader, facts.KindVisits, "two", again, visit(monday, "w", "/a"))
	set := acquire(t, follow(t, dir))
	defer set.Close()
	expect(t, read(t, set, "url_path", facts.Visits, 0, allTime), "/a /a /a /second")
}

func TestAnInputIsKnownOnceItIsPublished(t *testing.T) {
	loader := openLoader(t, t.TempDir())
	load, err := loader.Begin(t.Context(), facts.KindVisits)
	if err != nil {
		t.Fatal(err)
	}
	load.AddVisit(visit(monday, "w", "/"))
	load.Abort()
	if known(t, loader, facts.KindVisits, "one") {
		t.Error("an aborted load is known")
	}
	publish(t, loader, facts.KindVisits, "one", visit(monday, "w", "/"))
	if !known(t, loader, facts.KindVisits, "one") {
		t.Error("a published load is not known")
	}
	if known(t, loader, facts.KindAnswers, "one") {
		t.Error("the same bytes as another kind are another input")
	}
}

func TestTheNextLoadSweepsUpAfterACrash(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	publish(t, loader, facts.KindVisits, "one", visit(monday, "w", "/"))
	loader.Close()
	for _, name := range []string{"visits-20260302-v9.duckdb", "visits-20260302-v9.duckdb.wal"} {
		os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600)
	}
	os.MkdirAll(filepath.Join(dir, "stage-123"), 0o700)
	openLoader(t, dir)
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.Contains(e.Name(), "duckdb") || strings.Contains(e.Name(), "stage") {
			left = append(left, e.Name())
		}
	}
	expect(t, strings.Join(left, " "), "visits-20260302-v1.duckdb")
}

func TestFactsWithoutTheirManifestAreNotSweptUp(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	publish(t, loader, facts.KindVisits, "one", visit(monday, "w", "/"))
	loader.Close()
	manifests, _ := filepath.Glob(filepath.Join(dir, "manifest.db*"))
	for _, m := range manifests {
		os.Remove(m)
	}
	if _, err := duckdb.OpenLoader(t.Context(), dir, nil); err == nil || !strings.Contains(err.Error(), "there are facts beside it: restore a backup into a new directory") {
		t.Errorf("a load beside facts without a manifest: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "visits-20260302-v1.duckdb")); err != nil {
		t.Error("the facts are gone")
	}
}

func TestTheSecondLoaderWaitsForTheFirst(t *testing.T) {
	dir := t.TempDir()
	first := openLoader(t, dir)
	waited := make(chan string, 1)
	opened := make(chan error, 1)
	go func() {
		second, err := duckdb.OpenLoader(context.Background(), dir, func(pid string) { waited <- pid })
		if err == nil {
			err = second.Close()
		}
		opened <- err
	}()
	if pid := <-waited; pid == "" || pid == "unknown" {
		t.Errorf("the waiting loader was told of process %q", pid)
	}
	first.Close()
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

func TestTheEngineOfReportsIsLockedDown(t *testing.T) {
	dir := t.TempDir()
	publish(t, openLoader(t, dir), facts.KindVisits, "one", visit(monday, "w", "/"))
	set := acquire(t, follow(t, dir))
	defer set.Close()
	for _, statement := range []string{
		"select * from read_csv('/etc/passwd')",
		"copy (select 1) to '" + filepath.Join(dir, "out.csv") + "'",
		"attach '" + filepath.Join(dir, "x.duckdb") + "'",
		"insert into visits_20260302.visits select * from visits_20260302.visits",
		"set enable_external_access = true",
		"install httpfs",
	} {
		err := set.Query(t.Context(), facts.Statement{SQL: statement}, func(facts.Scan) error { return nil })
		if err == nil {
			t.Errorf("allowed: %s", statement)
		}
	}
}

func TestTheFirstRowsOfEachPartition(t *testing.T) {
	set := acquire(t, follow(t, t.TempDir()))
	defer set.Close()
	for _, n := range []int64{1, 2, 999_999, 1_000_000, 1 << 62} {
		query := duckdb.Dialect{}.TopPer("select i % 2 as bucket, i as m0 from range(6) t(i)", "bucket", "m0 desc", n)
		var kept int64
		err := set.Query(t.Context(), facts.Statement{SQL: query}, func(facts.Scan) error { kept++; return nil })
		if want := 2 * min(3, n); err != nil || kept != want {
			t.Errorf("the first %d: %d rows, %v", n, kept, err)
		}
	}
}

// Every string of a visit comes back, whatever is merged into its week.
func TestVisitsKeepTheirWordsWhenWeeksAreRewritten(t *testing.T) {
	dir := t.TempDir()
	loader := openLoader(t, dir)
	make := func(i int) *facts.Visit {
		v := visit(monday+int64(i), fmt.Sprint("w", i%3), fmt.Sprint("/p", i%5))
		v.NormalizedURLPath, v.URLPathDirectory = fmt.Sprint("/n", i%4), fmt.Sprint("/d", i%2)
		v.Platform, v.BotType, v.UserAgent = fmt.Sprint("platform", i%3), fmt.Sprint("type", i%2), fmt.Sprint("agent", i%7)
		v.Bot, v.Referred, v.Visitor = i%2 == 0, i%3 == 0, uint64(i)
		return v
	}
	var want []string
	for part := range 3 {
		var rows []any
		for i := part * 20; i < part*20+20; i++ {
			v := make(i)
			rows = append(rows, v)
			want = append(want, fmt.Sprintf("%d %s %t %t %s %s %d %s %s %s %s", v.Second, v.WebsiteID, v.Bot, v.Referred, v.Platform, v.BotType,
				v.Visitor, v.URLPath, v.NormalizedURLPath, v.URLPathDirectory, v.UserAgent))
		}
		publish(t, loader, facts.KindVisits, fmt.Sprint("part", part), rows...)
	}
	set := acquire(t, follow(t, dir))
	defer set.Close()
	got := read(t, set, "concat_ws(' ', ts, website_id, bot = 1, referred = 1, platform, bot_type, visitor, url_path,"+
		" normalized_url_path, url_path_directory, user_agent)", facts.Visits, 0, allTime)
	expect(t, got, strings.Join(want, " "))
	expect(t, read(t, set, "count(distinct (website_key, page_key)) || ' ' || count(distinct agent_key)", facts.Visits, 0, allTime), "12 7")
}
