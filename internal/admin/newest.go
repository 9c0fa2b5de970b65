package admin

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Newest remembers the newest events of the facts' current version: the status of
// a store takes longer to read than a probe should.
type Newest struct {
	Facts  facts.Source
	Status func(context.Context) (facts.Status, error)

	mu      sync.Mutex
	version int64
	seconds map[facts.Kind]int64
}

// ahead is how far in the future an event may be, by a clock that is wrong: weeks
// with later ones say nothing about how fresh the facts are, and are left out.
const ahead = 24 * time.Hour

// Seconds are when the newest events happened, by kind. Without any of a kind
// there is none.
func (n *Newest) Seconds(ctx context.Context) (map[facts.Kind]int64, error) {
	set, err := n.Facts.Acquire()
	if err != nil {
		return nil, err
	}
	version := set.Version()
	set.Close()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seconds != nil && n.version == version {
		return n.seconds, nil
	}
	status, err := n.Status(ctx)
	if err != nil {
		return nil, err
	}
	weeks := slices.DeleteFunc(slices.Clone(status.Weeks), func(w facts.Weeks) bool { return w.Newest > time.Now().Add(ahead).Unix() })
	seconds := make(map[facts.Kind]int64)
	for _, kind := range []facts.Kind{facts.KindVisits, facts.KindAnswers} {
		if total := facts.Total(kind, weeks); total.Rows > 0 {
			seconds[kind] = total.Newest
		}
	}
	n.version, n.seconds = version, seconds
	return seconds, nil
}
