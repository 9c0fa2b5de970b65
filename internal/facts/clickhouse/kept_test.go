package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// The tests of what is kept at hand share two shards.
func TestKept(t *testing.T) {
	cluster := clickhousetest.Start(t, 2)
	for i, test := range []struct {
		name string
		run  func(place)
	}{
		{"what is missing is read by one statement, and then at hand", testKeptOnce},
		{"what is kept is what is there, whatever is loaded, forgotten and pruned", testKeptRight},
		{"a user agent is the same on all websites", testKeptAgents},
		{"a request that holds too much is left to SQL", testKeptBounds},
		{"nothing is kept where there is no room", testKeptNoRoom},
		{"facts that went back to an earlier version are read anew", testKeptBack},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(newPlace(t, cluster, fmt.Sprintf("kept%d", i))) })
	}
}

// counter is a server that counts what it is asked.
type counter struct {
	server
	asked *atomic.Int64
}

func (c counter) query(ctx context.Context, sql string, row func(facts.Scan) error, settings ...string) error {
	c.asked.Add(1)
	return c.server.query(ctx, sql, row, settings...)
}

// counted follows the facts as they are now, and counts the statements.
func (p place) counted(hot int64) (*Live, *atomic.Int64) {
	p.Helper()
	live, err := p.store.Follow(p.Context(), facts.Following{Poll: time.Hour, Hot: hot})
	p.must(err)
	p.Cleanup(func() { live.Close() })
	asked := new(atomic.Int64)
	entries := live.(*Live).entries
	for i, s := range entries.servers {
		entries.servers[i] = counter{s, asked}
	}
	return live.(*Live), asked
}

// acquire pins the facts until the test ends.
func (p place) acquire(live facts.Live) facts.Set {
	p.Helper()
	set, err := live.Acquire()
	p.must(err)
	p.Cleanup(set.Close)
	return set
}

// given is all that a reader gives of websites without SQL.
func (p place) given(set facts.Set, first, last int64, websites ...string) string {
	p.Helper()
	reader := set.(facts.Reader)
	var all []string
	for _, q := range []facts.TotalsQuery{{Table: facts.Totals, Width: 1, Level: 3}, {Table: facts.Totals, Width: 7}, {Table: facts.DirectoryTotals, Width: 7}} {
		q.WebsiteIDs, q.First, q.Last = websites, facts.Week(first), last
		p.must(reader.Totals(p.Context(), q, func(r *facts.TotalsRow) {
			all = append(all, fmt.Sprint(q.Table, q.Width, " ", (r.Bucket-monday)/facts.DaySeconds, r.Platform, r.BotType, r.Path, r.Figures))
		}))
	}
	q := facts.TotalsQuery{Table: facts.AgentTotals, Width: 7, WebsiteIDs: websites, First: facts.Week(first), Last: last}
	p.must(reader.Agents(p.Context(), q, func(r *facts.AgentsRow) {
		all = append(all, fmt.Sprint("agents ", (r.Bucket-monday)/facts.DaySeconds, r.Platform, r.BotType, len(r.Agents)))
	}))
	few, err := reader.Few(p.Context(), facts.VisitQuery{WebsiteIDs: websites, First: first, Last: last, Bots: true, Humans: true}, func(v *facts.SeenVisit) {
		all = append(all, fmt.Sprint(websites[v.Website], " ", v.Second-monday, v.Bot, v.Referred, v.Visitor, *v.Origin, *v.Page))
	})
	if p.must(err); !few {
		all = append(all, "many")
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// visitsOf picks the pages of visits from what was given.
func visitsOf(given string) (paths string) {
	for line := range strings.Lines(given) {
		if at := strings.Index(line, "{/"); at >= 0 {
			paths += strings.Fields(line[at+1:])[0] + " "
		}
	}
	return paths
}

func testKeptOnce(p place) {
	l := p.loader()
	p.threeWeeks(l)
	live, asked := p.counted(1 << 20)
	set := p.acquire(live)
	first := p.given(set, monday+week, monday+2*week-1, "w1")
	if n := asked.Load(); n != 5 { // three times totals, user agents and visits
		p.Errorf("%d statements for a week of a website", n)
	}
	p.expect(visitsOf(first), "/a /b ")
	asked.Store(0)
	all := p.given(set, monday, monday+3*week-1, "w1", "w2")
	if n := asked.Load(); n != 5 {
		p.Errorf("%d statements for three weeks of two websites, of which one of one is at hand", n)
	}
	p.expect(visitsOf(all), "/a /b /a /b /a /b /b /b /b ")
	asked.Store(0)
	for range 2 {
		p.expect(p.given(set, monday, monday+3*week-1, "w1", "w2"), all)
		p.expect(p.given(set, monday+week, monday+2*week-1, "w1"), first)
	}
	if n := asked.Load(); n != 0 {
		p.Errorf("%d statements for what is at hand", n)
	}
}

func testKeptRight(p place) {
	l := p.loader()
	live, _ := p.counted(1 << 20)
	step := func(name, want string) {
		p.Helper()
		p.must(live.update(p.Context()))
		warm := p.given(p.acquire(live), monday, monday+2*week-1, "w1", "w2")
		cold, _ := p.counted(0)
		p.expect(warm, p.given(p.acquire(cold), monday, monday+2*week-1, "w1", "w2"))
		paths := strings.Fields(visitsOf(warm))
		slices.Sort(paths)
		if got := strings.Join(paths, " "); got != want {
			p.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	p.publish(l, "a", visit("x", monday, "w1", "/old"), bot(monday+1, "w1", "/bot", "one"), bot(monday+1, "w2", "/bot2", "one"), visit("", monday+week, "w1", "/next"))
	step("loaded", "/bot /bot2 /next /old")
	p.publish(l, "b", visit("x", monday+week, "w2", "/new"))
	step("replaced by its id, in another week and website", "/bot /bot2 /new /next")
	p.publish(l, "c", bot(monday, "w1", "/more", "two"))
	step("more of a week", "/bot /bot2 /more /new /next")
	_, err := l.Forget(p.Context(), facts.Whose{Websites: []string{"w2"}}, func(int, int) {})
	p.must(err)
	step("forgotten", "/bot /more /next")
	_, err = l.Prune(p.Context(), time.Unix(monday+week, 0), func(int, int) {})
	p.must(err)
	step("pruned", "/next")
}

// Websites are on different shards and read at different times; what counts their
// user agents together must know them again.
func testKeptAgents(p place) {
	var rows []any
	for i := range int64(6) {
		for _, agent := range []string{"one", "two", fmt.Sprint("own ", i)} {
			rows = append(rows, bot(monday+i, fmt.Sprint("w", i), "/", agent))
		}
	}
	p.publish(p.loader(), "a", rows...)
	live, _ := p.counted(1 << 20)
	set := p.acquire(live)
	count := func(websites ...string) string {
		q := facts.TotalsQuery{Table: facts.AgentTotals, Width: 7, WebsiteIDs: websites, First: monday, Last: monday}
		var counted, seen facts.Bits
		p.must(set.(facts.Reader).Agents(p.Context(), q, func(r *facts.AgentsRow) {
			for _, n := range r.Agents {
				counted.Add(int(n))
			}
		}))
		few, err := set.(facts.Reader).Few(p.Context(), facts.VisitQuery{WebsiteIDs: websites, First: monday, Last: monday + week - 1, Bots: true},
			func(v *facts.SeenVisit) { seen.Add(int(v.Agent)) })
		if p.must(err); !few {
			p.Error("they are many")
		}
		return fmt.Sprint(counted.Count(), seen.Count())
	}
	p.expect(count("w3"), "3 3")
	p.expect(count("w1", "w5"), "4 4")
	p.expect(count("w0", "w1", "w2", "w3", "w4", "w5"), "8 8")
}

func testKeptBounds(p place) {
	before := kept.Bounds
	defer func() { kept.Bounds = before }()
	var rows []any
	for i := range int64(6) {
		rows = append(rows, in(fmt.Sprint("/", i, "/"), bot(monday+i*facts.DaySeconds, "w", fmt.Sprint("/", i, "/"), fmt.Sprint("agent ", i))))
	}
	p.publish(p.loader(), "a", append(rows, visit("", monday+2*week, "w", "/"))...)
	live, asked := p.counted(1 << 20)
	set := p.acquire(live)
	read := func(table facts.Table, last int64) string {
		q, n := facts.TotalsQuery{Table: table, Width: 1, WebsiteIDs: []string{"w"}, First: monday, Last: last}, 0
		var err error
		if table == facts.AgentTotals {
			err = set.(facts.Reader).Agents(p.Context(), q, func(*facts.AgentsRow) { n++ })
		} else {
			err = set.(facts.Reader).Totals(p.Context(), q, func(*facts.TotalsRow) { n++ })
		}
		switch {
		case errors.Is(err, facts.ErrTooMany) && n > 0:
			return "some of too many"
		case err != nil:
			return err.Error()
		}
		return fmt.Sprint(n)
	}
	for _, table := range []facts.Table{facts.Totals, facts.DirectoryTotals, facts.AgentTotals} {
		kept.Bounds.Totals, kept.Bounds.Directories, kept.Bounds.Agents = 5, 5, 5
		for range 2 { // read, and known
			p.expect(read(table, monday+week-1), facts.ErrTooMany.Error())
		}
		if n := asked.Swap(0); n != 1 {
			p.Errorf("%d statements to find out twice that %s has too many", n, table)
		}
		kept.Bounds.Totals, kept.Bounds.Directories, kept.Bounds.Agents = 6, 6, 6
		want := facts.ErrTooMany.Error() // six in a week, and one in another
		if table == facts.AgentTotals {
			want = "6"
		}
		p.expect(read(table, monday+3*week), want)
		asked.Store(0)
	}
	kept.Bounds = before
	p.expect(p.given(set, monday+2*week, monday+3*week, "w"), p.given(p.set(), monday+2*week, monday+3*week, "w"))
}

func testKeptNoRoom(p place) {
	p.threeWeeks(p.loader())
	without, asked := p.counted(0)
	with, _ := p.counted(1 << 20)
	for range 2 {
		asked.Store(0)
		p.expect(p.given(p.acquire(without), monday, monday+3*week, "w1"), p.given(p.acquire(with), monday, monday+3*week, "w1"))
		if asked.Load() == 0 {
			p.Error("something is kept")
		}
	}
	if without.memory.Cost() != 0 || with.memory.Cost() == 0 {
		p.Errorf("kept %d bytes without room, %d with", without.memory.Cost(), with.memory.Cost())
	}
}

func testKeptBack(p place) {
	l := p.loader()
	p.publish(l, "a", visit("", monday, "w1", "/a"))
	last := p.publish(l, "b", visit("", monday, "w1", "/b"))
	live, _ := p.counted(1 << 20)
	p.expect(visitsOf(p.given(p.acquire(live), monday, monday+week, "w1")), "/a /b ")
	first, db := p.cluster.Servers[0], p.store.Config.Database
	first.Query(fmt.Sprintf("alter table %s.publishes delete where version = %d", db, last.Version))
	for first.Query("select count() from system.mutations where is_done = 0 and database = '"+db+"'") != "0" {
		time.Sleep(10 * time.Millisecond)
	}
	live.moved = time.Time{}
	p.must(live.update(p.Context()))
	if live.memory.Cost() != 0 {
		p.Error("what is kept of a version that is gone may be taken for another's")
	}
	p.expect(visitsOf(p.given(p.acquire(live), monday, monday+week, "w1")), "/a ")
}
