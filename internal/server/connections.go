package server

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// Connections bounds how many there are, so that slow callers cannot use up what
// others need. When there is no room for a new one, the one on which nothing is
// answered for longest makes room: whoever sends a request at once gets through.
type Connections struct {
	// Most is how many there may be; 0: any number.
	Most int

	mu   sync.Mutex
	open map[*connection]struct{}
	figs ConnectionFigures
}

// ConnectionFigures are how connections fare.
type ConnectionFigures struct {
	Open, Answering int64 // now
	// Evicted made room for others; Refused found none.
	Evicted, Refused int64
}

// slowHeader is from when on a connection that sends a request counts as slow:
// it goes before those that are kept for the next request.
const slowHeader = time.Second

// connection is one, with what it does.
type connection struct {
	net.Conn
	all       *Connections
	answering int       // requests
	idle      bool      // between two requests
	since     time.Time // when it began to do so
}

// CloseWrite ends one direction, so that a caller can read why a request is refused
// before the connection goes.
func (c *connection) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// Figures are those of now.
func (c *Connections) Figures() ConnectionFigures {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.figs
	f.Open = int64(len(c.open))
	for one := range c.open {
		f.Answering += int64(one.answering)
	}
	return f
}

func (c *Connections) limit(l net.Listener) net.Listener {
	c.open = make(map[*connection]struct{})
	return limited{l, c}
}

// limited is a listener whose connections are counted.
type limited struct {
	net.Listener
	all *Connections
}

func (l limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if one := l.all.admit(conn); one != nil {
			return one, nil
		}
		conn.Close()
	}
}

// admit makes room for a connection if it can.
func (c *Connections) admit(conn net.Conn) *connection {
	one := &connection{Conn: conn, all: c, since: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Most > 0 && len(c.open) >= c.Most {
		victim := c.slowest(one.since)
		if victim == nil {
			c.figs.Refused++
			return nil
		}
		c.figs.Evicted++
		delete(c.open, victim)
		victim.Conn.Close() // its own goroutine notices
	}
	c.open[one] = struct{}{}
	return one
}

// slowest is the connection that is slow to send a request for longest; if there
// is none, the one that is idle for longest; if there is none either, any that
// answers nothing.
func (c *Connections) slowest(now time.Time) (slowest *connection) {
	class := func(one *connection) int {
		switch {
		case one.idle:
			return 1
		case now.Sub(one.since) < slowHeader:
			return 0
		}
		return 2
	}
	for one := range c.open {
		if one.answering > 0 {
			continue
		}
		if slowest == nil || class(one) > class(slowest) || class(one) == class(slowest) && one.since.Before(slowest.since) {
			slowest = one
		}
	}
	return slowest
}

// Close implements net.Conn.
func (one *connection) Close() error {
	one.all.mu.Lock()
	delete(one.all.open, one)
	one.all.mu.Unlock()
	return one.Conn.Close()
}

// changed follows what a connection does between requests.
func (c *Connections) changed(conn net.Conn, state http.ConnState) {
	one := unwrap(conn)
	if one == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateIdle, http.StateActive:
		one.idle, one.since = state == http.StateIdle, time.Now()
	}
}

func unwrap(conn net.Conn) *connection {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	one, _ := conn.(*connection)
	return one
}

type connectionKey struct{}

// context lets a request know its connection.
func (c *Connections) context(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, unwrap(conn))
}

// mark notes that something is answered on a connection.
func (c *Connections) mark(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one, _ := r.Context().Value(connectionKey{}).(*connection)
		if one != nil {
			c.answering(one, 1)
			defer c.answering(one, -1)
		}
		next.ServeHTTP(w, r)
	})
}

func (c *Connections) answering(one *connection, more int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one.answering += more
	one.since = time.Now()
}
