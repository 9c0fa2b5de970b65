package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

var quiet = slog.New(slog.DiscardHandler)

// behind is a handler behind a real port.
type behind struct {
	address     string
	connections *server.Connections
	stop        func() error // ends it, and waits
}

func put(t *testing.T, handler http.Handler, change func(*server.Serving)) *behind {
	t.Helper()
	l, err := server.Listen("127.0.0.1:0", "--listen")
	check(t, err)
	s := server.Serving{Handler: handler, Log: quiet, Answer: 10 * time.Second, Drain: 10 * time.Second, Connections: &server.Connections{}}
	if change != nil {
		change(&s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l, s) }()
	stop := sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { stop() })
	return &behind{l.Addr().String(), s.Connections, stop}
}

// dial opens a connection and sends some text.
func (b *behind) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", b.address)
	check(t, err)
	t.Cleanup(func() { conn.Close() })
	_, err = io.WriteString(conn, text)
	check(t, err)
	return conn
}

// reads is whether a connection is open and what comes on it within a while.
func reads(conn net.Conn, while time.Duration) (string, error) {
	conn.SetReadDeadline(time.Now().Add(while))
	text, err := io.ReadAll(conn)
	return string(text), err
}

const request = "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n"

func TestQueriesThatAreTooLongAreRefused(t *testing.T) {
	f := serve(t, nil)
	path := "/v1/products/101/prompts?"
	query := "domain=acme.com&" + march
	fill := strings.Repeat("a", 32<<10-len(query)-len("&x="))
	for _, c := range []struct{ name, query, detail string }{
		{"the longest", query + "&x=" + fill, ""},
		{"one byte more", query + "&x=a" + fill, "query string: longer than 32768 bytes"},
		{"the longest list", query + strings.Repeat("&platforms[]=a", 1000), ""},
		{"one value more", query + strings.Repeat("&platforms[]=a", 1001), "platforms[]: more than 1000 values"},
		{"a list of numbers", query + strings.Repeat("&labelIds[]=1", 1001), "labelIds[]: more than 1000 values"},
	} {
		res, _ := f.get(t, path+c.query)
		want := 200
		if c.detail != "" {
			want = 400
		}
		if detail := res.Header.Get("Sightline-Error-Detail"); res.StatusCode != want || detail != c.detail {
			t.Errorf("%s: %d %s", c.name, res.StatusCode, detail)
		}
	}
}

func TestHeadersThatAreTooLargeAreRefused(t *testing.T) {
	b := put(t, http.NotFoundHandler(), nil)
	conn := b.dial(t, "GET / HTTP/1.1\r\nHost: x\r\nX: "+strings.Repeat("a", 80<<10)+"\r\n\r\n")
	if text, _ := reads(conn, 5*time.Second); !strings.HasPrefix(text, "HTTP/1.1 431 ") {
		t.Errorf("%.100q", text)
	}
}

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
	var users atomic.Int64
	source := counted{after{rows{some: 1_000_000}, func() error { return nil }}, &users}
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
	if n := strings.Count(string(body), `"timestamp"`); err != nil || n != 1_000_000 || !strings.HasSuffix(string(body), "]}\n") {
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

// 1,000 connections that send a byte of a header now and then change nothing for
// others, whether there is room for them or not.
func TestSlowHeadersDoNotSlowOthers(t *testing.T) {
	for name, most := range map[string]int{"with room": 4000, "without": 200} {
		t.Run(name, func(t *testing.T) {
			f := serve(t, nil)
			b := put(t, f.Config.Handler, func(s *server.Serving) { s.Connections.Most = most })
			quietly := percentile(b.ask(t, f.key, 300), 99)
			stop := make(chan struct{})
			var slow sync.WaitGroup
			for range 1000 {
				conn := b.dial(t, "GET /v1/products HTTP/1.1\r\nHost: x\r\nX-Slow: ")
				slow.Go(func() {
					for {
						select {
						case <-stop:
							return
						case <-time.After(300 * time.Millisecond):
						}
						if _, err := io.WriteString(conn, "a"); err != nil {
							return
						}
					}
				})
			}
			loud := percentile(b.ask(t, f.key, 300), 99)
			figures := b.connections.Figures()
			close(stop)
			slow.Wait()
			t.Logf("p99 %s before, %s beside 1,000 slow connections; %+v", quietly, loud, figures)
			if loud > 3*quietly+50*time.Millisecond {
				t.Errorf("p99 is %s, and was %s", loud, quietly)
			}
			if figures.Open > int64(most) || (figures.Evicted > 0) != (most < 1000) {
				t.Errorf("%+v", figures)
			}
		})
	}
}

// ask sends requests one after the other, each on a connection of its own.
func (b *behind) ask(t *testing.T, key string, n int) (took []time.Duration) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range n {
		started := time.Now()
		req, err := http.NewRequest("GET", "http://"+b.address+"/v1/products", nil)
		check(t, err)
		req.Header.Set("Authorization", "Bearer "+key)
		res, err := client.Do(req)
		check(t, err)
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != 200 {
			t.Fatalf("status %d", res.StatusCode)
		}
		took = append(took, time.Since(started))
	}
	return took
}

func percentile(all []time.Duration, p int) time.Duration {
	slices.Sort(all)
	return all[(len(all)-1)*p/100]
}

func TestASlowHeaderLosesItsConnection(t *testing.T) {
	t.Parallel() // it only waits
	b := put(t, http.NotFoundHandler(), nil)
	conn := b.dial(t, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	started := time.Now()
	_, err := reads(conn, 15*time.Second)
	if took := time.Since(started); err != nil || took > 10*time.Second {
		t.Errorf("it was open for %s: %v", took, err)
	}
}

func TestAConnectionWithAnAnswerUnderWayMakesNoRoom(t *testing.T) {
	release, running := make(chan struct{}), make(chan struct{}, 2)
	b := put(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		running <- struct{}{}
		<-release
		io.WriteString(w, "whole")
	}), func(s *server.Serving) { s.Connections.Most = 2 })
	first, second := b.dial(t, request), b.dial(t, request)
	<-running
	<-running
	if text, err := reads(b.dial(t, ""), 5*time.Second); err != nil || text != "" {
		t.Errorf("a third connection: %q %v", text, err)
	}
	close(release)
	for _, conn := range []net.Conn{first, second} {
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		check(t, err)
		if body, err := io.ReadAll(res.Body); err != nil || string(body) != "whole" {
			t.Errorf("%q %v", body, err)
		}
	}
	if f := b.connections.Figures(); f.Refused != 1 || f.Evicted != 0 {
		t.Errorf("%+v", f)
	}
}

func TestAStopCutsNoAnswerAndTakesNoNewOnes(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	release, running := make(chan struct{}), make(chan struct{})
	stopping := make(chan struct{})
	b := put(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(running)
		<-release
		io.WriteString(w, "whole")
	}), func(s *server.Serving) { s.Stopping = func() { close(stopping) } })
	conn := b.dial(t, request)
	<-running
	ended := make(chan error, 1)
	go func() { ended <- b.stop() }()
	<-stopping
	refused := false
	for deadline := time.Now().Add(5 * time.Second); !refused && time.Now().Before(deadline); {
		other, err := net.Dial("tcp", b.address)
		if refused = err != nil; !refused {
			other.Close()
		}
	}
	if !refused {
		t.Error("a new connection is taken")
	}
	select {
	case err := <-ended:
		t.Fatalf("it ended with a request under way: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	text, err := reads(conn, 5*time.Second)
	if err != nil || !strings.HasSuffix(text, "whole") {
		t.Errorf("%q %v", text, err)
	}
	check(t, <-ended)
}

func TestAStopThatTakesTooLongSaysWhatWasCut(t *testing.T) {
	running := make(chan struct{})
	b := put(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(running)
		<-r.Context().Done()
	}), func(s *server.Serving) { s.Drain = 50 * time.Millisecond })
	b.dial(t, request)
	<-running
	if err := b.stop(); err == nil || !strings.Contains(err.Error(), "1 requests were cut") {
		t.Error(err)
	}
}

// Ten times more reports than can run and wait: the others are told at once, and
// when the flood is over everything is as before.
func TestAFloodIsTurnedAwayAtOnce(t *testing.T) {
	var mu sync.Mutex
	took := make(map[int][]time.Duration)
	var busy, most atomic.Int64
	f := serve(t, func(s *server.Server) {
		s.Queries, s.Queue, s.Patience = 4, 12, 5*time.Second
		s.Observe = func(_ string, status int, time time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			took[status] = append(took[status], time)
		}
		s.Reports = &report.Reports{Facts: stubborn(func(context.Context) error {
			n := busy.Add(1)
			defer busy.Add(-1)
			for before := most.Load(); n > before && !most.CompareAndSwap(before, n); before = most.Load() {
			}
			time.Sleep(20 * time.Millisecond)
			return nil
		})}
	})
	transport := &http.Transport{MaxIdleConnsPerHost: 160}
	defer transport.CloseIdleConnections()
	var callers sync.WaitGroup
	for i := range 160 {
		callers.Go(func() {
			for j := range 5 {
				status, err := askAs(&http.Client{Transport: transport}, f, fmt.Sprintf("%s&platforms[]=%d-%d", summary, i, j))
				if err != nil || status != 200 && status != 503 {
					t.Errorf("%d %v", status, err)
				}
			}
		})
	}
	callers.Wait()
	mu.Lock()
	away := took[503]
	t.Logf("%d answered, %d turned away, p99 %s, most %s; %d ran at once", len(took[200]), len(away), percentile(away, 99), percentile(away, 100), most.Load())
	if len(away) < 100 || len(took[200]) < 16 || percentile(away, 95) > 50*time.Millisecond {
		t.Errorf("turned away: %d, 95 %% within %s", len(away), percentile(away, 95))
	}
	mu.Unlock()
	if most.Load() > 4 {
		t.Errorf("%d ran at once", most.Load())
	}
	started := time.Now()
	if res, _ := f.get(t, summary); res.StatusCode != 200 || time.Since(started) > 5*time.Second {
		t.Errorf("after it: %d in %s", res.StatusCode, time.Since(started))
	}
	if log := f.logged(); strings.Count(log, "turning some away") == 0 || strings.Count(log, "turning some away") > 5 {
		t.Errorf("the flood is in the log %d times", strings.Count(log, "turning some away"))
	}
}

func askAs(client *http.Client, f *fixture, path string) (int, error) {
	req, err := http.NewRequest("GET", f.URL+path, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+f.key)
	res, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// Whoever would have to wait for longer than the patience is told so at once.
func TestAReportThatCannotHaveItsTurnInTimeDoesNotWait(t *testing.T) {
	f := serve(t, func(s *server.Server) {
		s.Queries, s.Queue, s.Patience = 1, 100, 300*time.Millisecond
		s.Reports = &report.Reports{Facts: stubborn(func(ctx context.Context) error {
			time.Sleep(200 * time.Millisecond)
			return nil
		})}
	})
	for i := range 4 { // so that it is known how long a report takes
		f.get(t, fmt.Sprintf("%s&platforms[]=before-%d", summary, i))
	}
	var late atomic.Int64
	var callers sync.WaitGroup
	for i := range 20 {
		callers.Go(func() {
			started := time.Now()
			status, err := askAs(http.DefaultClient, f, fmt.Sprintf("%s&platforms[]=%d", summary, i))
			if err != nil {
				t.Error(err)
			}
			if status == 503 && time.Since(started) > 250*time.Millisecond {
				late.Add(1)
			}
		})
	}
	callers.Wait()
	if late.Load() > 2 {
		t.Errorf("%d were told late", late.Load())
	}
}
