package clickhouse

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
)

// Two shards with two replicas each, through ZooKeeper.
func TestReplicas(t *testing.T) {
	cluster := clickhousetest.StartReplicas(t, 2, 2)
	for i, test := range []struct {
		name string
		run  func(place)
	}{
		{"what is published is on every replica at once", testOnEveryReplica},
		{"without one of each shard reports go on, and loads say which is missing", testReplicasDown},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(newPlace(t, cluster, fmt.Sprintf("replicas%d", i))) })
	}
}

// same holds what the two replicas of each shard have, each by itself, to each
// other, and what the shards have together to a number.
func (p place) same(what, table string, want int) {
	p.Helper()
	sum := 0
	for i, s := range p.cluster.Servers {
		n, err := strconv.Atoi(s.Query("select " + what + " from " + p.store.Config.Database + "." + table))
		p.must(err)
		sum += n
		if other := p.cluster.Servers[i^1]; i%2 == 1 {
			p.expect(fmt.Sprint(n), other.Query("select "+what+" from "+p.store.Config.Database+"."+table))
		}
	}
	if sum != 2*want {
		p.Errorf("the replicas have %d of %s, want twice %d", sum, table, want)
	}
}

// asking is the same place, to which one server alone answers for the cluster.
func (p place) asking(server int) place {
	p.store.Config.Addresses = p.store.Config.Addresses[server : server+1]
	return p
}

func testOnEveryReplica(p place) {
	l := p.loader()
	const loads = mostTotals + 1 // so that the first are written anew
	for i := range loads {
		p.publish(l, fmt.Sprint(i), visit("", monday+int64(i)*week, fmt.Sprint("w", i), "/"), visit("x", monday, "w1", fmt.Sprint("/", i)))
		p.same("max(version)", "publishes", i+1)
		p.same("uniqExact(version)", "editions", i+1)
	}
	p.same("count()", "staged_visits", 0)
	p.publish(l, "answers", answer("x", monday, 1, 101, 102), answer("y", monday, 2, 101), answer("z", monday, 3, 103))
	p.same("count()", "mentions", 4)
	for i := range p.cluster.Servers {
		p.expect(p.asking(i).read("url_path", facts.Visits), "/ / / / / /4")
		p.expect(p.asking(i).read("toString(product_id)", facts.Mentions), "101 101 102 103")
	}
}

// testReplicasDown stops the replica that has the lock of loads, then one of the
// other shard, too.
func testReplicasDown(p place) {
	load := func() error {
		l, err := p.store.OpenLoader(p.Context(), nil)
		if err == nil {
			err = l.Close()
		}
		return err
	}
	sites := func(id string) (rows []any) { // on both shards
		for i := range 8 {
			rows = append(rows, visit(fmt.Sprint(id, i), monday, fmt.Sprint("w", i), "/"+id))
		}
		return rows
	}
	a := strings.TrimSpace(strings.Repeat(" /a", 8))
	p.publish(p.loader(), "a", sites("a")...)
	for _, down := range []int{0, 3} {
		p.cluster.Servers[down].Kill()
		p.expect(p.read("url_path", facts.Visits), a)
		status, err := p.store.Status(p.Context())
		p.must(err)
		if status.Weeks[0].Rows != 8 || status.Weeks[0].Bytes == 0 {
			p.Errorf("status without server %d: %+v", down, status.Weeks[0])
		}
		if err := load(); err == nil || !strings.Contains(err.Error(), "a replica of shard 1 of 2") {
			p.Errorf("a load without server %d: %v", down, err)
		}
	}
	p.cluster.Servers[0].Start()
	if err := load(); err == nil || !strings.Contains(err.Error(), "a replica of shard 2 of 2") {
		p.Errorf("a load without the last server: %v", err)
	}
	p.cluster.Servers[3].Start()
	p.publish(p.loader(), "b", sites("b")...)
	p.same("count()", "visits", 16)
	for i := range p.cluster.Servers {
		p.expect(p.asking(i).read("url_path", facts.Visits), a+strings.Repeat(" /b", 8))
	}
	testReplaceAnswers(p)
}

func TestReplicasNeedNamesOfTheirOwn(t *testing.T) {
	named := func(shard, replica string) server {
		return named{macros: [][2]string{{"shard", shard}, {"replica", replica}}}
	}
	for _, c := range []struct {
		name    string
		cluster cluster
		want    string // of the error
	}{
		{"two shards of two", cluster{{named("1", "a"), named("1", "b")}, {named("2", "a"), named("2", "b")}}, ""},
		{"no replicas, no names", cluster{{named("", "")}, {named("", "")}}, ""},
		{"no names", cluster{{named("", ""), named("", "")}}, "no macros"},
		{"two with one name", cluster{{named("1", "a"), named("1", "a")}}, "like another one"},
		{"two shards with one name", cluster{{named("1", "a"), named("1", "b")}, {named("1", "c"), named("1", "d")}}, "like another one"},
		{"one shard with two names", cluster{{named("1", "a"), named("2", "b")}}, "must be the same"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.cluster.checkMacros(t.Context())
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// named is a server that knows its macros, and nothing else.
type named struct {
	server
	macros [][2]string
}

func (named) String() string { return "server" }

func (n named) query(_ context.Context, _ string, row func(facts.Scan) error, _ ...string) error {
	for _, m := range n.macros {
		err := row(func(into ...any) error {
			*into[0].(*string), *into[1].(*string) = m[0], m[1]
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
