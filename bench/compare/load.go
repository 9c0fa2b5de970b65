package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/bench/compare/engines"
	"github.com/sightline-hq/sightline/bench/compare/report"
	"github.com/sightline-hq/sightline/bench/compare/sightline"
)

// kinds are Sightline's facts, by the command that loads them.
var kinds = []struct{ facts, command, pattern string }{
	{"visits", "logs", "visits-*.log"},
	{"answers", "answers", "answers-*.ndjson"},
}

func (b *bench) files() string { return filepath.Join(b.root, "files") }

// makeData writes what Sightline loads.
func (b *bench) makeData() error {
	started := time.Now()
	if err := b.world.WriteFiles(b.files(), progress("making the data")); err != nil {
		return err
	}
	if took := time.Since(started).Seconds(); took > b.results.Making { // not if all was there
		b.results.Making = took
	}
	return nil
}

// load loads everything into a new data directory.
func (b *bench) load(ctx context.Context) error {
	p := b.sightline()
	for _, kind := range kinds {
		delete(b.results.Loads, kind.facts)
	}
	loads, err := fill(ctx, p, b.world, b.files())
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		b.results.Loads[kind.facts] = &report.Load{Loaded: loads[kind.facts]}
	}
	return nil
}

// sizes measures what was loaded, also if it was migrated since.
func (b *bench) sizes(ctx context.Context) (err error) {
	for _, kind := range kinds {
		l := b.results.Loads[kind.facts]
		if l == nil {
			return errors.New("load everything first (stage load)")
		}
		if l.Sizes, err = sightline.Measure(ctx, b.sightline().Data, kind.facts); err != nil {
			return err
		}
	}
	return nil
}

// fill applies a world and loads it into a new data directory.
func fill(ctx context.Context, p sightline.Program, world *data.World, files string) (map[string]sightline.Loaded, error) {
	if err := os.RemoveAll(p.Data); err != nil {
		return nil, err
	}
	workspace, err := world.Workspace()
	if err != nil {
		return nil, err
	}
	if err := p.Apply(ctx, workspace); err != nil {
		return nil, err
	}
	loads := make(map[string]sightline.Loaded)
	for _, kind := range kinds {
		l, err := p.Load(ctx, kind.command, filepath.Join(files, kind.pattern))
		if err != nil {
			return nil, err
		}
		say("loaded %d %s in %.1f s", l.Rows, kind.facts, l.Seconds)
		loads[kind.facts] = l
	}
	return loads, nil
}

// month is the part of the data that is loaded with and without counts.
const month = "2026-06"

// counts loads a month with and without the tables that are made to answer
// faster, in turns, to see what those cost: a second program is built that does
// not make them.
func (b *bench) counts(ctx context.Context) error {
	plain := filepath.Join(b.root, "sightline-nocounts")
	out, err := exec.CommandContext(ctx, "go", "build", "-tags", "nocounts", "-o", plain, "github.com/sightline-hq/sightline/cmd/sightline").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	for _, kind := range kinds {
		l := b.results.Loads[kind.facts]
		if l == nil {
			return errors.New("load everything first (stage load)")
		}
		l.Counted, l.Uncounted = nil, nil
	}
	for range 3 {
		if err := b.loadMonth(ctx, b.program, func(l *report.Load) *[]float64 { return &l.Counted }); err != nil {
			return err
		}
		if err := b.loadMonth(ctx, plain, func(l *report.Load) *[]float64 { return &l.Uncounted }); err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(b.root, "part"))
}

// loadMonth loads a part of the data with a program, and notes how long that takes.
func (b *bench) loadMonth(ctx context.Context, program string, times func(*report.Load) *[]float64) error {
	p := sightline.Program{Path: program, Data: filepath.Join(b.root, "part")}
	if err := os.RemoveAll(p.Data); err != nil {
		return err
	}
	workspace, err := b.world.Workspace()
	if err != nil {
		return err
	}
	if err := p.Apply(ctx, workspace); err != nil {
		return err
	}
	for _, kind := range kinds {
		l, err := p.Load(ctx, kind.command, filepath.Join(b.files(), strings.Replace(kind.pattern, "*", month+"-*", 1)))
		if err != nil {
			return err
		}
		to := times(b.results.Loads[kind.facts])
		*to = append(*to, l.Seconds)
	}
	return nil
}

// fillEngine fills an engine with the same events, once.
func (b *bench) fillEngine(ctx context.Context, name string) error {
	i := slices.IndexFunc(b.kinds, func(k engines.Kind) bool { return k.Name == name })
	if i < 0 {
		say("left out")
		return nil
	}
	k, folder := b.kinds[i], filepath.Join(b.root, name)
	started := time.Now()
	err := engines.Fill(ctx, k, folder, b.world, func(t data.Table) data.Progress { return progress(k.Title + ", " + string(t)) })
	if err != nil {
		return fmt.Errorf("%w (--without %s leaves it out)", err, name)
	}
	e := report.Engine{Name: name, Title: k.Title, Seconds: time.Since(started).Seconds()}
	for _, old := range b.results.Engines {
		if old.Name == name && e.Seconds < 1 { // it was filled before
			e.Seconds = old.Seconds
		}
	}
	if e.Bytes, err = plainBytes(folder); err != nil {
		return err
	}
	b.results.Put(e)
	return nil
}
