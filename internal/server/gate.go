package server

import (
	"context"
	"sync/atomic"
	"time"
)

// gate lets a number of reports run at once. A number of others wait a short
// while; the rest are turned away at once, so that a flood is answered instead
// of piling up.
type gate struct {
	places   chan struct{}
	waiting  atomic.Int64
	queue    int64
	patience time.Duration
}

func newGate(places, queue int, patience time.Duration) *gate {
	return &gate{places: make(chan struct{}, places), queue: int64(queue), patience: patience}
}

func (g *gate) enter(ctx context.Context) error {
	select {
	case g.places <- struct{}{}:
		return nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.queue {
		return errOverloaded
	}
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return nil
	case <-timer.C:
		return errOverloaded
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gate) leave() { <-g.places }
