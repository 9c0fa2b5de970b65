package duckdb

import (
	"context"
	"errors"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Pruned says what a prune removes, or would remove.
type Pruned struct {
	Version  int64   // of the facts, after it
	KeptFrom int64   // start of the first week that stays
	Removed  []Weeks // files, by kind and week
	// Cut is files of which only the later weeks stay; Rows and Bytes are those
	// of the whole file.
	Cut  []Weeks
	Free time.Time // from when on the next load or prune frees the room

	files, cut []file
}

// Nothing says that there is nothing to remove.
func (p Pruned) Nothing() bool { return len(p.Removed)+len(p.Cut) == 0 }

// Prune removes the facts of all weeks that have ended at a time, as one new
// version, or none where there is nothing to remove. Inputs stay known, so
// that loading one again does not bring its weeks back. The files stay on the
// disk for the grace period, like those that a load replaces.
func (l *Loader) Prune(ctx context.Context, before time.Time) (Pruned, error) {
	p, err := l.manifest.planPrune(ctx, before)
	if err != nil || p.Nothing() {
		return p, err
	}
	c := change{remove: append(p.files, p.cut...)}
	for _, kind := range []facts.Kind{facts.KindAnswers, facts.KindVisits} {
		if err := l.cut(ctx, kind, p, &c); err != nil {
			return p, err
		}
	}
	p.Version, err = l.manifest.publish(ctx, c)
	p.Free = freeFrom(time.Now().Unix())
	return p, err
}

// cut writes the files anew of which the later weeks stay.
func (l *Loader) cut(ctx context.Context, kind facts.Kind, p Pruned, c *change) (err error) {
	var spans []span
	for _, f := range p.cut {
		if f.kind == kind {
			spans = append(spans, span{p.KeptFrom, f.lastWeek, []file{f}})
		}
	}
	if len(spans) == 0 {
		return nil
	}
	s, err := l.begin(ctx, kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Abort()) }()
	built, err := s.buildAll(ctx, spans, p.Version+1)
	if err != nil {
		return err
	}
	var kept []file
	for _, f := range built {
		if f.rows > 0 {
			kept = append(kept, f)
		}
	}
	c.add = append(c.add, kept...)
	return s.install(kept)
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

// planPrune picks the files with weeks that have ended.
func planPrune(files []file, before time.Time) Pruned {
	p := Pruned{KeptFrom: facts.Week(before.Unix())}
	for _, f := range files {
		switch {
		case f.lastWeek < p.KeptFrom:
			p.files = append(p.files, f)
			p.Removed = append(p.Removed, f.weeks())
		case f.firstWeek < p.KeptFrom:
			p.cut = append(p.cut, f)
			p.Cut = append(p.Cut, f.weeks())
		}
	}
	return p
}

func (f file) weeks() Weeks {
	return Weeks{Kind: f.kind, First: f.firstWeek, Last: f.lastWeek, Files: 1, Rows: f.rows, Bytes: f.bytes, Newest: f.newest}
}
