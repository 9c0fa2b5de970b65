// Package lru keeps values in bounded memory, and forgets those first that were
// not used for longest.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps values that together cost no more than a limit. It may be used
// from several goroutines.
type Cache[K comparable, V any] struct {
	most int64

	mu    sync.Mutex
	cost  int64
	items map[K]*list.Element // of *item[K, V]
	order list.List           // the most recently used first
}

type item[K comparable, V any] struct {
	key   K
	value V
	cost  int64
}

// New makes a cache that holds values of up to a cost; with 0 it holds none.
func New[K comparable, V any](most int64) *Cache[K, V] {
	return &Cache[K, V]{most: most, items: make(map[K]*list.Element)}
}

// Get returns what is kept under a key.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*item[K, V]).value, true
}

// share is the part of the limit that a single value may cost: one large value
// must not push out all others.
const share = 8

// Add keeps a value, in place of the one before.
func (c *Cache[K, V]) Add(key K, value V, cost int64) {
	if cost > c.Largest() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.remove(e)
	}
	c.items[key] = c.order.PushFront(&item[K, V]{key, value, cost})
	c.cost += cost
	for c.cost > c.most {
		c.remove(c.order.Back())
	}
}

// remove forgets an item. The caller holds the lock.
func (c *Cache[K, V]) remove(e *list.Element) {
	old := c.order.Remove(e).(*item[K, V])
	delete(c.items, old.key)
	c.cost -= old.cost
}

// Largest is what a single value may cost; larger ones are not kept.
func (c *Cache[K, V]) Largest() int64 { return c.most / share }

// Most is what all values together may cost.
func (c *Cache[K, V]) Most() int64 { return c.most }

// Cost is what the values cost together.
func (c *Cache[K, V]) Cost() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cost
}
