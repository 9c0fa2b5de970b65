package admin

import (
	"context"
	"sync"

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
	seconds := make(map[facts.Kind]int64)
	for _, kind := range []facts.Kind{facts.KindVisits, facts.KindAnswers} {
		if total := facts.Total(kind, status.Weeks); total.Rows > 0 {
			seconds[kind] = total.Newest
		}
	}
	n.version, n.seconds = version, seconds
	return seconds, nil
}
