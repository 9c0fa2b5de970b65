package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

// endless is a real engine that has to work for hours on every question.
type endless struct {
	facts.Source
	running *atomic.Int64
}

type endlessSet struct {
	facts.Set
	running *atomic.Int64
}

func (e endless) Acquire() (facts.Set, error) {
	set, err := e.Source.Acquire()
	return endlessSet{set, e.running}, err
}

func (s endlessSet) Again() facts.Set { return endlessSet{s.Set.Again(), s.running} }

func (s endlessSet) Query(ctx context.Context, _ facts.Statement, _ func(facts.Scan) error) error {
	s.running.Add(1)
	defer s.running.Add(-1)
	var sum facts.Int
	return s.Set.Query(ctx, facts.Statement{SQL: "select sum((a.range * b.range) % 7)::bigint from range(10000000) a, range(10000000) b"},
		func(scan facts.Scan) error { return scan(&sum) })
}

// 1,000 callers who leave in the middle of their question leave nothing behind:
// no query in the engine, no place taken, no goroutine.
func TestCallersWhoLeaveTakeTheirQueriesAlong(t *testing.T) {
	const callers = 1000 / slowdown
	var running atomic.Int64
	var s *server.Server
	f := serve(t, func(one *server.Server) {
		s = one
		one.Queries, one.Queue, one.Patience, one.Timeout = 2, callers, time.Minute, time.Minute
		one.Reports = &report.Reports{Facts: endless{one.Reports.Facts, &running}}
	})
	before := goleak.IgnoreCurrent()
	connections := make([]net.Conn, callers)
	for i := range connections {
		conn, err := net.Dial("tcp", strings.TrimPrefix(f.URL, "http://"))
		check(t, err)
		connections[i] = conn
		path := fmt.Sprintf("%s&platforms[]=%d", summary, i)
		if i%2 == 1 { // a page that would be streamed
			path = fmt.Sprintf("/v1/products/101/analytics/timeseries?%s&groupBy[]=urlPath&perPage=20000&platforms[]=%d", march, i)
		}
		_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", path, f.key)
		check(t, err)
	}
	await(t, "all are there", func() bool {
		now := s.Figures()
		return now.Running == 2 && now.Waiting == callers-2 && running.Load() == 2
	})
	started := time.Now()
	for _, conn := range connections {
		conn.Close()
	}
	await(t, "all are gone", func() bool {
		now := s.Figures()
		return now.Running == 0 && now.Waiting == 0 && running.Load() == 0
	})
	t.Logf("gone %s after the last caller", time.Since(started).Round(time.Millisecond))
	// The engine's own threads rest.
	used := busy(t)
	time.Sleep(300 * time.Millisecond)
	if more := busy(t) - used; more > 150*time.Millisecond {
		t.Errorf("something worked for %s in 300 ms", more)
	}
	f.Close()
	goleak.VerifyNone(t, before)
	if log := f.log.String(); strings.Contains(log, "level=ERROR") || !strings.Contains(log, "status=499") {
		t.Errorf("callers who left are failures: %.300s", log)
	}
}

// busy is how long the processors have worked for this process.
func busy(t *testing.T) time.Duration {
	t.Helper()
	var use syscall.Rusage
	check(t, syscall.Getrusage(syscall.RUSAGE_SELF, &use))
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// A stream whose reader leaves ends, too.
func TestAReaderWhoLeavesEndsTheStream(t *testing.T) {
	var users atomic.Int64
	source := counted{after{rows{some: 3_000_000 / slowdown}, func() error { return nil }}, &users}
	var s *server.Server
	f := serve(t, func(one *server.Server) {
		s = one
		one.Reports = &report.Reports{Facts: source}
	})
	before := goleak.IgnoreCurrent()
	for range 5 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(f.URL, "http://"))
		check(t, err)
		_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", everything, f.key)
		check(t, err)
		_, err = io.ReadFull(conn, make([]byte, 1000))
		check(t, err)
		conn.Close()
	}
	await(t, "all are gone", func() bool { return users.Load() == 0 && s.Figures().Running == 0 })
	f.Close()
	goleak.VerifyNone(t, before)
}
