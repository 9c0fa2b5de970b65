package client

import (
	"container/list"
	"net/http"
	"strings"
	"sync"
)

// cache keeps the answers last used that have an ETag, by URL, as the bytes
// that came: every caller gets a value of its own. A nil cache keeps nothing.
type cache struct {
	mu    sync.Mutex
	room  int64 // bytes left
	size  int64
	byURL map[string]*list.Element
	order *list.List // of *stored, the last used first
}

// stored does not change once it is in the cache.
type stored struct {
	url, etag string
	body      []byte
}

func (s *stored) size() int64 { return int64(len(s.url) + len(s.etag) + len(s.body)) }

func newCache(bytes int64) *cache {
	return &cache{room: bytes, size: bytes, byURL: make(map[string]*list.Element), order: list.New()}
}

func (c *cache) find(url string) *stored {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byURL[url]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*stored)
}

// keep replaces what is known of a URL; without an ETag or a copy, by nothing.
func (c *cache) keep(url, etag string, text *copied) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byURL[url]; e != nil {
		c.remove(e)
	}
	if etag == "" || text == nil || text.over {
		return
	}
	s := &stored{url: url, etag: etag, body: text.bytes}
	if s.size() > c.size {
		return
	}
	c.byURL[url] = c.order.PushFront(s)
	for c.room -= s.size(); c.room < 0; {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(e *list.Element) {
	s := c.order.Remove(e).(*stored)
	delete(c.byURL, s.url)
	c.room += s.size()
}

// copyOf returns where to copy an answer to, if it is one to keep.
func (c *cache) copyOf(h http.Header) *copied {
	if c == nil || h.Get("ETag") == "" || strings.Contains(h.Get("Cache-Control"), "no-store") {
		return nil
	}
	return &copied{limit: c.size}
}

// copied is a copy of a body that is given up when it grows too large.
type copied struct {
	bytes []byte
	limit int64
	over  bool
}

func (c *copied) add(p []byte) {
	if c == nil || c.over {
		return
	}
	if int64(len(c.bytes)+len(p)) > c.limit {
		c.bytes, c.over = nil, true
		return
	}
	c.bytes = append(c.bytes, p...)
}
