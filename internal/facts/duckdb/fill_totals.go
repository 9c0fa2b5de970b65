package duckdb

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	duck "github.com/duckdb/duckdb-go/v2"
)

// fillTotals counts the visits of a week of the new file and writes the totals.
// Where all of them are staged ones, those are at hand.
func (b *build) fillTotals(ctx context.Context, week int64, atHand bool) error {
	if !withCounts {
		return nil
	}
	b.counting.Lock() // one at a time: counting takes memory
	defer b.counting.Unlock()
	t, err := newTallies(ctx, b.each, b.made())
	if err != nil {
		return err
	}
	if atHand {
		err = b.countStaged(t, week)
	} else {
		err = t.addRows(ctx, b.each, b.made(), week)
	}
	if err != nil {
		return err
	}
	return b.writeTotals(ctx, t)
}

// countStaged counts the staged rows of a week.
func (b *build) countStaged(t *tallies, week int64) error {
	var buffer []byte
	for _, p := range b.visits.weeks[week].pieces {
		buffer = slices.Grow(buffer[:0], p.bytes)[:p.bytes]
		if _, err := b.visits.file.ReadAt(buffer, p.offset); err != nil {
			return err
		}
		rest := buffer
		for range p.rows {
			var row visitRow
			var err error
			if rest, err = row.read(rest); err != nil {
				return err
			}
			for i, n := range []*uint32{&row.website, &row.source, &row.page, &row.path, &row.agent} {
				*n = b.numbers[i][*n]
			}
			t.add(&row)
		}
	}
	return nil
}

func (b *build) writeTotals(ctx context.Context, t *tallies) (err error) {
	conn, err := b.connector.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	a, err := duck.NewAppender(conn, b.made(), "main", "totals")
	if err != nil {
		return err
	}
	for _, s := range t.sites {
		rows := t.totals(s)
		slices.SortFunc(rows, func(x, y *total) int {
			return cmp.Or(cmp.Compare(x.width, y.width), cmp.Compare(x.level, y.level), cmp.Compare(x.bucket, y.bucket),
				cmp.Compare(x.platform, y.platform), cmp.Compare(x.botType, y.botType))
		})
		for _, r := range rows {
			row := []driver.Value{s.website, r.bucket, r.width, r.level, r.platform, r.botType}
			for _, n := range r.figures() {
				row = append(row, n)
			}
			if err := a.AppendRow(row...); err != nil {
				return errors.Join(err, a.Close())
			}
		}
	}
	return a.Close()
}
