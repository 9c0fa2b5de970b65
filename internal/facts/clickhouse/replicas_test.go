package clickhouse

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
)

// One shard with two replicas, through ZooKeeper.
func TestReplicas(t *testing.T) {
	cluster := clickhousetest.StartReplicas(t, 1, 2)
	for i, test := range []struct {
		name string
		run  func(place)
	}{
		{"mentions and citations of replaced answers are gone", testReplaceAnswers},
		{"what is published is on every replica at once", testOnEveryReplica},
		{"without one of them reports go on, and loads say which is missing", testReplicaDown},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(newPlace(t, cluster, fmt.Sprintf("replicas%d", i))) })
	}
}

// same holds what both replicas have, each by itself, to each other.
func (p place) same(what, table, want string) {
	p.Helper()
	for i, s := range p.cluster.Servers {
		if got := s.Query("select " + what + " from " + p.store.Config.Database + "." + table); got != want {
			p.Errorf("replica %d has %s %s, want %s", i+1, got, table, want)
		}
	}
}

func testOnEveryReplica(p place) {
	l := p.loader()
	for i := range 6 {
		p.publish(l, fmt.Sprint(i), visit("", monday+int64(i)*week, "w1", "/"), visit("x", monday, "w1", fmt.Sprint("/", i)))
		p.same("max(version)", "publishes", fmt.Sprint(i+1))
		p.same("uniqExact(version)", "editions", fmt.Sprint(i+1))
	}
	p.expect(p.read("url_path", facts.Visits), "/ / / / / / /5")
	p.same("count()", "staged_visits", "0")
	p.publish(l, "answers", answer("x", monday, 1, 101, 102))
	p.same("count()", "mentions", "2")
}

func testReplicaDown(p place) {
	load := func() error {
		l, err := p.store.OpenLoader(p.Context(), nil)
		if err == nil {
			err = l.Close()
		}
		return err
	}
	p.publish(p.loader(), "a", visit("", monday, "w1", "/a"))
	for i, s := range p.cluster.Servers {
		s.Kill()
		p.expect(p.read("url_path", facts.Visits), "/a"+strings.Repeat(" /b", i))
		status, err := p.store.Status(p.Context())
		p.must(err)
		if status.Weeks[0].Rows != int64(i+1) || status.Weeks[0].Bytes == 0 {
			p.Errorf("status without replica %d: %+v", i+1, status.Weeks[0])
		}
		if err := load(); err == nil || !strings.Contains(err.Error(), "a replica of shard 1 of 1") {
			p.Errorf("a load without replica %d: %v", i+1, err)
		}
		s.Start()
		p.publish(p.loader(), fmt.Sprint("b", i), visit("b", monday, "w1", "/b"))
		p.same("max(version)", "publishes", fmt.Sprint(i+2))
	}
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
