package server

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/sightline-hq/sightline/internal/lru"
)

// cache keeps replies under keys that say everything that they depend on, so
// that none is ever out of date: the version of the facts, the version of the
// catalog, and the question. Equal questions in flight are asked once.
type cache struct {
	replies *lru.Cache[string, *reply]

	mu      sync.Mutex
	flights map[string]*flight
	hits    int64
	misses  int64 // questions that were asked; who waits for one that is, hits
}

// overhead is about what an entry takes beside its body.
const overhead = 512

func newCache(most int64) *cache {
	return &cache{replies: lru.New[string, *reply](most), flights: make(map[string]*flight)}
}

// flight is a question that is being answered, on a context of its own: it
// goes on as long as anybody waits for it.
type flight struct {
	done    chan struct{}
	waiting int
	cancel  context.CancelFunc
	reply   *reply
	err     error
}

// asking answers a question; it is made before anybody stops waiting for it.
type asking func(context.Context) (*reply, error)

// get returns the reply to a question, which is asked if nobody knows it.
func (c *cache) get(ctx context.Context, key string, begin func() asking) (*reply, error) {
	c.mu.Lock()
	if r, ok := c.replies.Get(key); ok {
		c.hits++
		c.mu.Unlock()
		return r, nil
	}
	f := c.flights[key]
	if f == nil {
		f = c.start(ctx, key, begin())
		c.misses++
	} else {
		c.hits++
	}
	f.waiting++
	c.mu.Unlock()
	select {
	case <-f.done:
		return f.reply, f.err
	case <-ctx.Done():
		c.leave(key, f)
		return nil, context.Cause(ctx)
	}
}

// start asks a question. The caller holds the lock.
func (c *cache) start(ctx context.Context, key string, ask asking) *flight {
	f := &flight{done: make(chan struct{})}
	ctx, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.flights[key] = f
	go func() {
		defer f.cancel()
		reply, err := safely(ctx, ask)
		c.mu.Lock()
		defer c.mu.Unlock()
		f.reply, f.err = reply, err
		if c.flights[key] == f {
			delete(c.flights, key)
		}
		if err == nil {
			c.replies.Add(key, reply, int64(len(key)+reply.body.size())+overhead)
		}
		close(f.done)
	}()
	return f
}

// safely makes an error of a panic: nobody else would catch it here.
func safely(ctx context.Context, ask asking) (r *reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return ask(ctx)
}

// leave stops waiting. A question that nobody waits for any more is dropped.
func (c *cache) leave(key string, f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting > 0 {
		return
	}
	f.cancel()
	if c.flights[key] == f {
		delete(c.flights, key)
	}
}

func (c *cache) figures() (hits, misses, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hits, c.misses, c.replies.Cost()
}
