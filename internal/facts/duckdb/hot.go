package duckdb

import (
	"github.com/sightline-hq/sightline/internal/facts/kept"
	"github.com/sightline-hq/sightline/internal/lru"
)

// What reports read again and again is small: the totals of a website, the visits
// to a small one and the packed answers of a product. It stays in memory, for asking the engine takes
// longer than counting. Files never change and are known by their sums, so what
// was read once holds for as long as a set has the file.

// hot is what is kept, for all sets that follow one another.
type hot struct {
	texts  *lru.Cache[textKey, []text]
	visits *kept.Memory // and what was counted about them
	pages  *lru.Cache[pageKey, []uint32]
}

// textKey is a column of packed answers of a product.
type textKey struct {
	file, column string // the file by its sum
	product      int64
	textOf
}

// text is a text of a part.
type text struct {
	part  int64
	bytes []byte
}

// newHot makes room for so many bytes. Packed answers are the larger part.
func newHot(most int64) *hot {
	return &hot{
		texts:  lru.New[textKey, []text](most / 2),
		visits: kept.NewMemory(most/32*15, kept.NumberSize),
		pages:  lru.New[pageKey, []uint32](most / 32),
	}
}

// keyCost is the size of what is kept beside the bytes themselves, about.
const keyCost = 200

// textsAtHand returns the columns of a product's texts if all are kept, and their cost.
func (h *hot) textsAtHand(f file, columns []string, product int64, of textOf) (rows []textRow, cost int64, ok bool) {
	for c, column := range columns {
		texts, ok := h.texts.Get(textKey{f.sha256, column, product, of})
		if !ok {
			return nil, 0, false
		}
		if c == 0 {
			rows = make([]textRow, len(texts))
		}
		for i, t := range texts {
			rows[i].part = t.part
			rows[i].texts = append(rows[i].texts, t.bytes)
		}
	}
	return rows, costOf(columns, rows), true
}

// costOf is about how many bytes the columns of texts take.
func costOf[C any](columns []C, rows []textRow) int64 {
	cost := int64(keyCost * len(columns))
	for _, row := range rows {
		for _, text := range row.texts {
			cost += int64(cap(text))
		}
	}
	return cost
}

// keepTexts keeps the columns of a product's texts, which are in the order of their parts.
func (h *hot) keepTexts(f file, columns []string, product int64, of textOf, rows []textRow) {
	for c, column := range columns {
		cost, texts := int64(keyCost), make([]text, len(rows))
		for i, row := range rows {
			texts[i] = text{row.part, row.texts[c]}
			cost += int64(cap(row.texts[c]))
		}
		h.texts.Add(textKey{f.sha256, column, product, of}, texts, cost)
	}
}
