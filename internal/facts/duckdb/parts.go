package duckdb

import (
	"context"
	"errors"

	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// errTorn says that texts do not fit together.
var errTorn = errors.New("packed answers have no sources")

// parts gets what is needed of a batch of weeks for counting citations, by week.
func (r *textReader) parts(ctx context.Context, batch []neededWeek, pages bool) (map[int64][]*packed.Part, error) {
	f, l := batch[0].file, layoutOf(batch[0].file)
	texts, err := r.needTexts(ctx, batch, citationsDigest, "mentions", "citations")
	if err != nil {
		return nil, err
	}
	weeks := make([]int64, len(batch))
	for i, w := range batch {
		weeks[i] = w.week
	}
	columns := []string{"domains", "urls"}
	switch {
	case l.mixed:
		columns = []string{"pages"}
	case !pages:
		columns = []string{"domains"}
	}
	sources, err := r.texts(ctx, f, l.sources, columns, ofWeeks(weeks), false)
	if err != nil {
		return nil, err
	}
	if err := r.digestCitations(batch, texts, sources); err != nil {
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
		p := &packed.Part{Sources: sourcesOf(w.file, row)}
		parts[row.part] = p
		all = append(all, p)
	}
	for _, k := range w.kinds {
		for _, row := range texts[textOf{w.week, k.number}] {
			p := parts[row.part]
			if p == nil {
				return nil, errTorn
			}
			p.Kinds = append(p.Kinds, textsOf(k.number, row))
		}
	}
	return all, nil
}

// sourcesOf is a row of sources.
func sourcesOf(f file, row textRow) packed.Sources {
	switch {
	case layoutOf(f).mixed:
		return packed.Sources{Pages: row.texts[0]}
	case len(row.texts) > 1:
		return packed.Sources{Domains: row.texts[0], URLs: row.texts[1]}
	}
	return packed.Sources{Domains: row.texts[0]}
}

// textsOf is a row of a kind.
func textsOf(kind int64, row textRow) packed.Texts {
	if row.digest {
		return packed.Texts{Kind: kind, Digest: row.texts[0]}
	}
	return packed.Texts{Kind: kind, Mentions: row.texts[0], Citations: row.texts[1]}
}

// digestCitations makes digests of citations.
func (r *textReader) digestCitations(batch []neededWeek, texts, sources map[textOf][]textRow) error {
	return r.digest(batch, citationsDigest, texts, func(of textOf, row textRow) ([]byte, error) {
		for _, source := range sources[textOf{week: of.week}] {
			if source.part == row.part {
				return packed.DigestCitations(sourcesOf(batch[0].file, source), textsOf(of.kind, row))
			}
		}
		return nil, errTorn
	})
}
