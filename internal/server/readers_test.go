package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

// after is facts that give rows of a page, then do what a test wants.
type after struct {
	rows
	then func() error
}

func (a after) Acquire() (facts.Set, error) { return a, nil }
func (a after) Again() facts.Set            { return a }
func (a after) Query(ctx context.Context, s facts.Statement, each func(facts.Scan) error) error {
	err := a.rows.Query(ctx, s, each)
	if err != nil && strings.Contains(err.Error(), "on fire") {
		return a.then()
	}
	return err
}

const everything = "/v1/products/101/analytics/timeseries?groupBy[]=urlPath&perPage=1000000&" + march

func TestAPanicInTheMiddleOfAnAnswerCutsIt(t *testing.T) {
	for _, accept := range []string{"", csv} {
		f := serve(t, func(s *server.Server) {
			s.Reports = &report.Reports{Facts: after{rows{some: 100_000}, func() error { panic("engine on fire") }}}
		})
		req, err := http.NewRequest("GET", f.URL+everything, nil)
		check(t, err)
		req.Header.Set("Authorization", "Bearer "+f.key)
		req.Header.Set("Accept", accept)
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		if log := f.logged(); err == nil || !strings.Contains(log, "engine on fire") || !strings.Contains(log, "status=500") {
			t.Errorf("%q was taken for a whole answer: %v\n%s", accept, err, log)
		}
	}
}

// A reader that takes nothing keeps neither a place nor the facts.
func TestASlowReaderKeepsNothingFromOthers(t *testing.T) {
	const many = 300_000 // more than connections and memory hold
	var users atomic.Int64
	source := counted{after{rows{some: many}, func() error { return nil }}, &users}
	f := serve(t, func(s *server.Server) {
		s.Queries, s.Queue, s.Patience = 1, 1, time.Second
		s.Reports = &report.Reports{Facts: source}
	})
	before := goleak.IgnoreCurrent()
	conn, err := net.Dial("tcp", strings.TrimPrefix(f.URL, "http://"))
	check(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", everything, f.key)
	check(t, err)
	first := make([]byte, 16)
	_, err = io.ReadFull(conn, first)
	check(t, err)
	for deadline := time.Now().Add(20 * time.Second); users.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the facts are still held")
		}
	}
	if status, err := askAs(http.DefaultClient, f, summary); status != 200 {
		t.Errorf("another caller: %d %v", status, err)
	}
	res, err := http.ReadResponse(bufio.NewReader(io.MultiReader(strings.NewReader(string(first)), conn)), nil)
	check(t, err)
	body, err := io.ReadAll(res.Body)
	if n := strings.Count(string(body), `"timestamp"`); err != nil || n != many || !strings.HasSuffix(string(body), "]}\n") {
		t.Errorf("the slow reader got %d rows, %v", n, err)
	}
	http.DefaultClient.CloseIdleConnections()
	conn.Close()
	f.Close()
	goleak.VerifyNone(t, before)
}

// counted is facts that know how many users they have.
type counted struct {
	after
	users *atomic.Int64
}

func (c counted) Acquire() (facts.Set, error) { return c.Again(), nil }
func (c counted) Again() facts.Set            { c.users.Add(1); return c }
func (c counted) Close()                      { c.users.Add(-1) }
