package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// Reseal makes the manifest agree with a file that was changed.
func Reseal(ctx context.Context, dir, name string) (err error) {
	m, err := openManifest(ctx, dir, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	sum, err := sumOf(ctx, path, nil)
	if err != nil {
		return err
	}
	return m.tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "update files set bytes = ?, sha256 = ? where name = ?", info.Size(), sum, name); err != nil {
			return err
		}
		return addToSeal(ctx, tx, inputsSum{})
	})
}

// SetClock gives a loader another clock.
func (l *Loader) SetClock(now func() time.Time) { l.manifest.now = now }

// SweepOld removes what may go, as the next loader would.
func (l *Loader) SweepOld(ctx context.Context) error { return l.sweep(ctx) }

// Unsummed opens the files of a folder before any sum was compared, and returns
// why some are left out, by name.
func Unsummed(ctx context.Context, dir string) (absent map[string]error, err error) {
	err = reading(ctx, dir, func(m *manifest) error {
		version, files, err := m.current(ctx)
		if err != nil {
			return err
		}
		s, err := newSet(ctx, newInspector(dir), version, files, map[string]error{}, newHot(0), Options{})
		if err != nil {
			return err
		}
		defer s.Close()
		absent = s.absent
		return nil
	})
	return absent, err
}

// HoldAtMost sets how many rows of the totals, directories and user agents a request
// holds, until the test ends.
func HoldAtMost(t *testing.T, n int) {
	before := kept.Bounds
	kept.Bounds.Totals, kept.Bounds.Directories, kept.Bounds.Agents = n, n, n
	t.Cleanup(func() { kept.Bounds = before })
}

// DigestsAtHand lists the weeks of which a set has digests of mentions at hand.
func DigestsAtHand(s facts.Set, product int64) (weeks []int64) {
	of := s.(*set)
	for _, f := range of.files {
		for _, week := range weeksOf(f, f.firstWeek, f.lastWeek+facts.WeekSeconds-1) {
			d, err := of.textReader(product).directories(context.Background(), f, []int64{week})
			if err == nil && len(d[week].Kinds) > 0 {
				if _, _, ok := of.hot.textsAtHand(f, []string{mentionsDigest}, product, textOf{week, d[week].Kinds[0].Number}); ok {
					weeks = append(weeks, week)
				}
			}
		}
	}
	return weeks
}
