package clickhouse

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// set is the facts of one version. It implements facts.Set and facts.Reader.
type set struct {
	kept.Reader // of visits, and of what was counted about them

	live  *Live
	state *state
	seen  time.Time // when its version was last known to be current
	once  sync.Once
}

// newSet is a set, with a user.
func newSet(l *Live, now *state, seen time.Time, memory *kept.Memory) *set {
	l.users.Add(1)
	s := &set{live: l, state: now, seen: seen}
	s.Reader = kept.Reader{Source: s, Memory: memory}
	return s
}

// Again implements facts.Set.
func (s *set) Again() facts.Set { return newSet(s.live, s.state, s.seen, s.Memory) }

// Close implements facts.Set.
func (s *set) Close() { s.once.Do(s.live.users.Done) }

// Version implements facts.Set.
func (s *set) Version() int64 { return s.state.version }

// Edition implements facts.Set.
func (s *set) Edition() int64 { return s.state.version }

// Dialect implements facts.Set.
func (s *set) Dialect() facts.Dialect { return Dialect{} }

// Table implements facts.Set. It is the bare table: what follows is run on the
// shards.
func (s *set) Table(t facts.Table, _ []string, _, _ int64) string { return s.live.all(string(t)) }

// Has implements facts.Set: weeks of earlier schemas lack some tables of totals
// until they are counted.
func (s *set) Has(t facts.Table, first, last int64) bool {
	return totalsOf(facts.Kind(t)) == nil || len(s.state.lacking(facts.Kind(t), first, last)) == 0
}

// Stretches implements facts.Set: a server has the memory to group a
// window at once.
func (s *set) Stretches(_ facts.Table, first, last int64) []facts.Stretch {
	return []facts.Stretch{{First: first, Last: last}}
}

// Within implements facts.Set: it names the editions that a window touches, so
// that only their partitions are read.
func (s *set) Within(t facts.Table, first, last int64) string {
	editions := s.state.within(kindOf(t), first, last)
	switch {
	case totalsOf(facts.Kind(t)) != nil:
		return fmt.Sprintf("bucket between %d and %d and %s", first, last, editions)
	case t == facts.Visits && day(first) == first && day(last+1) == last+1: // they are sorted by day
		return fmt.Sprintf("day between %d and %d and %s", first, day(last), editions)
	case t == facts.Visits:
		return fmt.Sprintf("ts between %d and %d and day between %d and %d and %s", first, last, day(first), day(last), editions)
	}
	return fmt.Sprintf("ts between %d and %d and %s", first, last, editions)
}

// day is the start of the day of a second.
func day(second int64) int64 { return second - second%facts.DaySeconds }

// Query implements facts.Set.
func (s *set) Query(ctx context.Context, statement facts.Statement, row func(scan facts.Scan) error) error {
	sql, err := bind(statement)
	if err != nil {
		return err
	}
	if held := time.Since(s.seen); held > grace-time.Minute {
		return fmt.Errorf("version %d is held since %s: its editions may be gone", s.state.version, held.Round(time.Second))
	}
	var settings []string
	if statement.OneWebsite {
		settings = append(settings, onOneShard)
	}
	if statement.Apart {
		settings = append(settings, threadEach)
	}
	return s.live.query(ctx, sql, row, settings...)
}
