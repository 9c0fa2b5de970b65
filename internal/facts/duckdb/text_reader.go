package duckdb

import (
	"bytes"

	"github.com/sightline-hq/sightline/internal/cores"
	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// textReader is how a request reads the texts of a product. What it reads stays at
// hand as far as there is room for all of it. The newest weeks come first, and the
// rest is not kept: otherwise each text would push out another one that the same
// request needs the next time, and none would ever be found.
type textReader struct {
	*set
	product int64
	room    int64 // that is left
}

func (s *set) textReader(product int64) *textReader {
	return &textReader{s, product, s.hot.texts.Most()}
}

// atHand returns columns of texts if all are kept.
func (r *textReader) atHand(f file, columns []string, of textOf) (rows []textRow, ok bool) {
	rows, cost, ok := r.hot.textsAtHand(f, columns, r.product, of)
	r.room -= cost
	return rows, ok
}

// keep keeps columns of texts if there is room. Of a file that may turn out to be
// damaged, nothing is kept.
func (r *textReader) keep(f file, columns []string, of textOf, rows []textRow) {
	cost := costOf(columns, rows)
	if cost > r.room || !r.inspector.proven(f, r.stamps[f.name]) {
		return
	}
	r.room -= cost
	r.hot.keepTexts(f, columns, r.product, of, rows)
}

// The digests of texts, as columns.
const (
	mentionsDigest  = "digest of mentions"
	citationsDigest = "digest of citations"
)

// digestsAtHand returns the digests of a kind, if they will do and are kept.
func (r *textReader) digestsAtHand(f file, column string, k neededKind, of textOf) ([]textRow, bool) {
	if !k.whole {
		return nil, false
	}
	rows, ok := r.atHand(f, []string{column}, of)
	for i := range rows {
		rows[i].digest = true
	}
	return rows, ok
}

// digest makes digests of what a batch needs for whole weeks, where it has room for
// them, and takes them in the place of the texts.
func (r *textReader) digest(batch []neededWeek, column string, texts map[textOf][]textRow, digestOf func(textOf, textRow) ([]byte, error)) error {
	f := batch[0].file
	if !r.inspector.proven(f, r.stamps[f.name]) {
		return nil
	}
	var all []textOf
	room := r.room
	for _, w := range batch {
		for _, k := range w.kinds {
			of := textOf{w.week, k.number}
			if !k.whole || len(texts[of]) == 0 || texts[of][0].digest {
				continue
			}
			if room -= costOf(texts[of][0].texts, texts[of]); room >= 0 { // a digest is no larger, about
				all = append(all, of)
			}
		}
	}
	made, failed := make([][]textRow, len(all)), make([]error, len(all))
	cores.Each(len(all), func() func(int) {
		return func(i int) {
			for _, row := range texts[all[i]] {
				text, err := digestOf(all[i], row)
				if err != nil {
					failed[i] = err
					return
				}
				made[i] = append(made[i], textRow{part: row.part, texts: [][]byte{bytes.Clone(text)}, digest: true})
			}
		}
	})
	for i, of := range all {
		if failed[i] != nil {
			return failed[i]
		}
		r.keep(f, []string{column}, of, made[i])
		texts[of] = made[i]
	}
	return nil
}

// digestMentions makes digests of mentions.
func (r *textReader) digestMentions(batch []neededWeek, texts map[textOf][]textRow) error {
	return r.digest(batch, mentionsDigest, texts, func(_ textOf, row textRow) ([]byte, error) {
		return packed.DigestMentions(r.product, row.texts[0])
	})
}
