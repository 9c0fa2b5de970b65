package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/ingest"
	"github.com/sightline-hq/sightline/internal/show"
)

func (a *app) load() *cobra.Command {
	return group("load", "Load files into the data directory",
		a.loadSource("answers FILE…", "Load AI answers", ingest.Answers),
		a.loadSource("pageviews FILE…", "Load pageviews", ingest.Pageviews),
		a.loadLogs())
}

// loadOptions are the flags of load.
type loadOptions struct {
	source ingest.Source
	files  []string
	log    ingest.LogOptions
	agents string // a file
	salt   string
	dryRun bool
}

func (a *app) loadSource(use, short string, source ingest.Source) *cobra.Command {
	o := &loadOptions{source: source}
	c := &cobra.Command{
		Use:   use,
		Short: short,
		Long: short + `.

Files are NDJSON (one JSON object a line), CSV with the field names in the first line, or
Parquet; they may be compressed with gzip or zstd. ` + loadRules,
		Args: someArgs("a file"),
		RunE: func(c *cobra.Command, files []string) error {
			o.files = files
			return a.runLoad(c.Context(), o)
		},
	}
	a.loadFlags(c, o)
	return c
}

const loadRules = `"-" reads standard input, and patterns in
quotes are expanded.

All files are one load: everything in them is published at once, or nothing. A file that
was loaded before is recognised by its content and skipped; of one that has grown since,
only what is new is read. Lines that are wrong are written to a reject file with their
reason; if they are more than one in ten, nothing is published.`

func (a *app) loadFlags(c *cobra.Command, o *loadOptions) {
	a.factsFlag(c)
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "read and check everything, publish nothing")
	c.Flags().BoolVar(&a.newSecret, "new-secret", false, "load with another visitor secret than before, because that one is lost: visitors of this week count twice")
	if o.source.Kind() == facts.KindVisits {
		c.Flags().StringVar(&o.agents, "agents", "", agentsUsage)
		c.Flags().StringVar(&o.salt, "visitor-salt", string(ingest.SaltWeek), "for how long a visitor without an id is known again: week or day")
	}
}

// newJob is a load of what the options say; it has no loader yet.
func (a *app) newJob(ctx context.Context, o *loadOptions) (*ingest.Job, error) {
	snapshot, err := a.catalogNow(ctx)
	if err != nil {
		return nil, err
	}
	var salt ingest.Salt
	if o.salt != "" {
		if salt, err = ingest.ParseSalt(o.salt); err != nil {
			return nil, usageError{fmt.Errorf("--visitor-salt %w", err)}
		}
	}
	table, err := agentTable(o.agents)
	if err != nil {
		return nil, err
	}
	if _, err := a.factsStore(); err != nil { // before folders are made
		return nil, err
	}
	if err := a.dir().Create(); err != nil {
		return nil, err
	}
	secret, err := a.dir().Secret()
	if err != nil {
		return nil, err
	}
	return &ingest.Job{
		Source: o.source, Files: o.files, Catalog: snapshot, Agents: table, Secret: secret, Salt: salt, Rejects: a.dir().Rejects(),
		Spool: a.dir().Facts(), Stdin: a.stdin, Log: o.log, DryRun: o.dryRun,
	}, nil
}

func (a *app) runLoad(ctx context.Context, o *loadOptions) error {
	started := time.Now()
	job, err := a.newJob(ctx, o)
	if err != nil {
		return err
	}
	bar := newProgress(a.stderr)
	job.OnProgress = bar.show
	summary, err := a.runJob(ctx, job)
	bar.clear()
	if summary != nil {
		safe := show.NewSafe(a.stdout) // names and values come from outside
		printSummary(safe, o, summary, time.Since(started))
		if err := safe.Flush(); err != nil {
			return err
		}
	}
	if errors.Is(err, ingest.ErrRejected) {
		if summary.RejectFile == "" {
			return err // a dry run
		}
		return fmt.Errorf("%w: mend %s, or leave the lines out that %s lists, and load it again",
			err, strings.Join(o.files, ", "), summary.RejectFile)
	}
	return err
}

// loadMemory is how much Go's part of a load should take; the engine has a
// bound of its own, and both together stay below 1 GiB.
const loadMemory = 320 << 20

// runJob opens what a job reads, then takes its turn among the loads.
func (a *app) runJob(ctx context.Context, job *ingest.Job) (*ingest.Summary, error) {
	defer job.Close()
	if err := job.Open(ctx); err != nil {
		return nil, err
	}
	loader, err := a.openLoader(ctx)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	if err := a.notHalfCopied(ctx); err != nil {
		return nil, err
	}
	debug.SetMemoryLimit(loadMemory)
	job.Loader = loader
	return job.Run(ctx)
}

// waiting says that another load has to end first.
func (a *app) waiting(who string) {
	fmt.Fprintf(a.stderr, "Another load is running (%s); waiting for it to end.\n", who)
}

func (a *app) openLoader(ctx context.Context) (facts.Loader, error) {
	if err := a.dir().Create(); err != nil {
		return nil, err
	}
	secret, err := a.dir().Secret() // made before the first fact, missed after it
	if err != nil {
		return nil, err
	}
	store, err := a.factsStore()
	if err != nil {
		return nil, err
	}
	loader, err := store.OpenLoader(ctx, a.waiting)
	if err != nil {
		return nil, err
	}
	err = a.sameSecret(ctx, loader, secret)
	if err == nil && a.facts == "" {
		err = a.dir().NoteFacts()
	}
	if err != nil {
		return nil, errors.Join(err, loader.Close())
	}
	return loader, nil
}

func printSummary(w io.Writer, o *loadOptions, s *ingest.Summary, took time.Duration) {
	printFiles(w, o, s)
	if s.Lines == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	slices.Sort(s.Formats)
	for _, format := range slices.Compact(s.Formats) {
		fmt.Fprintf(t, "format\t%s\n", format)
	}
	fmt.Fprintf(t, "lines read\t%d\n", s.Lines)
	if o.source.Kind() == facts.KindVisits {
		fmt.Fprintf(t, "visits\t%d\t%d by bots, %d by humans\n", s.Accepted, s.Bots, s.Humans)
	} else {
		fmt.Fprintf(t, "answers\t%d\n", s.Accepted)
	}
	printReasons(t, "platform", s.Platforms, 8)
	if s.OtherHosts > 0 {
		fmt.Fprintf(t, "other hosts\t%d\tlines name another host than the website's; --website counts them all the same\n", s.OtherHosts)
	}
	printReasons(t, "dropped", s.Dropped, len(s.Dropped))
	rejected := make(map[string]int64)
	for reason, n := range s.Rejected {
		rejected[reason+", "+s.Examples[reason]] = n
	}
	printReasons(t, "rejected", rejected, len(rejected))
	if s.RejectFile != "" {
		fmt.Fprintf(t, "rejected lines\t%s\n", s.RejectFile)
	}
	printPublished(t, o, s)
	fmt.Fprintf(t, "seconds\t%.1f\n", took.Seconds())
}

// printFiles says which files were not, or not wholly, read.
func printFiles(w io.Writer, o *loadOptions, s *ingest.Summary) {
	for _, f := range s.Known {
		if f.At.IsZero() {
			fmt.Fprintf(w, "%s is the same as another file of this load: skipped.\n", f.Name)
			continue
		}
		fmt.Fprintf(w, "%s was loaded before (%s)%s: skipped.\n", f.Name, minute(f.At), loadedFor(f, o))
		if elsewhere(f, o) {
			fmt.Fprintf(w, "  Nothing of it was loaded for %s now. %s\n", o.log.Website, loadElsewhere(f, o))
		}
	}
	for _, name := range s.Empty {
		fmt.Fprintf(w, "%s is empty: skipped.\n", name)
	}
	for _, f := range s.Grown {
		fmt.Fprintf(w, "%s has grown since it was loaded%s: only what is new was read.\n", f.Name, loadedFor(f, o))
		if elsewhere(f, o) {
			fmt.Fprintf(w, "  What is new was loaded for %s, the beginning was not. %s\n", o.log.Website, loadElsewhere(f, o))
		}
	}
	for _, f := range s.Shorter {
		fmt.Fprintf(w, "%s begins as %s does, which was loaded, and is shorter: skipped (is it a copy that is being made?).\n", f.Name, f.Of)
	}
	for _, name := range s.Unfinished {
		fmt.Fprintf(w, "%s: the last line has no newline yet: left for the next load (if nobody is writing to the file, load it again in a minute).\n", name)
	}
}

// elsewhere tells whether a file was loaded for another website than the one that
// is named now.
func elsewhere(f ingest.KnownFile, o *loadOptions) bool {
	return o.log.Website != "" && f.Website != o.log.Website
}

func loadedFor(f ingest.KnownFile, o *loadOptions) string {
	switch {
	case f.Website != "" && f.Website != o.log.Website:
		return " for website " + f.Website
	case elsewhere(f, o):
		return " without --website"
	}
	return ""
}

// loadElsewhere says what to do about a file that was loaded for another website.
func loadElsewhere(f ingest.KnownFile, o *loadOptions) string {
	text := "A file is known by its content; with an empty line before it, it is another one:\n" +
		"  (echo; cat FILE) | sightline load logs --website " + o.log.Website + " -"
	if f.Website != "" {
		text += "\n  What was loaded for " + f.Website + " stays; 'sightline forget --website " + f.Website + "' removes all visits to it."
	}
	return text
}

func printPublished(w io.Writer, o *loadOptions, s *ingest.Summary) {
	switch {
	case o.dryRun:
		fmt.Fprintf(w, "published\tnothing\tthis was a dry run\n")
	case s.Published.Version == 0 && s.Accepted == 0 && s.RejectedLines() == 0:
		fmt.Fprintf(w, "published\tnothing\tno line counts; the file can be loaded again\n")
	case s.Published.Version == 0:
		fmt.Fprintf(w, "published\tnothing\n")
	default:
		// Those of this load that a later line of it replaced count as well.
		if replaced := s.Published.Replaced + s.Accepted - s.Published.Rows; replaced > 0 {
			fmt.Fprintf(w, "replaced\t%d\tolder ones with the same id\n", replaced)
		}
		fmt.Fprintf(w, "published\t%s\tversion %d\n", plural(len(s.Published.Weeks), "week"), s.Published.Version)
		printFuture(w, s.Published.Weeks, time.Now())
	}
}

// printFuture tells of weeks that have not begun: somebody's clock is wrong.
func printFuture(w io.Writer, weeks []int64, now time.Time) {
	future := slices.DeleteFunc(slices.Clone(weeks), func(week int64) bool { return week <= now.Unix() })
	if len(future) > 0 {
		last := time.Unix(slices.Max(future), 0).UTC().Format(time.DateOnly)
		fmt.Fprintf(w, "in the future\t%s\tthe last begins on %s: see the clock of what wrote these events\n", plural(len(future), "week"), last)
	}
}

// printReasons prints the most frequent ones.
func printReasons(w io.Writer, what string, reasons map[string]int64, most int) {
	names := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		if reasons[a] != reasons[b] {
			return int(reasons[b] - reasons[a])
		}
		return strings.Compare(a, b)
	})
	for _, name := range names[:min(most, len(names))] {
		fmt.Fprintf(w, "%s\t%d\t%s\n", what, reasons[name], name)
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
