package agents

import (
	"strings"
	"sync"
)

const (
	// A day of logs repeats a few thousand user agents.
	maxCached = 8192
	// Longer ones are rare and mostly attacks; caching them would let a sender
	// choose how much memory is used.
	maxCachedBytes = 512
)

// cache remembers verdicts. When it is full it starts over, which costs less
// than keeping track of use.
type cache struct {
	mu       sync.RWMutex
	verdicts map[string]verdict
}

func (c *cache) get(userAgent string) (v verdict, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok = c.verdicts[userAgent]
	return v, ok
}

func (c *cache) put(userAgent string, v verdict) {
	if len(userAgent) > maxCachedBytes {
		return
	}
	// The caller's string may be a piece of a large buffer.
	userAgent = strings.Clone(userAgent)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.verdicts == nil || len(c.verdicts) >= maxCached {
		c.verdicts = make(map[string]verdict)
	}
	c.verdicts[userAgent] = v
}
