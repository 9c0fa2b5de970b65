package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/facts"
)

func (a *app) prune() *cobra.Command {
	var date string
	var dryRun bool
	c := &cobra.Command{
		Use:   "prune --before DATE",
		Short: "Remove the facts of weeks before a date",
		Long: `Remove the visits and answers of all weeks, Monday to Sunday in UTC, that end before a
date such as 2026-01-01. The week that the date is inside stays. A file that covers
several weeks is written anew with those that stay.

Everything is removed at once, and a running server follows within a second. The room
on the disk is freed a few minutes later, by the next load or prune. What was loaded
stays known: loading the same file again does not bring its weeks back. A new file with
events of those weeks does.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if date == "" {
				return wrong(c, "needs --before DATE, such as --before 2026-01-01")
			}
			before, err := parseBefore(date, time.Now())
			if err != nil {
				return usageError{err}
			}
			return a.runPrune(c.Context(), before, dryRun)
		},
	}
	a.factsFlag(c)
	c.Flags().StringVar(&date, "before", "", "remove the weeks that end before this day, such as 2026-01-01 (UTC)")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	return c
}

// parseBefore reads a date. One in the future is a mistake: a prune that was
// meant for last year must not empty this one.
func parseBefore(text string, now time.Time) (time.Time, error) {
	date, err := time.Parse(time.DateOnly, text)
	switch {
	case err != nil:
		return date, fmt.Errorf("--before %q is not a date: write it as 2026-01-31", text)
	case date.After(now):
		return date, fmt.Errorf("--before %s is in the future: give today, %s, or an earlier date", text, day(now))
	case date.Unix() < facts.FirstSecond:
		return date, fmt.Errorf("--before %s: no fact is older than %s", text, day(utc(facts.FirstSecond)))
	}
	return date, nil
}

func (a *app) runPrune(ctx context.Context, before time.Time, dryRun bool) error {
	if err := a.dir().Check(); err != nil {
		return err
	}
	store, err := a.factsStore()
	if err != nil {
		return err
	}
	pruned, err := store.PlanPrune(ctx, before)
	if err != nil {
		return err
	}
	if !dryRun && pruned.Version > 0 { // else a loader would found a data directory here
		if pruned, err = a.pruneNow(ctx, before); err != nil {
			return err
		}
	}
	return printPruned(a.stdout, pruned, dryRun)
}

func (a *app) pruneNow(ctx context.Context, before time.Time) (facts.Pruned, error) {
	loader, err := a.openLoader(ctx)
	if err != nil {
		return facts.Pruned{}, err
	}
	bar := newProgress(a.stderr)
	pruned, err := loader.Prune(ctx, before, bar.rewritten)
	bar.clear()
	return pruned, errors.Join(err, loader.Close())
}

func printPruned(w io.Writer, p facts.Pruned, dryRun bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	keptFrom := day(utc(p.KeptFrom))
	switch {
	case p.Nothing():
		fmt.Fprintf(t, "Nothing to remove: facts from %s on are kept.\n", keptFrom)
	default:
		printRemoved(t, p)
		if dryRun {
			fmt.Fprintf(t, "\nThis was a dry run: nothing was removed. Facts from %s on would be kept.\n", keptFrom)
			break
		}
		fmt.Fprintf(t, "\nRemoved, in version %d. Facts from %s on are kept.\n", p.Version, keptFrom)
		fmt.Fprintf(t, "The room on the disk is freed by %s.\n", nextSweep(p.Free, time.Now()))
	}
	return t.Flush()
}

// printRemoved lists what goes: whole files, and the earlier weeks of some.
func printRemoved(w io.Writer, p facts.Pruned) {
	if len(p.Removed) > 0 {
		fmt.Fprint(w, "KIND\tFIRST WEEK\tLAST WEEK\tFILES\tROWS\tSIZE\n")
	}
	for _, kind := range shownKinds {
		if k := facts.Total(kind, p.Removed); k.Files > 0 {
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", kind, day(utc(k.First)), day(utc(k.Last)), k.Files, k.Rows, size(k.Bytes))
		}
	}
	for _, k := range p.Cut {
		fmt.Fprintf(w, "Of the %s of the weeks %s to %s, which are in one file, those before %s go.\n",
			k.Kind, day(utc(k.First)), day(utc(k.Last)), day(utc(p.KeptFrom)))
	}
}
