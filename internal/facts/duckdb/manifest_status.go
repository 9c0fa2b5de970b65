package duckdb

import (
	"context"
	"database/sql"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// status reads everything in one transaction, so that a load that ends
// meanwhile is in all of it or in none.
func (m *manifest) status(ctx context.Context) (s facts.Status, err error) {
	err = m.tx(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, "select version from state").Scan(&s.Version); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "select count(*) from inputs").Scan(&s.Inputs); err != nil {
			return err
		}
		if s.Weeks, err = currentWeeks(ctx, tx); err != nil {
			return err
		}
		if s.Latest, err = latest(ctx, tx); err != nil {
			return err
		}
		s.Replaced, err = replaced(ctx, tx, m.now())
		return err
	})
	return s, err
}

func currentWeeks(ctx context.Context, tx *sql.Tx) (all []facts.Weeks, err error) {
	rows, err := tx.QueryContext(ctx, `select kind, first_week, last_week, count(*), sum(row_count), sum(bytes), max(newest)
		from files not indexed where removed_version is null group by kind, first_week, last_week order by kind, first_week`)
	if err != nil {
		return nil, err
	}
	err = facts.Drain(rows, func(scan facts.Scan) error {
		var w facts.Weeks
		err := scan(&w.Kind, &w.First, &w.Last, &w.Files, &w.Rows, &w.Bytes, &w.Newest)
		all = append(all, w)
		return err
	})
	return all, err
}

// latest lists the newest inputs, the newest first.
func latest(ctx context.Context, tx *sql.Tx) (all []facts.Loaded, err error) {
	rows, err := tx.QueryContext(ctx, `select kind, name, bytes, lines, version, loaded_at
		from inputs order by version desc, rowid desc limit ?`, facts.LatestInputs)
	if err != nil {
		return nil, err
	}
	err = facts.Drain(rows, func(scan facts.Scan) error {
		var l facts.Loaded
		var at int64
		err := scan(&l.Kind, &l.Name, &l.Bytes, &l.Lines, &l.Version, &at)
		l.At = time.Unix(at, 0).UTC()
		all = append(all, l)
		return err
	})
	return all, err
}

// replaced counts what the next sweeps remove.
func replaced(ctx context.Context, tx *sql.Tx, now time.Time) (r facts.Replaced, err error) {
	var last int64
	err = tx.QueryRowContext(ctx, `select count(*), coalesce(sum(bytes), 0), coalesce(max(removed_at), 0),
			count(*) filter (where due), coalesce(sum(bytes) filter (where due), 0)
		from (select bytes, removed_at, removed_at < ? as due from files not indexed where removed_at is not null)`, now.Add(-grace).Unix()).
		Scan(&r.Files, &r.Bytes, &last, &r.DueFiles, &r.DueBytes)
	if r.Files > 0 {
		r.Free = freeFrom(last)
	}
	return r, err
}
