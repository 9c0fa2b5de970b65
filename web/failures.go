package web

import (
	"net/netip"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/internal/peer"
)

const (
	failurePause  = time.Second // before a wrong password is answered
	failureLimit  = 10          // wrong passwords from one network …
	failureWindow = 15 * time.Minute
	failureTable  = 10_000 // networks that are remembered
	failureQueue  = 16     // wrong passwords that wait for their answer
)

// failures slow down whoever tries passwords.
type failures struct {
	now     func() time.Time
	pause   time.Duration
	mu      sync.Mutex
	by      map[netip.Prefix]failure
	waiting int
}

type failure struct {
	count int
	since time.Time
}

// tooMany says how long an address has to wait before it may try again.
func (f *failures) tooMany(a netip.Addr) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, ok := f.by[peer.Network(a)]
	left := one.since.Add(failureWindow).Sub(f.now())
	if !ok || left <= 0 || one.count < failureLimit {
		return 0
	}
	return left
}

// add counts a wrong password, and waits before the answer. Those for which there
// is no room to wait are answered at once: what holds them back is their count,
// and a right password never waits.
func (f *failures) add(a netip.Addr) {
	f.mu.Lock()
	f.forget()
	one := f.by[peer.Network(a)]
	if one.count == 0 {
		one.since = f.now()
	}
	one.count++
	f.by[peer.Network(a)] = one
	if f.waiting >= failureQueue {
		f.mu.Unlock()
		return
	}
	f.waiting++
	f.mu.Unlock()
	time.Sleep(f.pause)
	f.mu.Lock()
	f.waiting--
	f.mu.Unlock()
}

func (f *failures) forget() {
	for p, one := range f.by {
		if f.now().Sub(one.since) > failureWindow {
			delete(f.by, p)
		}
	}
	for p := range f.by {
		if len(f.by) < failureTable {
			break
		}
		delete(f.by, p)
	}
}
