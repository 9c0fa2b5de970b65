// Package fuzz sends random requests to a server, valid and broken ones, over
// all routes, with keys of all teams and with keys that are none, and looks at
// every answer: its status must be one that the contract allows for this request,
// and it must show nothing of a team that the key does not reach.
package fuzz

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Run is what is sent where.
type Run struct {
	Address     string
	Seed        uint64
	Requests    int64
	Connections int
	NewMaker    func(stream uint64) *Maker
}

// Outcome is what became of the requests.
type Outcome struct {
	Requests   int64
	Took       time.Duration
	Statuses   map[int]int64
	Kinds      map[string]int64
	Overloaded int64 // 503: turned away, which is no failure of a request
	Cut        int64 // connections, in a request that is too long or no HTTP
}

// reopenAfter is how many requests a connection lives.
const reopenAfter = 200

// pipelined is how many requests are sent before their answers are read, at most.
const pipelined = 8

// worker sends over one connection after the other.
type worker struct {
	run   *Run
	maker *Maker
	judge judge
	dice  *rand.Rand
	left  *atomic.Int64
	out   Outcome
}

// Do sends all requests and returns at the first answer that is wrong.
func (r *Run) Do(ctx context.Context) (Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var left atomic.Int64
	left.Store(r.Requests)
	total := Outcome{Statuses: make(map[int]int64), Kinds: make(map[string]int64)}
	started := time.Now()
	var mu sync.Mutex
	var group sync.WaitGroup
	for i := range uint64(r.Connections) {
		group.Go(func() {
			m := r.NewMaker(i)
			w := &worker{run: r, maker: m, judge: newJudge(m.World), dice: rand.New(rand.NewPCG(r.Seed, 1<<32+i)), left: &left}
			w.out = Outcome{Statuses: make(map[int]int64), Kinds: make(map[string]int64)}
			if err := w.work(ctx); err != nil {
				cancel(fmt.Errorf("seed %d, connection %d: %w", r.Seed, i, err))
			}
			mu.Lock()
			defer mu.Unlock()
			total.add(w.out)
		})
	}
	group.Wait()
	total.Took = time.Since(started)
	return total, context.Cause(ctx)
}

func (o *Outcome) add(other Outcome) {
	o.Requests += other.Requests
	o.Overloaded += other.Overloaded
	o.Cut += other.Cut
	for status, n := range maps.All(other.Statuses) {
		o.Statuses[status] += n
	}
	for kind, n := range maps.All(other.Kinds) {
		o.Kinds[kind] += n
	}
}

func (w *worker) work(ctx context.Context) error {
	for ctx.Err() == nil && w.left.Load() > 0 {
		c, err := dial(w.run.Address, w.dice)
		if err != nil {
			return err
		}
		err = w.talk(ctx, c)
		c.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// talk uses a connection until one side has had enough of it.
func (w *worker) talk(ctx context.Context, c *conn) error {
	for used := 0; used < reopenAfter && ctx.Err() == nil; {
		some := w.some()
		if len(some) == 0 {
			return nil
		}
		answers, open, err := c.exchange(some)
		for i, a := range answers {
			if err := w.look(some[i], a); err != nil {
				return err
			}
		}
		if err != nil && !mayBeCut(some[len(answers)], err) {
			return fmt.Errorf("%w after %d of %d answers to %.1000q", err, len(answers), len(some), some[len(answers)].Wire)
		}
		if err != nil {
			w.out.Cut++
			answers = append(answers, answer{})
		}
		w.left.Add(int64(len(some) - len(answers))) // others are sent instead
		if !open {
			return nil
		}
		used += len(some)
	}
	return nil
}

// mayBeCut says whether the answer to a request may be lost. After one that is no
// HTTP, the server closes the connection, and where it had not read all of what
// came before it, the reset overtakes the answer.
func mayBeCut(r Request, err error) bool {
	return r.Long || r.Last && errors.Is(err, syscall.ECONNRESET)
}

// some makes the next requests, which are sent together. One that may end the
// connection is the last of them.
func (w *worker) some() (requests []Request) {
	n := 1
	if w.dice.IntN(4) == 0 {
		n += w.dice.IntN(pipelined)
	}
	for range n {
		if w.left.Add(-1) < 0 {
			return requests
		}
		r := w.maker.Next()
		requests = append(requests, r)
		if r.Last {
			break
		}
	}
	return requests
}

func (w *worker) look(r Request, a answer) error {
	w.out.Requests++
	w.out.Statuses[a.status]++
	w.out.Kinds[r.Kind]++
	if a.status == http.StatusServiceUnavailable {
		w.out.Overloaded++
		return nil
	}
	if err := w.judge.wrong(r, a); err != nil {
		return fmt.Errorf("%s: %w\nrequest: %.1000q\nanswer: %v %.1000q", r.Kind, err, r.Wire, a.header, a.body)
	}
	return nil
}
