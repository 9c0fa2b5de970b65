package duckdb

import (
	"context"
	"errors"

	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// errTorn says that texts do not fit together.
var errTorn = errors.New("packed answers have no sources")

// parts gets what is needed of a batch of weeks for counting citations, by week.
func (s *set) parts(ctx context.Context, product int64, batch []neededWeek, pages bool) (map[int64][]*packed.Part, error) {
	f, l := batch[0].file, layoutOf(batch[0].file)
	texts, err := s.needTexts(ctx, product, batch, "mentions", "citations")
	if err != nil {
		return nil, err
	}
	weeks := make([]textOf, len(batch))
	for i, w := range batch {
		weeks[i].week = w.week
	}
	columns := []string{"domains", "urls"}
	switch {
	case l.mixed:
		columns = []string{"pages"}
	case !pages:
		columns = []string{"domains"}
	}
	sources, err := s.texts(ctx, f, l.sources, columns, product, weeks, false)
	if err != nil {
		return nil, err
	}
	all := make(map[int64][]*packed.Part, len(batch))
	for _, w := range batch {
		if all[w.week], err = w.together(texts, sources[textOf{week: w.week}]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// together puts texts of the same part together.
func (w *neededWeek) together(texts map[textOf][]textRow, sources []textRow) (all []*packed.Part, err error) {
	parts := make(map[int64]*packed.Part, len(sources))
	for _, row := range sources {
		p := &packed.Part{}
		switch {
		case layoutOf(w.file).mixed:
			p.Pages = row.texts[0]
		case len(row.texts) > 1:
			p.Domains, p.URLs = row.texts[0], row.texts[1]
		default:
			p.Domains = row.texts[0]
		}
		parts[row.part] = p
		all = append(all, p)
	}
	for _, k := range w.kinds {
		for _, row := range texts[textOf{w.week, k.number}] {
			p := parts[row.part]
			if p == nil {
				return nil, errTorn
			}
			p.Kinds = append(p.Kinds, packed.Texts{Kind: k.number, Mentions: row.texts[0], Citations: row.texts[1]})
		}
	}
	return all, nil
}
