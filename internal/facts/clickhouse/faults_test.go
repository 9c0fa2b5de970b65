package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/clickhouse/clickhousetest"
)

func TestFaults(t *testing.T) {
	cluster := clickhousetest.Start(t, 2)
	for i, test := range []struct {
		name string
		run  func(place)
	}{
		{"two loads take turns", testTurns},
		{"a load that is taken for dead cannot publish", testFenced},
		{"loads that begin at the same moment take different versions", testRush},
		{"a newer schema is refused", testNewer},
		{"another number of shards is refused", testShards},
		{"a query past its deadline stops on the server", testStops},
		{"queries that wait for a server that hangs hold up no others", testHangs},
		{"a query cannot write", testReadOnly},
		{"another server answers for one that is down", testFailover},
		{"a load fails while a shard is down, and changes nothing", testShardDown},
		{"a shard that goes down during a load fails it, and changes nothing", testShardGoesDown},
		{"facts that nothing was heard of for long are not answered from", testUnheard},
		{"a wrong password is no secret, but itself", testWrongPassword},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(newPlace(t, cluster, fmt.Sprintf("faults%d", i))) })
	}
	t.Run("tables that are not there are refused", func(t *testing.T) { testUnmigrated(database(t, cluster, "unmigrated")) })
}

// refusedWith expects an error with some words.
func (p place) refusedWith(err error, words ...string) {
	p.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			p.Errorf("%v, want %q", err, w)
		}
	}
}

func testUnmigrated(p place) {
	_, err := p.store.OpenLoader(p.Context(), nil)
	p.refusedWith(err, "has no tables for facts yet", "sightline migrate")
	_, err = p.store.Follow(p.Context(), facts.Following{Poll: time.Second})
	p.refusedWith(err, "has no tables for facts yet")
	_, err = p.store.Status(p.Context())
	p.refusedWith(err, "has no tables for facts yet")
	for i := range 2 { // the second time, there is nothing to do
		done, err := p.store.Migrate(p.Context())
		if err != nil || (done.From == done.To) != (i == 1) || len(done.Servers) != 2 {
			p.Errorf("%+v %v", done, err)
		}
	}
	p.publish(p.loader(), "a", visit("", monday, "w", "/"))
}

func testNewer(p place) {
	for _, s := range p.cluster.Servers {
		s.Query("insert into " + p.store.Config.Database + ".migrations (number) values (99)")
	}
	_, err := p.store.OpenLoader(p.Context(), nil)
	p.refusedWith(err, "schema 99", "newer sightline")
	_, err = p.store.Follow(p.Context(), facts.Following{Poll: time.Second})
	p.refusedWith(err, "schema 99")
	_, err = p.store.Migrate(p.Context())
	p.refusedWith(err, "schema 99")
}

func testTurns(p place) {
	first := p.loader()
	told := make(chan string, 1)
	second := make(chan error, 1)
	go func() {
		l, err := p.store.OpenLoader(p.Context(), func(who string) { told <- who })
		if err == nil {
			p.publish(l.(*Loader), "b", visit("", monday, "w", "/b"))
			err = l.Close()
		}
		second <- err
	}()
	if who := <-told; !strings.HasPrefix(who, "process ") {
		p.Errorf("waiting for %q", who)
	}
	p.publish(first, "a", visit("", monday, "w", "/a"))
	p.must(first.Close())
	p.must(<-second)
	p.expect(p.read("url_path", facts.Visits), "/a /b")
	ctx, cancel := context.WithTimeout(p.Context(), 300*time.Millisecond)
	defer cancel()
	p.loader()
	if _, err := p.store.OpenLoader(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		p.Errorf("a load that gives up waiting: %v", err)
	}
}

func testFenced(p place) {
	dead := p.loader()
	load := p.begin(dead, visit("", monday, "w", "/dead"))
	dead.stopBeats() // it hangs, and says nothing any more
	p.cluster.Servers[0].Query(fmt.Sprintf("insert into %s.claims (version, host, process, at) select %d, 'elsewhere', 1, now() - 100", p.store.Config.Database, dead.version))
	p.cluster.Servers[0].Query("alter table " + p.store.Config.Database + ".claims delete where host != 'elsewhere'")
	for p.cluster.Servers[0].Query("select count() from system.mutations where is_done = 0 and database = '"+p.store.Config.Database+"'") != "0" {
		time.Sleep(10 * time.Millisecond)
	}
	p.publish(p.loader(), "a", visit("", monday, "w", "/alive"))
	_, err := load.Publish(p.Context(), []facts.Input{{Kind: facts.KindVisits, SHA256: "dead"}})
	p.refusedWith(err, "took this one for dead")
	p.expect(p.read("url_path", facts.Visits), "/alive")
	p.must(load.Abort())
	inputs, err := dead.Inputs(p.Context(), facts.KindVisits)
	if err != nil || len(inputs) != 1 {
		p.Errorf("%v %v", inputs, err)
	}
}

func testRush(p place) {
	const loads = 5
	ended := make(chan int64, loads)
	for i := range loads {
		go func() {
			l, err := p.store.OpenLoader(p.Context(), nil)
			if err != nil {
				p.Error(err)
				ended <- 0
				return
			}
			done := p.publish(l.(*Loader), fmt.Sprint(i), visit("", monday, "w", "/"))
			p.must(l.Close())
			ended <- done.Version
		}()
	}
	seen := make(map[int64]bool)
	for range loads {
		seen[<-ended] = true
	}
	if len(seen) != loads {
		p.Errorf("versions %v", seen)
	}
	p.expect(p.read("toString(count())", facts.Visits), fmt.Sprint(loads))
}

func testShards(p place) {
	p.publish(p.loader(), "a", visit("", monday, "w", "/"))
	p.cluster.Servers[0].Query("insert into " + p.store.Config.Database + ".publishes (version, shards) select 0, 3")
	_, err := p.store.OpenLoader(p.Context(), nil)
	p.refusedWith(err, "3 shards", "has 2")
}

// slow is a query that takes long and gives a row only at its end.
const slow = "select count(*) from numbers(100000000000) where not ignore(number)"

func testStops(p place) {
	set, err := p.follow().Acquire()
	p.must(err)
	defer set.Close()
	running := func() int64 {
		var all int64
		for _, s := range p.cluster.Servers {
			var n int64
			fmt.Sscan(s.Query("select count() from system.processes where query like '%ignore(number)%' and query not like '%processes%'"), &n)
			all += n
		}
		return all
	}
	for name, stop := range map[string]func(ctx context.Context) (context.Context, context.CancelFunc){
		"a deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 300*time.Millisecond)
		},
		"a cancelled context": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(300*time.Millisecond, cancel)
			return ctx, cancel
		},
	} {
		ctx, cancel := stop(p.Context())
		started := time.Now()
		err := set.Query(ctx, facts.Statement{SQL: slow}, func(facts.Scan) error { return nil })
		if took := time.Since(started); err == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err()) || took > 3*time.Second {
			p.Errorf("%s: %v after %s", name, err, took)
		}
		cancel()
		for deadline := time.Now().Add(5 * time.Second); running() > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				p.Fatalf("%s: it still runs on the server", name)
			}
		}
	}
}

func testHangs(p place) {
	one, err := p.store.Config.open(p.store.Config.Addresses[0])
	p.must(err)
	defer one.close()
	second := p.cluster.Servers[1]
	time.AfterFunc(200*time.Millisecond, second.Pause)
	defer second.Resume()
	var waiting sync.WaitGroup
	for range 4 {
		waiting.Go(func() {
			ctx, cancel := context.WithTimeout(p.Context(), time.Second)
			defer cancel()
			query := "select sleep(3) from cluster(" + p.store.Config.Cluster + ", system, one)"
			if err := one.query(ctx, query, func(facts.Scan) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
				p.Errorf("%v", err)
			}
		})
	}
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		started := time.Now()
		_, err := scalar(p.Context(), one, "select 1")
		p.must(err)
		if took := time.Since(started); took > 500*time.Millisecond {
			p.Errorf("another query took %s", took)
		}
	}
	waiting.Wait()
}

func testReadOnly(p place) {
	set, err := p.follow().Acquire()
	p.must(err)
	defer set.Close()
	err = set.Query(p.Context(), facts.Statement{SQL: "drop table " + p.store.Config.Database + ".visits -- "}, func(facts.Scan) error { return nil })
	if err == nil {
		p.Error("a table was dropped")
	}
	p.expect(p.read("toString(count())", facts.Visits), "0")
}

func testFailover(p place) {
	p.publish(p.loader(), "a", visit("", monday, "w", "/a"))
	config := p.store.Config
	config.Addresses = append([]string{"127.0.0.1:1"}, config.Addresses...)
	live, err := (Store{Config: config}).Follow(p.Context(), facts.Following{Poll: 5 * time.Millisecond})
	p.must(err)
	defer live.Close()
	set, err := live.Acquire()
	p.must(err)
	defer set.Close()
	for range 5 {
		p.expect(p.readSet(set, "url_path", facts.Visits), "/a")
	}
}

func testShardDown(p place) {
	p.publish(p.loader(), "a", visit("", monday, "w", "/a"))
	p.cluster.Servers[1].Stop()
	_, err := p.store.OpenLoader(p.Context(), nil)
	p.refusedWith(err, "shard 2 of 2 of the cluster shards is down", "127.0.0.1")
	if strings.Contains(err.Error(), clickhousetest.Password) {
		p.Errorf("the password shows: %v", err)
	}
	p.cluster.Servers[1].Start()
	p.expect(p.read("url_path", facts.Visits), "/a")
}

func testShardGoesDown(p place) {
	l := p.loader()
	p.publish(l, "a", visit("x", monday, "w", "/a"))
	var rows []any
	for i := range 20 {
		rows = append(rows, visit("", monday, fmt.Sprint("w", i), "/b"))
	}
	load := p.begin(l, append(rows, visit("x", monday, "w", "/c"))...)
	p.cluster.Servers[1].Stop()
	_, err := load.Publish(p.Context(), []facts.Input{{Kind: facts.KindVisits, SHA256: "b"}})
	if err == nil {
		p.Error("it was published")
	}
	p.must(load.Abort())
	p.cluster.Servers[1].Start()
	p.expect(p.read("url_path", facts.Visits), "/a")
	p.must(l.Close())
	p.publish(p.loader(), "b", rows...)
	p.expect(p.read("toString(count())", facts.Visits), "21")
}

func testUnheard(p place) {
	live := p.follow().(*Live)
	live.End()
	live.seen = time.Now().Add(-tooOld - time.Second)
	_, err := live.Acquire()
	p.refusedWith(err, "nothing was heard of the facts")
	live.seen = time.Now()
	set, err := live.Acquire()
	p.must(err)
	defer set.Close()
	set.(*pinned).seen = time.Now().Add(-grace)
	p.refusedWith(set.Query(p.Context(), facts.Statement{SQL: "select 1"}, func(facts.Scan) error { return nil }), "may be gone")
}

// pinned is the type set, where a variable has its name.
type pinned = set

func testWrongPassword(p place) {
	config := p.store.Config
	config.Password = "wr0ng"
	_, err := (Store{Config: config}).OpenLoader(p.Context(), nil)
	p.refusedWith(err, "127.0.0.1")
	if err == nil || strings.Contains(err.Error(), "wr0ng") {
		p.Errorf("%v", err)
	}
}
