package server

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// gate lets a number of reports run at once. A number of others wait a short
// while; the rest are turned away at once, so that a flood is answered instead
// of piling up. Whoever could not be let in within its patience, going by how
// long reports took lately, is among the rest: a late no is worse than an early one.
type gate struct {
	places     chan struct{}
	waiting    atomic.Int64
	turnedAway atomic.Int64
	lately     atomic.Int64 // nanoseconds that a report held its place for, the last ones counting most
	queue      int64
	patience   time.Duration
}

func newGate(places, queue int, patience time.Duration) *gate {
	return &gate{places: make(chan struct{}, places), queue: int64(queue), patience: patience}
}

// enter returns how to leave, which may be called more than once.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.places <- struct{}{}:
		return g.inside(), nil
	default:
	}
	defer g.waiting.Add(-1)
	if n := g.waiting.Add(1); n > g.queue || g.wait(n) > g.patience {
		g.turnedAway.Add(1)
		return nil, errOverloaded
	}
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return g.inside(), nil
	case <-timer.C:
		g.turnedAway.Add(1)
		return nil, errOverloaded
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// wait is about how long the n-th who waits has to.
func (g *gate) wait(n int64) time.Duration {
	return time.Duration(g.lately.Load() / int64(cap(g.places)) * n)
}

func (g *gate) inside() (leave func()) {
	entered := time.Now()
	return sync.OnceFunc(func() {
		<-g.places
		before := g.lately.Load()
		g.lately.Store(before + (int64(time.Since(entered))-before)/8)
	})
}
