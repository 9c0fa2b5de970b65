package faults

import (
	"io"
	"net"
	"sync"
	"time"
)

// Proxy passes connections on to an address, and breaks some of them: it cuts
// them off after some bytes, in one direction or both, or lets them stall.
type Proxy struct {
	Addr string

	faults   *Faults
	to       string
	listener net.Listener
	mu       sync.Mutex // of the faults, and of what follows
	open     map[net.Conn]bool
	broken   int
	passed   sync.WaitGroup
}

// NewProxy passes connections on until the test ends.
func (f *Faults) NewProxy(to string) *Proxy {
	f.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	f.must(err)
	p := &Proxy{Addr: l.Addr().String(), faults: f, to: to, listener: l, open: make(map[net.Conn]bool)}
	p.passed.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			p.passed.Go(func() { p.pass(conn) })
		}
	})
	f.t.Cleanup(p.close)
	return p
}

// Broken is how many connections were broken.
func (p *Proxy) Broken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken
}

func (p *Proxy) close() {
	p.listener.Close()
	p.mu.Lock()
	for conn := range p.open {
		conn.Close()
	}
	p.mu.Unlock()
	p.passed.Wait()
}

// plan decides what happens to a connection: after how many bytes of either
// direction it breaks (never: a very large number), and how long it stalls then.
func (p *Proxy) plan() (there, back int64, stall time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	there, back = 1<<60, 1<<60
	switch p.faults.IntN(4) {
	case 0:
		there = p.faults.Int64N(200)
	case 1:
		back = p.faults.Int64N(600)
	case 2:
		there, back, stall = p.faults.Int64N(200), p.faults.Int64N(600), time.Duration(p.faults.IntN(50))*time.Millisecond
	default:
		return there, back, 0
	}
	p.broken++
	return there, back, stall
}

func (p *Proxy) pass(conn net.Conn) {
	defer conn.Close()
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	p.open[conn], p.open[server] = true, true
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.open, conn)
		delete(p.open, server)
		p.mu.Unlock()
	}()
	there, back, stall := p.plan()
	ended := make(chan struct{}, 2)
	for _, way := range []struct {
		to, from net.Conn
		bytes    int64
	}{{server, conn, there}, {conn, server, back}} {
		go func() {
			io.CopyN(way.to, way.from, way.bytes)
			ended <- struct{}{}
		}()
	}
	<-ended // of one direction: the other is cut off with it
	time.Sleep(stall)
	conn.Close()
	server.Close()
	<-ended
}
