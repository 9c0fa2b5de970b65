package duckdb

import (
	"context"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Store is a folder of facts. It implements facts.Store.
type Store struct{ Dir string }

// Follow implements facts.Store.
func (s Store) Follow(ctx context.Context, options facts.Following) (facts.Live, error) {
	live, err := Follow(ctx, s.Dir, options)
	if err != nil {
		return nil, err
	}
	return live, nil
}

// OpenLoader implements facts.Store.
func (s Store) OpenLoader(ctx context.Context, waiting func(who string)) (facts.Loader, error) {
	loader, err := OpenLoader(ctx, s.Dir, func(pid string) {
		if waiting != nil {
			waiting("process " + pid)
		}
	})
	if err != nil {
		return nil, err
	}
	return loader, nil
}

// Status implements facts.Store.
func (s Store) Status(ctx context.Context) (facts.Status, error) { return ReadStatus(ctx, s.Dir) }

// PlanPrune implements facts.Store.
func (s Store) PlanPrune(ctx context.Context, before time.Time) (facts.Pruned, error) {
	return PlanPrune(ctx, s.Dir, before)
}

// PlanForget implements facts.Store.
func (s Store) PlanForget(ctx context.Context, whose facts.Whose) (facts.Forgotten, error) {
	return PlanForget(ctx, s.Dir, whose)
}
