package duckdb

import (
	"context"
	"errors"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// pruning is a prune, with the files that it removes and those that it cuts.
type pruning struct {
	facts.Pruned
	files, cut []file
}

// Prune implements facts.Loader. The files stay on the disk for the grace
// period, like those that a load replaces.
func (l *Loader) Prune(ctx context.Context, before time.Time, progress func(done, all int)) (facts.Pruned, error) {
	p, err := l.manifest.planPrune(ctx, before)
	if err != nil || p.Nothing() {
		return p.Pruned, err
	}
	c := change{remove: append(p.files, p.cut...)}
	told := counted(len(p.cut), progress)
	for _, kind := range []facts.Kind{facts.KindAnswers, facts.KindVisits} {
		if err := l.cut(ctx, kind, p, &c, told); err != nil {
			return p.Pruned, err
		}
	}
	p.Version, err = l.manifest.publish(ctx, c)
	p.Free = freeFrom(l.manifest.now().Unix())
	return p.Pruned, err
}

// cut writes the files anew of which the later weeks stay.
func (l *Loader) cut(ctx context.Context, kind facts.Kind, p pruning, c *change, told func(*stage)) error {
	var spans []span
	for _, f := range p.cut {
		if f.kind == kind {
			spans = append(spans, span{p.KeptFrom, f.lastWeek, []file{f}})
		}
	}
	return l.rewrite(ctx, kind, spans, p.Version+1, c, told)
}

// rewrite builds the files of spans from old ones alone, and adds them to a
// change. Those that have no rows left are not kept.
func (l *Loader) rewrite(ctx context.Context, kind facts.Kind, spans []span, version int64, c *change, prepare func(*stage)) (err error) {
	if len(spans) == 0 {
		return nil
	}
	s, err := l.begin(ctx, kind)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Abort()) }()
	prepare(s)
	built, err := s.buildAll(ctx, spans, version)
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

// counted has a stage tell how many of all files are made.
func counted(all int, progress func(done, all int)) func(*stage) {
	made := 0
	return func(s *stage) {
		if made == 0 {
			progress(0, all)
		}
		s.onBuilt = func() {
			made++
			progress(made, all)
		}
	}
}

// PlanPrune says what a prune would remove now. Like ReadStatus it only reads.
// Where nothing was ever loaded, its version is 0.
func PlanPrune(ctx context.Context, dir string, before time.Time) (p facts.Pruned, err error) {
	p.KeptFrom = facts.Week(before.Unix())
	err = reading(ctx, dir, func(m *manifest) error {
		plan, err := m.planPrune(ctx, before)
		p = plan.Pruned
		return err
	})
	return p, err
}

func (m *manifest) planPrune(ctx context.Context, before time.Time) (pruning, error) {
	version, files, err := m.current(ctx)
	p := planPrune(files, before)
	p.Version = version
	return p, err
}

// planPrune picks the files with weeks that have ended.
func planPrune(files []file, before time.Time) pruning {
	p := pruning{Pruned: facts.Pruned{KeptFrom: facts.Week(before.Unix())}}
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

func (f file) weeks() facts.Weeks {
	return facts.Weeks{Kind: f.kind, First: f.firstWeek, Last: f.lastWeek, Files: 1, Rows: f.rows, Bytes: f.bytes, Newest: f.newest}
}
