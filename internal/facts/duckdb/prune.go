package duckdb

import (
	"context"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Pruned says what a prune removes, or would remove.
type Pruned struct {
	Version  int64   // of the facts, after it
	KeptFrom int64   // start of the first week that stays
	Removed  []Weeks // by kind and week
	// Whole is what stays although it starts before KeptFrom: a file that
	// covers a run of weeks goes only when all its weeks go.
	Whole []Weeks
	Free  time.Time // from when on the next load or prune frees the room

	files []file
}

// Prune removes the facts of all weeks that have ended at a time, as one new
// version, or none where there is nothing to remove. Inputs stay known, so
// that loading one again does not bring its weeks back. The files stay on the
// disk for the grace period, like those that a load replaces.
func (l *Loader) Prune(ctx context.Context, before time.Time) (Pruned, error) {
	p, err := l.manifest.planPrune(ctx, before)
	if err != nil || len(p.files) == 0 {
		return p, err
	}
	p.Version, err = l.manifest.publish(ctx, change{remove: p.files})
	p.Free = freeFrom(time.Now().Unix())
	return p, err
}

// PlanPrune says what a prune would remove now. Like ReadStatus it only reads.
// Where nothing was ever loaded, its version is 0.
func PlanPrune(ctx context.Context, dir string, before time.Time) (p Pruned, err error) {
	p.KeptFrom = facts.Week(before.Unix())
	err = reading(ctx, dir, func(m *manifest) error {
		p, err = m.planPrune(ctx, before)
		return err
	})
	return p, err
}

func (m *manifest) planPrune(ctx context.Context, before time.Time) (Pruned, error) {
	version, files, err := m.current(ctx)
	p := planPrune(files, before)
	p.Version = version
	return p, err
}

// planPrune picks the files whose last week has ended.
func planPrune(files []file, before time.Time) Pruned {
	p := Pruned{KeptFrom: facts.Week(before.Unix())}
	for _, f := range files {
		switch {
		case f.lastWeek < p.KeptFrom:
			p.files = append(p.files, f)
			p.Removed = append(p.Removed, f.weeks())
		case f.firstWeek < p.KeptFrom:
			p.Whole = append(p.Whole, f.weeks())
		}
	}
	return p
}

func (f file) weeks() Weeks {
	return Weeks{Kind: f.kind, First: f.firstWeek, Last: f.lastWeek, Files: 1, Rows: f.rows, Bytes: f.bytes, Newest: f.newest}
}
