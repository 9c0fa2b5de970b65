package clickhouse

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// entries are the servers that the user named. Any of them answers for the
// whole cluster; one that fails is left aside for a while.
type entries struct {
	servers []server

	mu    sync.Mutex
	next  int
	avoid map[server]time.Time
}

// avoidFor is how long a server that could not be reached is asked last.
const avoidFor = 10 * time.Second

func newEntries(servers ...server) *entries {
	return &entries{servers: servers, avoid: make(map[server]time.Time)}
}

func (e *entries) close() (err error) {
	for _, s := range e.servers {
		err = errors.Join(err, s.close())
	}
	return err
}

// order is in which order to ask: in turns, and last those that failed.
func (e *entries) order() []server {
	e.mu.Lock()
	defer e.mu.Unlock()
	var good, bad []server
	now := time.Now()
	for i := range e.servers {
		s := e.servers[(e.next+i)%len(e.servers)]
		if now.Before(e.avoid[s]) {
			bad = append(bad, s)
		} else {
			good = append(good, s)
		}
	}
	e.next++
	return slices.Concat(good, bad)
}

func (e *entries) failed(s server) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.avoid[s] = time.Now().Add(avoidFor)
}

// query asks one server, and the next one if it cannot be reached. Rows that
// were handed over cannot be taken back, so after the first there is no next.
func (e *entries) query(ctx context.Context, sql string, row func(facts.Scan) error, settings ...string) (err error) {
	for _, s := range e.order() {
		got := false
		err = s.query(ctx, sql, func(scan facts.Scan) error {
			got = true
			return row(scan)
		}, settings...)
		var unreachable lost
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			e.failed(s) // it was too slow, or its caller left: another may be better
			return err
		case !errors.As(err, &unreachable):
			return err
		}
		e.failed(s)
		if got {
			return err
		}
	}
	return err
}
