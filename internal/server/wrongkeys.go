package server

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"time"
)

// Slowdown says from when on, and by how much, answers to wrong keys come later.
type Slowdown struct {
	// Free is how many wrong keys of a caller are answered at once. One of them
	// is forgiven each Pause.
	Free int
	// Pause is by how much the answers to further ones come later; 0: not at all.
	Pause time.Duration
}

// Bounds of what wrong keys can take up.
const (
	knownCallers   = 10_000 // with a wrong key, that are remembered
	pausing        = 256    // answers that wait, of all callers …
	pausingOfOne   = 8      // … and of one
	forgetSample   = 64     // callers that are looked at to forget one
	tellWrongAgain = time.Minute
)

// wrongKeys slows down whoever tries keys. A right key never waits, not even one
// from where wrong ones come from: others share that address.
type wrongKeys struct {
	Slowdown
	log *slog.Logger
	now func() time.Time

	mu      sync.Mutex
	callers map[netip.Prefix]*trier
	pausing int
}

// trier is a caller who sent wrong keys.
type trier struct {
	debt    float64 // wrong keys that are not forgiven yet
	at      time.Time
	told    time.Time
	pausing int
}

func newWrongKeys(s Slowdown, log *slog.Logger) *wrongKeys {
	return &wrongKeys{Slowdown: s, log: log, now: time.Now, callers: make(map[netip.Prefix]*trier)}
}

// pause notes a wrong key, and waits if the caller sent too many. It returns an
// error if too many answers wait already.
func (k *wrongKeys) pause(ctx context.Context, caller netip.Prefix) error {
	if k.Pause == 0 {
		return nil
	}
	t, slow := k.note(caller)
	if !slow {
		return nil
	}
	if t == nil {
		return errTooManyKeys
	}
	timer := time.NewTimer(k.Pause)
	defer timer.Stop()
	defer k.resume(t)
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// note counts a wrong key. A caller that is to be slowed and has no room to wait
// is nil.
func (k *wrongKeys) note(caller netip.Prefix) (t *trier, slow bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	t = k.callers[caller]
	if t == nil {
		k.makeRoom(now)
		t = &trier{at: now}
		k.callers[caller] = t
	}
	// The debt is bounded, so that a caller who has mended the key is soon forgiven.
	t.debt = min(t.owes(now, k.Pause)+1, float64(2*k.Free+1))
	t.at = now
	if t.debt <= float64(k.Free) {
		return t, false
	}
	if now.Sub(t.told) >= tellWrongAgain {
		t.told = now
		k.log.Warn("many wrong keys from one address; answers to them come later", "address", caller.String())
	}
	if k.pausing >= pausing || t.pausing >= pausingOfOne {
		return nil, true
	}
	k.pausing++
	t.pausing++
	return t, true
}

// owes is what is left of a debt.
func (t *trier) owes(now time.Time, pause time.Duration) float64 {
	return max(0, t.debt-float64(now.Sub(t.at))/float64(pause))
}

// makeRoom forgets, of a few callers, those who owe nothing, or the one who owes
// least. The caller holds the lock.
func (k *wrongKeys) makeRoom(now time.Time) {
	if len(k.callers) < knownCallers {
		return
	}
	var least netip.Prefix
	fewest, looked := -1.0, 0
	for who, t := range k.callers {
		owes := t.owes(now, k.Pause)
		if owes == 0 {
			delete(k.callers, who)
		} else if fewest < 0 || owes < fewest {
			least, fewest = who, owes
		}
		if looked++; looked == forgetSample {
			break
		}
	}
	if len(k.callers) >= knownCallers {
		delete(k.callers, least)
	}
}

func (k *wrongKeys) resume(t *trier) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pausing--
	t.pausing--
}

// waiting is how many answers wait now.
func (k *wrongKeys) waiting() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return int64(k.pausing)
}
