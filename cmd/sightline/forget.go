package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// forgetOptions are the flags of forget.
type forgetOptions struct {
	team, product, website string
	dryRun, yes, now       bool
}

// subject is who is to be forgotten, and the catalog's part of them.
type subject struct {
	name string // "product 101"
	id   string // as it was given
	catalog.Belongings
	facts.Whose
}

func (a *app) forget() *cobra.Command {
	var o forgetOptions
	c := &cobra.Command{
		Use:   "forget --team ID | --product ID | --website ID",
		Short: "Remove all facts of a team, a product or a website for good",
		Long: `Remove the facts of a website (its visits), of a product (the visits to its websites and the
answers to its prompts, with their mentions and citations), or of all products of a team.
What goes is shown first, and must be confirmed, or --yes given.

What is no longer in the workspace leaves the catalog too: names, prompts, labels, websites,
and with a team its keys. What is still in the workspace stays there, and what is loaded for
it from now on counts. To delete a customer, take them out of the workspace file, apply it,
and then forget them.

Everything is removed at once, and a running server follows within a second. All other
answers stay as they are; mentions of a product in answers to the prompts of others are
theirs, and stay. What was loaded stays known: loading the same file again does not bring
anything back. Backups, exports and copies are beyond reach.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if given := flagsGiven(c, "team", "product", "website"); given != 1 {
				return wrong(c, "needs one of --team, --product and --website")
			}
			return a.runForget(c.Context(), o)
		},
	}
	a.factsFlag(c)
	c.Flags().StringVar(&o.team, "team", "", "id of the team whose products are forgotten")
	c.Flags().StringVar(&o.product, "product", "", "id of the product that is forgotten")
	c.Flags().StringVar(&o.website, "website", "", "websiteId of the website that is forgotten")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	c.Flags().BoolVar(&o.yes, "yes", false, "remove it without asking")
	c.Flags().BoolVar(&o.now, "now", false, "delete the files from before at once, also those of an earlier forget, not five minutes later: a server that is just opening them has to be started again")
	return c
}

// lookingThrough is shown while nobody knows yet how much there is to do.
const lookingThrough = "looking through the facts…"

func flagsGiven(c *cobra.Command, names ...string) (given int) {
	for _, name := range names {
		if c.Flags().Changed(name) {
			given++
		}
	}
	return given
}

func (a *app) runForget(ctx context.Context, o forgetOptions) error {
	who, err := a.subject(ctx, o)
	if err != nil {
		return err
	}
	store, err := a.factsStore()
	if err != nil {
		return err
	}
	bar := newProgress(a.stderr)
	bar.say(lookingThrough)
	plan, err := store.PlanForget(ctx, who.Whose)
	bar.clear()
	if err != nil {
		return err
	}
	if plan.Nothing() && who.Belongings.Nothing() {
		return a.forgetUnknown(ctx, who, plan, o)
	}
	if err := a.printForgotten(who, plan); err != nil {
		return err
	}
	switch {
	case o.dryRun:
		fmt.Fprintln(a.stdout, "\nThis was a dry run: nothing was removed.")
		return nil
	case plan.Nothing() && len(who.Active) > 0:
		fmt.Fprintln(a.stdout, "\nThere is nothing to remove.")
		_, err := a.sweepReplaced(ctx, plan, o)
		return err
	case !o.yes:
		if err := a.confirm(who); err != nil {
			return err
		}
	}
	return a.forgetNow(ctx, who, plan, o)
}

// forgetUnknown is a mistake, unless what was forgotten before has left files on
// the disk that --now removes.
func (a *app) forgetUnknown(ctx context.Context, who subject, plan facts.Forgotten, o forgetOptions) error {
	unknown := fmt.Errorf("nothing is known of %s: neither the catalog nor the facts have it", who.name)
	if o.dryRun {
		return unknown
	}
	swept, err := a.sweepReplaced(ctx, plan, o)
	if err == nil && swept == 0 {
		err = unknown
	}
	return err
}

// sweepReplaced removes with --now what was replaced before, and says so.
func (a *app) sweepReplaced(ctx context.Context, plan facts.Forgotten, o forgetOptions) (removed int, err error) {
	if !o.now || plan.Version == 0 { // a loader would found a data directory here
		return 0, nil
	}
	loader, err := a.openLoader(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, loader.Close()) }()
	if removed, err = loader.Sweep(ctx); err == nil && removed > 0 {
		fmt.Fprintf(a.stdout, "Removed from the disk: %s that had been replaced before.\n", plural(removed, "file"))
	}
	return removed, err
}

// subject finds what the flags name.
func (a *app) subject(ctx context.Context, o forgetOptions) (who subject, err error) {
	store, err := a.readCatalog(ctx)
	if err != nil {
		return who, err
	}
	defer store.Close()
	switch {
	case o.team != "":
		who.name, who.id = "team "+o.team, o.team
		who.Belongings, err = store.OfTeam(ctx, o.team)
	case o.product != "":
		id, ok := api.ParseProductID(o.product)
		if !ok {
			return who, usageError{fmt.Errorf("--product %q is no id of a product, such as 101", o.product)}
		}
		who.name, who.id = "product "+o.product, o.product
		who.Belongings, err = store.OfProduct(ctx, id)
		who.Whose.Products = []int64{id} // the facts may know one that the catalog does not
	default:
		who.name, who.id = "website "+o.website, o.website
		who.Belongings, err = store.OfWebsite(ctx, o.website)
		who.Whose.Websites = []string{o.website}
	}
	if len(who.Belongings.Products) > 0 {
		who.Whose.Products = who.Belongings.Products
	}
	if len(who.Belongings.Websites) > 0 {
		who.Whose.Websites = who.Belongings.Websites
	}
	return who, err
}

// printForgotten says what goes, and what stays.
func (a *app) printForgotten(who subject, f facts.Forgotten) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Of %s:\n\nWHAT\tROWS\t\n", who.name)
	websites := ""
	if n := len(who.Whose.Websites); n > 0 {
		websites = "of " + plural(n, "website") + ": " + some(who.Whose.Websites)
	}
	for _, row := range []struct {
		what string
		rows int64
		of   string
	}{{"visits", f.Visits, websites}, {"answers", f.Answers, ""}, {"mentions", f.Mentions, ""}, {"citations", f.Citations, ""}} {
		fmt.Fprintf(t, "%s\t%d\t%s\n", row.what, row.rows, row.of)
	}
	if !f.Nothing() {
		fmt.Fprintf(t, "written anew\t%d\tfiles, of the weeks %s to %s\n", f.Files, day(utc(f.First)), day(utc(f.Last)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	switch {
	case len(who.Active) > 0:
		fmt.Fprintf(a.stdout, "\nThe catalog keeps it, because it is still in the workspace (%s). What is loaded from now on counts.\n", some(who.Active))
	case !who.Belongings.Nothing():
		fmt.Fprintf(a.stdout, "\nFrom the catalog: %s.\n", catalogPart(who.Belongings))
	}
	return nil
}

// catalogPart says what leaves the catalog.
func catalogPart(b catalog.Belongings) string {
	var parts []string
	if b.Team != "" {
		parts = append(parts, "team "+b.Team, plural(len(b.Keys), "key"))
	}
	for _, part := range []struct {
		n    int
		what string
	}{{len(b.Products), "product"}, {len(b.Websites), "website"}, {len(b.Prompts), "prompt"}} {
		if part.n > 0 {
			parts = append(parts, plural(part.n, part.what))
		}
	}
	return strings.Join(parts, ", ")
}

// some lists the first few.
func some(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
	}
	return strings.Join(names, ", ")
}

// confirm asks a person to type the id: a yes is given too quickly.
func (a *app) confirm(who subject) error {
	nobody := usageError{errors.New("forget asks before it removes anything, and there is nobody to ask: give --yes")}
	in, ok := a.stdin.(*os.File)
	if !ok || !isTerminal(in) {
		return nobody
	}
	fmt.Fprintf(a.stderr, "\nThis cannot be undone. Type %s to remove it: ", who.id)
	line, err := bufio.NewReader(in).ReadString('\n')
	switch {
	case line == "" && err != nil: // no terminal, though it looks like one, or Ctrl-D
		fmt.Fprintln(a.stderr) // the prompt's line has not ended
		return nobody
	case strings.TrimSpace(line) != who.id:
		return errors.New("that is another name: nothing was removed")
	}
	return nil
}

// forgetNow removes the facts, and then what the catalog has. In this order a
// kill between the two can be mended by doing it again: the catalog still knows
// whose websites they were.
func (a *app) forgetNow(ctx context.Context, who subject, f facts.Forgotten, o forgetOptions) (err error) {
	if !f.Nothing() {
		if f, err = a.forgetFacts(ctx, who, o.now); err != nil {
			return err
		}
	} else if _, err := a.sweepReplaced(ctx, f, o); err != nil {
		return err
	}
	if len(who.Active) == 0 && !who.Belongings.Nothing() {
		err := a.changeCatalog(ctx, func(s *catalog.Store) error { return s.Forget(ctx, who.Belongings) })
		if err != nil {
			return fmt.Errorf("the facts are removed, the catalog's part is not: do it again: %w", err)
		}
	}
	fmt.Fprintf(a.stdout, "\nRemoved for good, in version %d of the facts.\n", f.Version)
	if !f.Nothing() && !o.now {
		fmt.Fprintf(a.stdout, "The files from before leave the disk by %s, or at once if this is run again with --now.\n", nextSweep(f.Free, time.Now()))
	}
	fmt.Fprintln(a.stdout, "Backups, exports and copies that were made before still have it: remove it there, too.")
	if entries, err := os.ReadDir(a.dir().Rejects()); err == nil && len(entries) > 0 {
		fmt.Fprintf(a.stdout, "Rejected lines in %s may be of it: look through them.\n", a.dir().Rejects())
	}
	return nil
}

func (a *app) forgetFacts(ctx context.Context, who subject, now bool) (f facts.Forgotten, err error) {
	loader, err := a.openLoader(ctx)
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, loader.Close()) }()
	bar := newProgress(a.stderr)
	bar.say(lookingThrough)
	f, err = loader.Forget(ctx, who.Whose, bar.rewritten)
	bar.clear()
	if err == nil && now {
		_, err = loader.Sweep(ctx)
	}
	return f, err
}
