package clickhouse

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).Unix()

const week = facts.WeekSeconds

func visit(id string, second int64, website, path string) *facts.Visit {
	return &facts.Visit{
		ID: id, Second: second, WebsiteID: website, Visitor: 1 << 63, Origin: &facts.Origin{Platform: "none", BotType: "none"},
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

// place is a migrated database of its own.
type place struct {
	*testing.T
	cluster *clickhousetest.Cluster
	store   Store
}

func (p place) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p place) loader() *Loader {
	p.Helper()
	l, err := p.store.OpenLoader(p.Context(), nil)
	p.must(err)
	p.Cleanup(func() { l.Close() })
	return l.(*Loader)
}

// begin starts a load of visits or answers, which the rows say.
func (p place) begin(l *Loader, rows ...any) facts.Load {
	p.Helper()
	kind := facts.KindVisits
	if _, ok := rows[0].(*facts.Answer); ok {
		kind = facts.KindAnswers
	}
	load, err := l.Begin(p.Context(), kind)
	p.must(err)
	for _, row := range rows {
		switch r := row.(type) {
		case *facts.Visit:
			err = load.AddVisit(r)
		case *facts.Answer:
			err = load.AddAnswer(r)
		}
		p.must(err)
	}
	return load
}

func (p place) publish(l *Loader, sha string, rows ...any) facts.Published {
	p.Helper()
	load := p.begin(l, rows...)
	defer load.Abort()
	done, err := load.Publish(p.Context(), []facts.Input{{Kind: load.(interface{ loadKind() facts.Kind }).loadKind(), SHA256: sha, Name: sha,
		Marks: []facts.Mark{{Bytes: 4096, SHA256: "'\\" + sha}}}})
	p.must(err)
	return done
}

func (d *load) loadKind() facts.Kind { return d.kind }

func (p place) follow() facts.Live {
	p.Helper()
	live, err := p.store.Follow(p.Context(), facts.Following{Poll: 5 * time.Millisecond})
	p.must(err)
	p.Cleanup(func() { live.Close() })
	return live
}

// read returns what an expression makes of each row of a table, in order.
func (p place) read(what string, table facts.Table) string {
	p.Helper()
	live, err := p.store.Follow(p.Context(), facts.Following{Poll: time.Minute}) // as it is now
	p.must(err)
	defer live.Close()
	set, err := live.Acquire()
	p.must(err)
	defer set.Close()
	return p.readSet(set, what, table)
}

func (p place) readSet(set facts.Set, what string, table facts.Table) string {
	p.Helper()
	var values []string
	query := "select " + what + " as what from " + set.Table(table, nil, 0, 1<<40) + " where " + set.Within(table, 0, 1<<40) + " order by what"
	p.must(set.Query(p.Context(), facts.Statement{SQL: query}, func(scan facts.Scan) error {
		var v string
		err := scan(&v)
		values = append(values, v)
		return err
	}))
	return strings.Join(values, " ")
}

func (p place) expect(got, want string) {
	p.Helper()
	if got != want {
		p.Errorf("got %q, want %q", got, want)
	}
}

// database makes a place without tables.
func database(t *testing.T, c *clickhousetest.Cluster, name string) place {
	t.Helper()
	config, err := ParseURL(c.URL(name), func(string) string { return clickhousetest.Password })
	if err != nil {
		t.Fatal(err)
	}
	return place{t, c, Store{Config: config}}
}

func newPlace(t *testing.T, c *clickhousetest.Cluster, name string) place {
	t.Helper()
	p := database(t, c, name)
	_, err := p.store.Migrate(context.Background())
	p.must(err)
	return p
}

// The tests share two shards; each has a database of its own.
func TestStore(t *testing.T) {
	cluster := clickhousetest.Start(t, 2)
	for i, test := range []struct {
		name string
		run  func(place)
	}{
		{"an empty store is an empty set", testEmpty},
		{"rows come back from all shards", testRoundTrip},
		{"the same id replaces the older row, across weeks, websites and shards", testReplace},
		{"of the same id in one load, the last counts", testReplaceWithin},
		{"mentions and citations of replaced answers are gone", testReplaceAnswers},
		{"weeks of many editions are written anew as one", testCrowded},
		{"inputs are known once they are published", testInputs},
		{"a load that is not published leaves nothing", testAbort},
		{"a set stays whole while others publish", testPinned},
		{"replaced editions are dropped after the grace period", testGrace},
		{"prune removes whole weeks", testPrune},
		{"forgetting leaves all others as they were", testForget},
		{"status counts rows, bytes and loads", testStatus},
		{"answers are numbered once", testAnswerKeys},
		{"totals are those of the visits", testTotals},
		{"texts come back as they were", testTexts},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(newPlace(t, cluster, fmt.Sprintf("store%d", i))) })
	}
}

func testEmpty(p place) {
	for _, table := range []facts.Table{facts.Visits, facts.Totals, facts.DirectoryTotals, facts.AgentTotals, facts.Answers, facts.Mentions, facts.Citations} {
		p.expect(p.read("toString(count())", table), "0")
	}
}

func testRoundTrip(p place) {
	var rows []any
	for i := range 8 {
		rows = append(rows, visit("", monday+int64(i), fmt.Sprint("w", i), "/"+fmt.Sprint(i)))
	}
	done := p.publish(p.loader(), "a", rows...)
	p.expect(fmt.Sprint(done.Rows, done.Replaced, len(done.Weeks)), "8 0 1")
	p.expect(p.read("concat(website_id, url_path)", facts.Visits), "w0/0 w1/1 w2/2 w3/3 w4/4 w5/5 w6/6 w7/7")
	for i, s := range p.cluster.Servers {
		if n := s.Query("select count() from " + p.store.Config.Database + ".visits"); n == "0" || n == "8" {
			p.Errorf("shard %d has %s of 8 rows", i+1, n)
		}
	}
}

func testReplace(p place) {
	l := p.loader()
	p.publish(l, "a", visit("x", monday, "w1", "/old"), visit("", monday+1, "w1", "/stays"), visit("y", monday+week, "w2", "/also stays"))
	done := p.publish(l, "b", visit("x", monday+2*week, "w2", "/new"), visit("z", monday, "w3", "/z"))
	p.expect(fmt.Sprint(done.Rows, done.Replaced, len(done.Weeks)), "2 1 2")
	p.expect(p.read("url_path", facts.Visits), "/also stays /new /stays /z")
}

func testReplaceWithin(p place) {
	done := p.publish(p.loader(), "a", visit("x", monday, "w1", "/1"), visit("x", monday+week, "w2", "/2"), visit("x", monday, "w3", "/3"))
	p.expect(fmt.Sprint(done.Rows, done.Replaced), "1 0")
	p.expect(p.read("url_path", facts.Visits), "/3")
}

func testReplaceAnswers(p place) {
	l := p.loader()
	p.publish(l, "a", answer("x", monday, 1, 101, 102), answer("y", monday, 2, 101))
	done := p.publish(l, "b", answer("x", monday+week, 2, 103), answer("x", monday+week, 3, 104), answer("z", monday, 1))
	p.expect(fmt.Sprint(done.Rows, done.Replaced, len(done.Weeks)), "2 1 2")
	p.expect(p.read("concat(id, toString(prompt_id))", facts.Answers), "x3 y2 z1")
	for _, s := range p.cluster.Servers {
		p.expect(s.Query("select count() from "+p.store.Config.Database+".staged_answers"), "0")
	}
	p.expect(p.read("toString(product_id)", facts.Mentions), "101 104")
	p.expect(p.read("url", facts.Citations), "https://a.example/x https://a.example/y https://a.example/z")
}

func testCrowded(p place) {
	l := p.loader()
	for i := range mostEditions + 3 {
		p.publish(l, fmt.Sprint(i), visit("", monday+int64(i), "w1", fmt.Sprint("/", i)))
	}
	s, err := l.current(p.Context(), l.shards[0])
	p.must(err)
	if n := len(s.of(facts.KindVisits, monday, monday)); n > mostEditions {
		p.Errorf("the week has %d editions", n)
	}
	p.expect(p.read("toString(count())", facts.Visits), fmt.Sprint(mostEditions+3))
}

func testInputs(p place) {
	l := p.loader()
	p.publish(l, "o'ne", visit("", monday, "w1", "/"))
	p.begin(l, visit("", monday, "w1", "/")).Abort()
	inputs, err := l.Inputs(p.Context(), facts.KindVisits)
	p.must(err)
	if len(inputs) != 1 || inputs[0].SHA256 != "o'ne" || inputs[0].Marks[0].SHA256 != `'\o'ne` || time.Since(inputs[0].At) > time.Hour {
		p.Errorf("known: %+v", inputs)
	}
	if inputs, err := l.Inputs(p.Context(), facts.KindAnswers); err != nil || len(inputs) > 0 {
		p.Errorf("of the other kind: %v %v", inputs, err)
	}
}

func testAbort(p place) {
	l := p.loader()
	p.publish(l, "a", visit("x", monday, "w1", "/a"))
	load := p.begin(l, visit("", monday, "w1", "/b"), visit("x", monday, "w2", "/c"))
	p.must(load.(interface{ flush(context.Context) error }).flush(p.Context())) // its rows are there
	p.must(load.Abort())
	p.expect(p.read("url_path", facts.Visits), "/a")
	p.publish(l, "d", visit("", monday, "w2", "/d"))
	p.expect(p.read("url_path", facts.Visits), "/a /d")
	for _, s := range p.cluster.Servers {
		p.expect(s.Query("select count() from "+p.store.Config.Database+".visits where url_path = '/b'"), "0") // swept
	}
}

func testPinned(p place) {
	l := p.loader()
	p.publish(l, "a", visit("x", monday, "w1", "/old"))
	set, err := p.follow().Acquire()
	p.must(err)
	defer set.Close()
	for i := range 3 {
		p.publish(l, fmt.Sprint(i), visit("x", monday, "w2", "/new"))
	}
	p.expect(p.readSet(set, "url_path", facts.Visits), "/old")
	p.expect(p.read("url_path", facts.Visits), "/new")
}

func testGrace(p place) {
	l := p.loader()
	p.publish(l, "a", visit("x", monday, "w1", "/old"))
	p.publish(l, "b", visit("x", monday, "w1", "/new"))
	p.publish(l, "c", visit("", monday, "w1", "/more"))
	count := func() (all int) {
		for _, s := range p.cluster.Servers {
			var n int
			fmt.Sscan(s.Query("select count() from "+p.store.Config.Database+".visits"), &n)
			all += n
		}
		return all
	}
	if n := count(); n != 3 {
		p.Errorf("%d rows are there before the grace period ends, want 3", n)
	}
	first := p.cluster.Servers[0]
	first.Query("alter table " + p.store.Config.Database + ".publishes update at = at - 400 where version > 0")
	for first.Query("select count() from system.mutations where is_done = 0 and database = '"+p.store.Config.Database+"'") != "0" {
		time.Sleep(10 * time.Millisecond)
	}
	p.publish(l, "d", visit("", monday, "w1", "/most"))
	if n := count(); n != 3 {
		p.Errorf("%d rows are there after it, want 3: /new /more /most", n)
	}
	p.expect(p.read("url_path", facts.Visits), "/more /most /new")
}

func testPrune(p place) {
	l := p.loader()
	p.publish(l, "a", visit("", monday, "w1", "/a"), visit("", monday+week, "w1", "/b"))
	p.publish(l, "b", answer("x", monday, 1, 101), answer("y", monday+week, 1, 101))
	before := time.Unix(monday+week+5, 0)
	plan, err := p.store.PlanPrune(p.Context(), before)
	p.must(err)
	done, err := l.Prune(p.Context(), before, func(int, int) {})
	p.must(err)
	for _, q := range []facts.Pruned{plan, done} {
		if len(q.Removed) != 2 || q.Removed[0].Rows != 1 || q.KeptFrom != monday+week {
			p.Errorf("%+v", q)
		}
	}
	if done.Version <= plan.Version || plan.Removed[0].Bytes == 0 {
		p.Errorf("%+v then %+v", plan, done)
	}
	p.expect(p.read("url_path", facts.Visits), "/b")
	p.expect(p.read("id", facts.Answers), "y")
	p.expect(p.read("toString(product_id)", facts.Mentions), "101")
	if again, err := l.Prune(p.Context(), before, func(int, int) {}); err != nil || len(again.Removed) > 0 || again.Version != done.Version {
		p.Errorf("a second time: %+v %v", again, err)
	}
}

func testStatus(p place) {
	status, err := p.store.Status(p.Context())
	if err != nil || status.Version != 0 || len(status.Weeks) > 0 {
		p.Errorf("empty: %+v %v", status, err)
	}
	l := p.loader()
	p.must(l.onEach(p.Context(), fmt.Sprintf("insert into %s (week, version, website_id, ts) select %d, 1000000, 'w1', %[2]d", l.local("visits"), monday)))
	status, err = p.store.Status(p.Context())
	if r := status.Replaced; err != nil || status.Version != 0 || r.Files == 0 || r.DueFiles != r.Files || r.Free.IsZero() {
		p.Errorf("while the first load goes on, or after it died: %+v %v", status, err)
	}
	p.must(l.onEach(p.Context(), fmt.Sprintf("alter table %s drop partition (%d, 1000000)", l.local("visits"), monday)))
	p.publish(l, "a", visit("x", monday+3, "w1", "/a"), visit("", monday+week, "w1", "/b"))
	p.publish(l, "b", visit("x", monday+4, "w1", "/a"))
	last := p.publish(l, "c", answer("x", monday, 1, 101))
	status, err = p.store.Status(p.Context())
	p.must(err)
	var lines []string
	for _, w := range status.Weeks {
		lines = append(lines, fmt.Sprintf("%s %+d: %d rows, newest %+d", w.Kind, (w.First-monday)/week, w.Rows, w.Newest-w.First))
		if w.Bytes == 0 {
			p.Errorf("%+v has no size", w)
		}
	}
	p.expect(strings.Join(lines, "; "), "answers +0: 1 rows, newest +0; visits +0: 1 rows, newest +4; visits +1: 1 rows, newest +0")
	p.expect(fmt.Sprint(status.Version, status.Inputs, status.Latest[0].Name, status.Latest[2].Name), fmt.Sprint(last.Version, 3, "c", "a"))
	if status.Replaced.Files == 0 || status.Replaced.Bytes == 0 || time.Until(status.Replaced.Free) > grace {
		p.Errorf("replaced: %+v", status.Replaced)
	}
}

func testAnswerKeys(p place) {
	l := p.loader()
	p.publish(l, "a", answer("a", monday, 1), answer("b", monday, 2))
	p.publish(l, "v", visit("", monday, "w", "/"))
	p.publish(l, "c", answer("c", monday, 3), answer("a", monday, 1))
	p.expect(p.read("concat(id, toString(answer_key))", facts.Answers), "a4 b2 c3")
}

func testTotals(p place) {
	l := p.loader()
	bot := visit("", monday+5, "w1", "/b")
	bot.Bot, bot.Origin = true, &facts.Origin{Platform: "openai", BotType: "gptbot"}
	p.publish(l, "a", visit("x", monday, "w1", "/a"), bot, visit("", monday+facts.DaySeconds, "w1", "/a"))
	p.publish(l, "b", visit("x", monday, "w1", "/c"), visit("", monday+3, "w1", "/c"))
	figures := "concat(toString(width), ':', toString(level), ' ', platform, '/', bot_type, ' ', toString(bot_visits), ' ', toString(human_visits), ' ', toString(all_pages))"
	p.expect(strings.TrimSpace(p.read("if(level in (0, 3), "+figures+", '')", facts.Totals)),
		"1:0 / 0 1 1 1:0 / 1 2 2 1:3 none/none 0 1 1 1:3 none/none 0 2 1 1:3 openai/gptbot 1 0 1 7:0 / 1 3 3 7:3 none/none 0 3 2 7:3 openai/gptbot 1 0 1")
}

func testTexts(p place) {
	l := p.loader()
	texts := []string{"'", `\`, "\x00", "\t\n", "ä€🚀", "?", "{x:String}", strings.Repeat("long", 5000), "\xff"}
	var rows []any
	for i, text := range texts {
		rows = append(rows, visit(text, monday+int64(i), "w", "/"+text))
	}
	p.publish(l, "a", rows...)
	set, err := p.follow().Acquire()
	p.must(err)
	defer set.Close()
	for _, text := range texts {
		found := 0
		p.must(set.Query(p.Context(), facts.Statement{
			SQL: "select url_path from " + set.Table(facts.Visits, nil, 0, 1<<40) + " where " + set.Within(facts.Visits, 0, 1<<40) + " and id = ?", Args: []any{text},
		}, func(scan facts.Scan) error {
			var got string
			err := scan(&got)
			found++
			p.expect(got, "/"+text)
			return err
		}))
		if found != 1 {
			p.Errorf("%q was found %d times", text, found)
		}
	}
}
