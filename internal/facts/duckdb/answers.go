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
	r := s.textReader(q.ProductID)
	needed, err := r.needed(ctx, q, func(window facts.Stretch, totals []byte) (neededKind, error) {
		if by == facts.ByPromptAndPlatform {
			wanted, _, err := t.Wants(totals)
			return neededKind{windows: windowIf(wanted, window), whole: isWeek(window)}, err
		}
		wanted, counted, err := t.Totals(totals, window.First, window.Last)
		if counted {
			return neededKind{windows: edges(window)}, err
		}
		return neededKind{windows: windowIf(wanted, window)}, err
	})
	if err != nil {
		return nil, err
	}
	err = share(shares, func(give func(func(*packed.Tallies) error)) error {
		for batch := range batches(needed) {
			rows, err := r.needTexts(ctx, batch, mentionsDigest, "mentions")
			if err == nil {
				err = r.digestMentions(batch, rows)
			}
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
			if err := k.tally(t, w.week, row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *neededKind) tally(t *packed.Tallies, week int64, row textRow) error {
	if row.digest {
		return t.Digest(row.texts[0])
	}
	for _, window := range k.windows {
		if err := t.Answers(week, row.texts[0], window.First, window.Last); err != nil {
			return err
		}
	}
	return nil
}

// Cited implements facts.AnswerReader.
func (s *set) Cited(ctx context.Context, q facts.AnswerQuery, pages bool) (facts.Cited, error) {
	c := packed.NewCitations(q, pages)
	r := s.textReader(q.ProductID)
	needed, err := r.needed(ctx, q, func(window facts.Stretch, totals []byte) (neededKind, error) {
		wanted, all, err := c.Wants(totals)
		return neededKind{windows: windowIf(wanted, window), whole: all && !pages && len(q.Platforms) == 0 && isWeek(window)}, err
	})
	if err != nil {
		return facts.Cited{}, err
	}
	err = spread(slices.Repeat([]*packed.Citations{c}, runtime.GOMAXPROCS(0)), func(give func(func(*packed.Citations) error)) error {
		for batch := range batches(needed) {
			parts, err := r.parts(ctx, batch, pages)
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
