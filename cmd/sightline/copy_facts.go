package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/transfer"
)

// copyFacts copies the facts into a database, and compares the two. Nothing is
// loaded into the source meanwhile.
func (a *app) copyFacts(ctx context.Context, to string) (err error) {
	target := *a
	target.facts = to
	if err := a.checkData(); err != nil {
		return err
	}
	source, err := a.openLoader(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	inputs := make(map[facts.Kind][]facts.Input)
	for _, kind := range shownKinds {
		if inputs[kind], err = source.Inputs(ctx, kind); err != nil {
			return err
		}
	}
	from, err := a.followFacts(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if err := target.receive(ctx, from, inputs); err != nil {
		return err
	}
	return compareFacts(ctx, from, &target)
}

// followFacts opens the facts for reading.
func (a *app) followFacts(ctx context.Context) (facts.Live, error) {
	store, err := a.factsStore()
	if err != nil {
		return nil, err
	}
	return store.Follow(ctx, facts.Following{Poll: pollEvery, Memory: copyMemory, Spill: os.TempDir()})
}

// copyMemory is what the engine that is read from may take.
const copyMemory = 512 << 20

// receive loads the facts of a source.
func (a *app) receive(ctx context.Context, from facts.Source, inputs map[facts.Kind][]facts.Input) (err error) {
	loader, err := a.openLoader(ctx)
	if errors.Is(err, errForeignSecret) {
		return fmt.Errorf("the target has facts already, of another data directory: %w", transfer.ErrTarget)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, loader.Close()) }()
	bar := newProgress(a.stderr)
	copied, err := transfer.Copy(ctx, from, inputs, loader, bar.weeks)
	bar.clear()
	if errors.Is(err, transfer.ErrTarget) {
		return err
	}
	if err != nil {
		fmt.Fprintln(a.stderr, "What was copied stays: the same command goes on with the rest. Load nothing into the target before it has ended.")
		return err
	}
	if copied.Known > 0 {
		fmt.Fprintf(a.stdout, "Copied before: %s.\n", plural(int(copied.Known), "week"))
	}
	_, err = fmt.Fprintf(a.stdout, "Copied %s with %s; %s known there.\n", plural(int(copied.Weeks), "week"), plural(int(copied.Rows), "row"), plural(int(copied.Inputs), "input"))
	return err
}

// errHalfCopied means that facts lack weeks which a copy has not brought yet.
var errHalfCopied = errors.New("a copy into these facts has not come to its end: run the same 'sightline copy' again, which goes on where it was")

// notHalfCopied refuses facts in a database that lack weeks of a copy.
func (a *app) notHalfCopied(ctx context.Context) error {
	if a.facts == "" {
		return nil
	}
	store, err := a.factsStore()
	if err != nil {
		return err
	}
	status, err := store.Status(ctx)
	if err == nil && transfer.Unfinished(status) {
		err = errHalfCopied
	}
	return err
}

// compareFacts compares source and target: every week by its sums, and some by
// the figures that reports are made of.
func compareFacts(ctx context.Context, from facts.Live, target *app) (err error) {
	to, err := target.followFacts(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	bar := newProgress(target.stderr)
	same, err := transfer.Compare(ctx, from, to, bar.weeks)
	bar.clear()
	if err != nil {
		return fmt.Errorf("the copy is not the same as the source: %w", err)
	}
	_, err = fmt.Fprintf(target.stdout, "Compared the sums of %s and %s of figures: they are the same.\n", plural(int(same.Weeks), "week"), plural(int(same.Rows), "row"))
	return err
}

// weeks shows which week is copied or compared.
func (p *progress) weeks(step transfer.Step, kind facts.Kind, week, done, weeks int64) {
	p.say("%s the %s of the week %s, %d of %d…", step, kind, day(utc(week)), done+1, weeks)
}
