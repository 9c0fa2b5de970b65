package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
)

// The tests of what is counted beside the visits share two shards.
func TestTables(t *testing.T) {
	cluster := clickhousetest.Start(t, 2)
	for i, test := range []struct {
		name string
		run  func(place)
	}{
		{"directories and user agents are those of the visits", testDirectoriesAndAgents},
		{"busy pages are those with many visits in a week", testBusyPages},
		{"very many directories are counted slice by slice", testSlices},
		{"weeks of an earlier schema are counted by a migration", testCount},
		{"a migration that is interrupted goes on where it was", testCountInterrupted},
		{"a week without bots has its user agents, none, also after forgetting", testNoAgents},
		{"tables of totals stay in few versions", testFold},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(newPlace(t, cluster, fmt.Sprintf("tables%d", i))) })
	}
}

// bot is a visit of one.
func bot(second int64, website, path, agent string) *facts.Visit {
	v := visit("", second, website, path)
	v.Bot, v.Visitor, v.Origin, v.Agent = true, 0, &facts.Origin{Platform: "openai", BotType: "crawler"}, &facts.Agent{UserAgent: agent}
	return v
}

// in puts a visit into a directory.
func in(directory string, v *facts.Visit) *facts.Visit {
	v.URLPathDirectory = directory
	return v
}

// set is the facts as they are now.
func (p place) set() facts.Set {
	p.Helper()
	live, err := p.store.Follow(p.Context(), facts.Following{Poll: time.Minute, Hot: 1 << 20})
	p.must(err)
	p.Cleanup(func() { live.Close() })
	set, err := live.Acquire()
	p.must(err)
	p.Cleanup(set.Close)
	return set
}

const (
	directoryFigures = "concat(toString(width), ' ', website_id, ' ', url_path_directory, ' ', toString(bot_visits), '+', toString(human_visits), ' ', toString(unique_pages), '+', toString(unique_human_pages), ' ', toString(unique_human_visitors), ' ', toString(bot_user_agents), ';')"
	agentFigures     = "concat(toString(width), ' ', website_id, ' ', platform, ' ', bot_type, ' ', user_agent, ';')"
)

func testDirectoriesAndAgents(p place) {
	l := p.loader()
	replaced := in("/old/", visit("x", monday, "w1", "/old/a"))
	p.publish(l, "a", replaced, in("/d/", visit("", monday, "w1", "/d/a")), in("/d/", bot(monday+1, "w1", "/d/b", "one")), in("/d/", bot(monday+facts.DaySeconds, "w1", "/d/b", "two")))
	p.publish(l, "b", in("/d/", visit("x", monday, "w1", "/d/c")), in("/d/", bot(monday+2, "w2", "/d/b", "one")), in("/e/", bot(monday+2, "w2", "/e/", "one")))
	p.expect(p.read(directoryFigures, facts.DirectoryTotals), "1 w1 /d/ 1+0 1+0 0 1; 1 w1 /d/ 1+2 1+2 1 1; 1 w2 /d/ 1+0 1+0 0 1; 1 w2 /e/ 1+0 1+0 0 1; "+
		"7 w1 /d/ 2+2 1+2 1 2; 7 w2 /d/ 1+0 1+0 0 1; 7 w2 /e/ 1+0 1+0 0 1;")
	p.expect(p.read(agentFigures, facts.AgentTotals), "1 w1 openai crawler one; 1 w1 openai crawler two; 1 w2 openai crawler one; "+
		"7 w1 openai crawler one; 7 w1 openai crawler two; 7 w2 openai crawler one;")
}

func testBusyPages(p place) {
	before := facts.BusyVisits
	facts.BusyVisits = 3
	defer func() { facts.BusyVisits = before }()
	l := p.loader()
	p.publish(l, "a", visit("", monday, "w1", "/a"), bot(monday+1, "w1", "/a", "one"), visit("", monday, "w2", "/a"), visit("", monday, "w1", "/b"),
		visit("x", monday+2, "w1", "/c"), visit("", monday+3, "w1", "/c"), visit("", monday+4, "w1", "/c"),
		visit("", monday+6*facts.DaySeconds, "w1", "/d"), visit("", monday+7*facts.DaySeconds, "w1", "/d"), visit("", monday+7*facts.DaySeconds, "w1", "/d"))
	figures := "concat(toString(width), toString(level), ' ', website_id, normalized_url_path, ' ', platform, ' ', toString(bot_visits), '+', toString(human_visits), ' ', toString(bot_user_agents), ';')"
	p.expect(p.read(figures, facts.BusyPages), "10 w1/c  0+3 0; 11 w1/c none 0+3 0; 70 w1/c  0+3 0; 71 w1/c none 0+3 0;")
	p.publish(l, "b", visit("x", monday, "w1", "/b"), bot(monday+facts.DaySeconds, "w1", "/a", "two"))
	p.expect(p.read(figures, facts.BusyPages), "10 w1/a  1+0 1; 10 w1/a  1+1 1; 11 w1/a none 0+1 0; 11 w1/a openai 1+0 1; 11 w1/a openai 1+0 1; "+
		"70 w1/a  2+1 2; 71 w1/a none 0+1 0; 71 w1/a openai 2+0 2;")
}

func testSlices(p place) {
	before := valuesAtOnce
	defer func() { valuesAtOnce = before }()
	var rows []any
	for i := range 40 {
		rows = append(rows, in(fmt.Sprint("/", i/2, "/"), visit("", monday+int64(i%2), fmt.Sprint("w", i%4/2), fmt.Sprint("/", i/2, "/", i))))
	}
	l := p.loader()
	p.publish(l, "a", rows...)
	whole := p.read(directoryFigures, facts.DirectoryTotals)
	valuesAtOnce = 3
	p.publish(l, "b", visit("", monday+week, "w1", "/")) // other weeks stay
	counting := counting{Loader: l, weeks: make(map[int64][]edition)}
	now, err := l.current(p.Context(), l.shards[0])
	p.must(err)
	if n, err := counting.slices(p.Context(), totalsOf("directory_totals"), now.of(facts.KindVisits, monday, monday)); err != nil || n != 7 {
		p.Errorf("%d slices of 20 directories, three at once: %v", n, err)
	}
	p.publish(l, "c", in("/0/", visit("", monday+1, "w0", "/0/0")))
	sliced := p.read("if(bucket < "+fmt.Sprint(monday+week)+", "+directoryFigures+", '')", facts.DirectoryTotals)
	p.expect(strings.TrimSpace(sliced), strings.NewReplacer("1 w0 /0/ 0+2 0+2 1 0;", "1 w0 /0/ 0+3 0+2 1 0;", "7 w0 /0/ 0+2 0+2 1 0;", "7 w0 /0/ 0+3 0+2 1 0;").Replace(whole))
}

// earlier makes the database what the first schema would have.
func (p place) earlier() {
	p.Helper()
	db := p.store.Config.Database
	for _, s := range p.cluster.Servers {
		s.Query("alter table " + db + ".editions delete where kind in ('directory_totals', 'agent_totals')")
		for s.Query("select count() from system.mutations where is_done = 0 and database = '"+db+"'") != "0" {
			time.Sleep(10 * time.Millisecond)
		}
		for _, table := range []string{"directory_totals", "agent_totals"} {
			s.Query("drop table " + db + "." + table + "_all")
			s.Query("drop table " + db + "." + table)
		}
		s.Query("drop table " + db + ".migrations")
		s.Query("create table " + db + ".migrations (number UInt32, at DateTime default now()) engine = MergeTree partition by tuple() order by number")
		s.Query("insert into " + db + ".migrations (number) values (1)")
	}
}

// has says which of the tables a set has in three weeks.
func has(set facts.Set) (text string) {
	for i := range int64(3) {
		for _, t := range []facts.Table{facts.Totals, facts.DirectoryTotals, facts.AgentTotals} {
			if set.Has(t, monday+i*week, monday+(i+1)*week-1) {
				text += string(t[0])
			}
		}
		text += " "
	}
	return text
}

// threeWeeks publishes visits of three weeks.
func (p place) threeWeeks(l *Loader) {
	p.Helper()
	for i := range int64(3) {
		p.publish(l, fmt.Sprint(i), visit("", monday+i*week, "w1", "/a"), bot(monday+i*week, "w2", "/b", "one"), bot(monday+i*week+1, "w1", "/b", "one"))
	}
}

func testCount(p place) {
	l := p.loader()
	p.threeWeeks(l)
	p.must(l.Close())
	directories, agents := p.read(directoryFigures, facts.DirectoryTotals), p.read(agentFigures, facts.AgentTotals)
	visits, totals := p.read("url_path", facts.Visits), p.read("toString(all_pages)", facts.Totals)
	p.expect(has(p.set()), "tda tda tda ")
	p.earlier()
	_, err := p.store.Follow(p.Context(), facts.Following{Poll: time.Second})
	p.refusedWith(err, "schema 1 of 2", "sightline migrate")
	done, err := p.store.Migrate(p.Context())
	if err != nil || done.From != 1 || done.To != 2 {
		p.Errorf("%+v %v", done, err)
	}
	before := p.set()
	p.expect(has(before), "t t t ")
	p.publish(p.loader(), "more", visit("", monday+week, "w1", "/a")) // what a load touches, it counts
	p.expect(has(p.set()), "t tda t ")
	counted, err := p.store.Count(p.Context(), nil, func(int, int) {})
	if err != nil || counted.Weeks != 2 {
		p.Errorf("%+v %v", counted, err)
	}
	p.expect(has(p.set()), "tda tda tda ")
	p.expect(has(before), "t t t ")
	p.expect(p.readSet(before, "url_path", facts.Visits), visits)
	p.expect(p.readSet(before, "toString(all_pages)", facts.Totals), totals)
	p.expect(strings.ReplaceAll(p.read(directoryFigures, facts.DirectoryTotals), "1+2", "1+1"), directories)
	p.expect(p.read(agentFigures, facts.AgentTotals), agents)
	if again, err := p.store.Count(p.Context(), nil, func(int, int) {}); err != nil || again.Weeks != 0 {
		p.Errorf("a second time: %+v %v", again, err)
	}
}

func testCountInterrupted(p place) {
	before := rowsAtOnce
	defer func() { rowsAtOnce = before }()
	l := p.loader()
	p.threeWeeks(l)
	p.must(l.Close())
	agents := p.read(agentFigures, facts.AgentTotals)
	p.earlier()
	_, err := p.store.Migrate(p.Context())
	p.must(err)
	rowsAtOnce = 1
	ctx, cancel := context.WithCancel(p.Context())
	defer cancel()
	counted, err := p.store.Count(ctx, nil, func(done, all int) {
		if done == 1 && all == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || counted.Weeks != 1 {
		p.Errorf("interrupted: %+v %v", counted, err)
	}
	p.expect(has(p.set()), "t t tda ")
	// One that was killed while it wrote has left rows that are no edition's.
	dead := p.loader()
	for _, s := range dead.shards {
		p.must(s.exec(p.Context(), fmt.Sprintf("insert into %s (week, version, website_id, bucket, width, platform, bot_type, user_agent) select toInt64(%d), toUInt64(%d), 'w1', toInt64(%[2]d), toUInt8(1), 'x', 'x', 'x'",
			dead.local("agent_totals"), monday, dead.version)))
	}
	p.must(dead.Close())
	counted, err = p.store.Count(p.Context(), nil, func(int, int) {})
	if err != nil || counted.Weeks != 2 {
		p.Errorf("again: %+v %v", counted, err)
	}
	p.expect(has(p.set()), "tda tda tda ")
	p.expect(p.read(agentFigures, facts.AgentTotals), agents)
}

func testNoAgents(p place) {
	l := p.loader()
	p.publish(l, "a", visit("", monday, "w1", "/a"), bot(monday, "gone", "/", "one"), visit("", monday+week, "w1", "/a"))
	p.expect(has(p.set()), "tda tda tda ")
	_, err := l.Forget(p.Context(), facts.Whose{Websites: []string{"gone"}}, func(int, int) {})
	p.must(err)
	p.expect(has(p.set()), "tda tda tda ")
	p.expect(p.read(agentFigures, facts.AgentTotals), "")
	p.expect(p.read("concat(toString(width), website_id)", facts.DirectoryTotals), "1w1 1w1 7w1 7w1")
}

func testFold(p place) {
	l := p.loader()
	var rows []any
	for i := range int64(3 * mostTotals) {
		second := monday + i*week
		rows = append(rows, bot(second, "w1", "/", fmt.Sprint("agent", i)))
		p.publish(l, fmt.Sprint(i), rows[i])
	}
	now, err := l.current(p.Context(), l.shards[0])
	p.must(err)
	for _, t := range totalsTables {
		versions := make(map[int64]bool)
		for _, e := range now.editions {
			if e.kind == t.kind() {
				versions[e.version] = true
			}
		}
		if len(versions) > mostTotals {
			p.Errorf("%s is in %d versions", t.name, len(versions))
		}
	}
	whole := newPlace(p.T, p.cluster, p.store.Config.Database+"_whole")
	whole.publish(whole.loader(), "all", rows...)
	p.expect(p.read(directoryFigures, facts.DirectoryTotals), whole.read(directoryFigures, facts.DirectoryTotals))
	p.expect(p.read(agentFigures, facts.AgentTotals), whole.read(agentFigures, facts.AgentTotals))
}
