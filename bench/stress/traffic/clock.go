package traffic

import (
	"sync"
	"time"
)

// Notice is how long after a load has ended a server may still answer from
// before it. A second is promised; a busy machine may hold it up.
const Notice = 3 * time.Second

// Clock knows which states an answer may show, by when it was asked and given.
type Clock struct {
	mu      sync.Mutex
	started []time.Time // of each publish
	ended   []time.Time
}

// Begin says that the next publish starts.
func (c *Clock) Begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = append(c.started, time.Now())
}

// End says that it has ended.
func (c *Clock) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = append(c.ended, time.Now())
}

// bounds are the first and the last state that an answer may show, and whether
// a publish was going on, or had just been, while it was waited for.
func (c *Clock) bounds(asked, given time.Time) (first, last int, busy bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for first < len(c.ended) && c.ended[first].Add(Notice).Before(asked) {
		first++
	}
	for last < len(c.started) && c.started[last].Before(given) {
		last++
	}
	// Of those that have ended, the last one matters; the server moves within a second.
	for i := max(0, first-1); i < last; i++ {
		if i >= len(c.ended) || asked.Before(c.ended[i].Add(time.Second)) {
			busy = true
		}
	}
	return first, last, busy
}
