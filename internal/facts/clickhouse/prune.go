package clickhouse

import (
	"context"
	"errors"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Prune implements facts.Loader. The editions stay for the grace period, like
// those that a load replaces. Weeks are apart here, so nothing is written anew.
func (l *Loader) Prune(ctx context.Context, before time.Time, _ func(done, all int)) (facts.Pruned, error) {
	if err := l.begin(ctx, nil); err != nil {
		return facts.Pruned{}, err
	}
	s, err := l.current(ctx, l.shards[0])
	if err != nil {
		return facts.Pruned{}, err
	}
	p, remove := planPrune(s, before)
	if len(remove) == 0 {
		return p, nil
	}
	sizes, err := l.sizes(ctx, l.shards)
	if err != nil {
		return p, err
	}
	sizes.takeWeeks(p.Removed, s)
	p.Version, err = l.commit(ctx, change{remove: remove})
	p.Free = time.Now().Add(grace).UTC()
	return p, err
}

// PlanPrune implements facts.Store.
func (s Store) PlanPrune(ctx context.Context, before time.Time) (p facts.Pruned, err error) {
	err = s.reading(ctx, func(b *base, shards []server) error {
		now, err := b.current(ctx, b)
		if err != nil {
			return err
		}
		sizes, err := b.sizes(ctx, shards)
		if err != nil {
			return err
		}
		p, _ = planPrune(now, before)
		sizes.takeWeeks(p.Removed, now)
		return nil
	})
	return p, err
}

// reading calls do with the database and its shards, for reading.
func (s Store) reading(ctx context.Context, do func(b *base, shards []server) error) error {
	b, err := s.open()
	if err != nil {
		return err
	}
	shards, err := b.shards(ctx)
	if err == nil {
		err = b.checkSchema(ctx, b)
	}
	if err == nil {
		err = do(b, shards)
	}
	return errors.Join(err, closeAll(shards), b.close())
}

// planPrune picks the weeks that have ended, and all their editions.
func planPrune(s *state, before time.Time) (p facts.Pruned, remove []edition) {
	p = facts.Pruned{Version: s.version, KeptFrom: facts.Week(before.Unix())}
	for _, w := range s.weeks() {
		if w.Last < p.KeptFrom {
			p.Removed = append(p.Removed, w)
		}
	}
	for _, e := range s.editions {
		if e.week < p.KeptFrom {
			remove = append(remove, e)
		}
	}
	return p, remove
}
