package clickhouse

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Counted says what was counted after it was loaded.
type Counted struct {
	Weeks   int   // of visits
	Version int64 // of the facts, after it; 0: there was nothing to count
}

// Count counts the visits of published weeks that lack a table of totals: they were
// loaded before there was that table. Servers go on meanwhile, and use it for the
// weeks that have it. Some weeks at a time are published, so that little is lost
// if it is interrupted, and loads need not wait for all of it. It calls waiting once,
// with who is in front, if it has to wait for a load.
func (s Store) Count(ctx context.Context, waiting func(who string), progress func(done, all int)) (done Counted, err error) {
	lack := 0
	err = s.reading(ctx, func(b *base, _ []server) error {
		now, err := b.current(ctx, b)
		if err == nil {
			lack = len(uncounted(now))
		}
		return err
	})
	if err != nil || lack == 0 {
		return done, err
	}
	opened, err := s.OpenLoader(ctx, waiting)
	if err != nil {
		return done, err
	}
	l := opened.(*Loader)
	defer func() { err = errors.Join(err, l.Close()) }()
	for {
		progress(done.Weeks, max(lack, done.Weeks))
		n, version, err := l.countSome(ctx)
		if err != nil || n == 0 {
			return done, err
		}
		done.Weeks += n
		done.Version = version
	}
}

// uncounted lists the weeks that lack a table of totals, in order.
func uncounted(now *state) (weeks []int64) {
	for _, t := range totalsTables {
		weeks = append(weeks, now.lacking(t.kind(), 0, math.MaxInt64-facts.WeekSeconds)...)
	}
	slices.Sort(weeks)
	return slices.Compact(weeks)
}

// countSome counts the newest weeks that lack a table, as many as are counted at
// once, and publishes that.
func (l *Loader) countSome(ctx context.Context) (weeks int, version int64, err error) {
	if err := l.begin(ctx, nil); err != nil {
		return 0, 0, err
	}
	now, err := l.current(ctx, l.shards[0])
	if err != nil {
		return 0, 0, err
	}
	some, rows := []int64(nil), int64(0)
	for _, week := range slices.Backward(uncounted(now)) {
		rows += rowsOf(now.of(facts.KindVisits, week, week))
		if len(some) > 0 && rows > rowsAtOnce {
			break
		}
		some = append(some, week)
	}
	if len(some) == 0 {
		return 0, 0, nil
	}
	var c change
	for i := range totalsTables {
		t := &totalsTables[i]
		counting := counting{Loader: l, state: now, change: &c, weeks: make(map[int64][]edition)}
		for _, week := range now.lacking(t.kind(), slices.Min(some), slices.Max(some)) {
			counting.weeks[week] = now.of(facts.KindVisits, week, week)
		}
		if len(counting.weeks) == 0 {
			continue
		}
		if err := counting.count(ctx, t); err != nil {
			return 0, 0, err
		}
	}
	version, err = l.commit(ctx, c)
	return len(some), version, err
}
