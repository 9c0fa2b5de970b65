package duckdb

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"maps"
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
	var err error
	if b.tallyWords == nil { // the words are complete
		if b.tallyWords, err = readTallyWords(ctx, b.each, b.made()); err != nil {
			return err
		}
	}
	t := newTallies(b.tallyWords, week)
	if atHand {
		err = b.countStaged(t)
	} else {
		err = t.addRows(ctx, b.each, b.made())
	}
	if err != nil {
		return err
	}
	return b.writeTotals(ctx, t)
}

// countStaged counts the staged rows of the week.
func (b *build) countStaged(t *tallies) error {
	var buffer []byte
	for _, p := range b.visits.weeks[t.week].pieces {
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

// writeTotals writes what was counted, website by website.
func (b *build) writeTotals(ctx context.Context, t *tallies) (err error) {
	conn, err := b.connector.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	sites := slices.SortedFunc(maps.Values(t.sites), func(x, y *site) int { return cmp.Compare(x.website, y.website) })
	for _, table := range []struct {
		name string
		rows func(s *site, write func(...driver.Value) error) error
	}{
		{"totals", t.writeLevels}, {"directory_totals", t.writeDirectories}, {"agent_totals", t.writeAgents},
	} {
		a, err := duck.NewAppender(conn, b.made(), "main", table.name)
		if err != nil {
			return err
		}
		for _, s := range sites {
			if err := table.rows(s, a.AppendRow); err != nil {
				return errors.Join(err, a.Close())
			}
		}
		if err := a.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (t *tallies) writeLevels(s *site, write func(...driver.Value) error) error {
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
		if err := write(row...); err != nil {
			return err
		}
	}
	return nil
}

func (t *tallies) writeDirectories(s *site, write func(...driver.Value) error) error {
	values := make([]driver.Value, 4+len(metrics{}))
	return s.directoryTotals(t.week, &t.masks, func(r directoryTotal, figures *metrics) error {
		values = append(values[:0], s.website, r.bucket, r.width, r.page)
		for _, n := range figures {
			values = append(values, int64(n))
		}
		return write(values...)
	})
}

func (t *tallies) writeAgents(s *site, write func(...driver.Value) error) error {
	rows := t.agentTotals(s)
	slices.SortFunc(rows, func(x, y agentTotal) int {
		return cmp.Or(cmp.Compare(x.width, y.width), cmp.Compare(x.bucket, y.bucket), cmp.Compare(x.source, y.source), cmp.Compare(x.agent, y.agent))
	})
	for _, r := range rows {
		if err := write(s.website, r.bucket, r.width, r.source, r.agent); err != nil {
			return err
		}
	}
	return nil
}
