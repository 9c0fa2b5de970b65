package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/lru"
)

// What reports read again and again is small: the totals of a website, the visits
// to a small one and the packed answers of a product. It stays in memory, for asking the engine takes
// longer than counting. Files never change and are known by their sums, so what
// was read once holds for as long as a set has the file.

// hot is what is kept, for all sets that follow one another.
type hot struct {
	texts  *lru.Cache[textKey, [][]byte]
	totals *lru.Cache[totalsKey, []facts.TotalsRow]
	visits *lru.Cache[keptKey, *kept]
}

// textKey is a column of packed answers of a product and a week.
type textKey struct {
	file, column  string // the file by its sum
	product, week int64
}

// totalsKey is the totals of a website in a file, of one width and level.
type totalsKey struct {
	file, website string
	width, level  int
}

// keptKey is the visits to a website in a week of a file.
type keptKey struct {
	file, website string
	week          int64
}

// newHot makes room for so many bytes. Packed answers are the larger part.
func newHot(most int64) *hot {
	return &hot{
		texts:  lru.New[textKey, [][]byte](most / 8 * 5),
		totals: lru.New[totalsKey, []facts.TotalsRow](most / 8),
		visits: lru.New[keptKey, *kept](most / 4),
	}
}

// Sizes of what is kept beside the bytes themselves, about.
const (
	keyCost   = 200
	totalCost = 150
)

// Totals implements facts.Reader.
func (s *set) Totals(ctx context.Context, q facts.TotalsQuery, each func(*facts.TotalsRow)) error {
	for _, f := range s.files {
		if f.kind != facts.KindVisits || !f.overlaps(q.First, q.Last) {
			continue
		}
		for _, website := range q.WebsiteIDs {
			rows, err := s.totalsOf(ctx, f, totalsKey{f.sha256, website, q.Width, q.Level})
			if err != nil {
				return err
			}
			for i := range rows {
				if r := &rows[i]; r.Bucket >= q.First && r.Bucket <= q.Last {
					each(r)
				}
			}
		}
	}
	return nil
}

// totalsOf reads totals of a file, unless they are at hand.
func (s *set) totalsOf(ctx context.Context, f file, key totalsKey) ([]facts.TotalsRow, error) {
	if err := s.absent[f.name]; err != nil {
		return nil, err
	}
	if rows, ok := s.hot.totals.Get(key); ok {
		return rows, nil
	}
	query := fmt.Sprintf("select bucket, platform, bot_type, %s from %s.totals join %s.websites using (website) where width = %d and level = %d and website_id = ?",
		strings.Join(facts.TotalColumns[:], ", "), f.database(), f.database(), key.width, key.level)
	rows := []facts.TotalsRow{}
	words := make(map[string]string) // platforms and bot types come again and again
	err := s.Query(ctx, facts.Statement{SQL: query, Args: []any{key.website}}, func(scan facts.Scan) error {
		var r facts.TotalsRow
		var platform, botType sql.RawBytes
		into := []any{&r.Bucket, &platform, &botType}
		for i := range r.Figures {
			into = append(into, &r.Figures[i])
		}
		err := scan(into...)
		r.Platform, r.BotType = word(words, platform), word(words, botType)
		rows = append(rows, r)
		return err
	})
	if err == nil && s.inspector.proven(f, s.stamps[f.name]) {
		s.hot.totals.Add(key, rows, int64(len(rows))*totalCost+keyCost)
	}
	return rows, err
}

// word makes one string of equal bytes.
func word(known map[string]string, text []byte) string {
	w, ok := known[string(text)]
	if !ok {
		w = string(text)
		known[w] = w
	}
	return w
}

// textsAtHand returns the columns of a product's week if all are kept.
func (h *hot) textsAtHand(f file, columns []string, product, week int64) (parts [][][]byte, ok bool) {
	for _, column := range columns {
		texts, ok := h.texts.Get(textKey{f.sha256, column, product, week})
		if !ok {
			return nil, false
		}
		parts = append(parts, texts)
	}
	return parts, true
}

// keepTexts keeps the columns of a product's week.
func (h *hot) keepTexts(f file, columns []string, product, week int64, parts [][][]byte) {
	for i, column := range columns {
		cost := int64(keyCost)
		for _, text := range parts[i] {
			cost += int64(cap(text))
		}
		h.texts.Add(textKey{f.sha256, column, product, week}, parts[i], cost)
	}
}
