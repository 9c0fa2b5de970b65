package server_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

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

func TestHeadersThatAreTooLargeAreRefused(t *testing.T) {
	b := put(t, http.NotFoundHandler(), nil)
	conn := b.dial(t, "GET / HTTP/1.1\r\nHost: x\r\nX: "+strings.Repeat("a", 80<<10)+"\r\n\r\n")
	if text, _ := reads(conn, 5*time.Second); !strings.HasPrefix(text, "HTTP/1.1 431 ") {
		t.Errorf("%.100q", text)
	}
}

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
			if loud > 3*quietly+50*time.Millisecond*slowdown {
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
	if err := b.stop(); err == nil || !strings.Contains(err.Error(), "1 request was cut: not answered within 50ms") {
		t.Error(err)
	}
}

func TestASecondSignalCutsWhatIsUnderWay(t *testing.T) {
	running, again := make(chan struct{}), make(chan os.Signal, 1)
	var log lines
	b := put(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(running)
		<-r.Context().Done()
	}), func(s *server.Serving) {
		s.Drain, s.Hurry, s.Log = time.Hour, again, slog.New(slog.NewTextHandler(&log, nil))
		s.Stopping = func() { again <- os.Interrupt }
	})
	b.dial(t, request)
	<-running
	if err := b.stop(); err == nil || err.Error() != "1 request was cut: a second signal came" {
		t.Error(err)
	}
	if text := log.String(); !strings.Contains(text, "a second signal: stopping at once") || !strings.Contains(text, "requests=1") {
		t.Errorf("the log says %q", text)
	}
}
