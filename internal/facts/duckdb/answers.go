package duckdb

import (
	"context"
	"runtime"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// Tally implements facts.AnswerReader. Whole days come from the totals of a week and
// kind, if those are of no other prompts than asked for.
func (s *set) Tally(ctx context.Context, q facts.AnswerQuery, by facts.Grouping) ([]*facts.Tally, error) {
	shares := packed.NewShares(q, by, runtime.GOMAXPROCS(0))
	t := shares[0]
	needed, err := s.needed(ctx, q, func(window facts.Stretch, totals []byte) ([]facts.Stretch, error) {
		if by == facts.ByPromptAndPlatform {
			wanted, err := t.Wants(totals)
			return windowIf(wanted, window), err
		}
		wanted, counted, err := t.Totals(totals, window.First, window.Last)
		if counted {
			return edges(window), err
		}
		return windowIf(wanted, window), err
	})
	if err != nil {
		return nil, err
	}
	err = share(shares, func(give func(func(*packed.Tallies) error)) error {
		for batch := range batches(needed) {
			rows, err := s.needTexts(ctx, q.ProductID, batch, "mentions")
			if err != nil {
				return err
			}
			for _, w := range batch {
				give(func(t *packed.Tallies) error { return w.tally(t, rows) })
			}
		}
		return nil
	})
	for _, other := range shares[1:] {
		t.Add(other)
	}
	return t.All(), err
}

// tally counts what is needed of a week.
func (w *neededWeek) tally(t *packed.Tallies, rows map[textOf][]textRow) error {
	for _, k := range w.kinds {
		for _, row := range rows[textOf{w.week, k.number}] {
			for _, window := range k.windows {
				if err := t.Answers(w.week, row.texts[0], window.First, window.Last); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Cited implements facts.AnswerReader.
func (s *set) Cited(ctx context.Context, q facts.AnswerQuery, pages bool) (facts.Cited, error) {
	c := packed.NewCitations(q, pages)
	needed, err := s.needed(ctx, q, func(window facts.Stretch, totals []byte) ([]facts.Stretch, error) {
		wanted, err := c.Wants(totals)
		return windowIf(wanted, window), err
	})
	if err != nil {
		return facts.Cited{}, err
	}
	err = spread(slices.Repeat([]*packed.Citations{c}, runtime.GOMAXPROCS(0)), func(give func(func(*packed.Citations) error)) error {
		for batch := range batches(needed) {
			parts, err := s.parts(ctx, q.ProductID, batch, pages)
			if err != nil {
				return err
			}
			for _, w := range batch {
				for _, p := range parts[w.week] {
					give(func(c *packed.Citations) error { return c.Answers(w.week, *p, q.First, q.Last) })
				}
			}
		}
		return nil
	})
	return c.All(), err
}
