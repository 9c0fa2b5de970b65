package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sightline-hq/sightline/internal/ingest"
)

// follow loads standard input as it comes, until it ends or is stopped.
func (a *app) follow(ctx context.Context, o *loadOptions, every time.Duration) error {
	switch {
	case !slices.Equal(o.files, []string{"-"}):
		return usageError{errors.New("--every follows standard input: give - as the only file, as in tail -F access.log | sightline load logs - --every 30s")}
	case every < time.Second:
		return usageError{errors.New("--every must be at least 1s")}
	case o.dryRun:
		return usageError{errors.New("--every and --dry-run exclude each other")}
	}
	job, err := a.newJob(ctx, o) // what is wrong with the options shows before anything comes
	if err != nil {
		return err
	}
	var total ingest.Counts
	var rejects string
	stream := &ingest.Stream{
		From: a.stdin, Every: every, Spool: job.Spool, Keep: job.Rejects,
		OnError: func(err error) { fmt.Fprintln(a.stderr, "sightline:", err) },
		Load: func(ctx context.Context, piece *ingest.Piece) error {
			job, err := a.newJob(ctx, o) // the catalog may have changed
			if err != nil {
				return err
			}
			job.Piece, job.Earlier, job.RejectFile = piece, total, rejects
			started := time.Now()
			summary, err := a.runJob(ctx, job)
			if summary != nil {
				a.printPiece(summary, time.Since(started), err)
				rejects = cmp.Or(summary.RejectFile, rejects)
			}
			if err != nil {
				return err
			}
			total.Lines += summary.Lines
			total.Rejected += summary.RejectedLines()
			o.log = job.LogNow()
			return nil
		},
	}
	fmt.Fprintf(a.stderr, "Following standard input; publishing every %s. Ctrl-C publishes what is complete and ends.\n", every)
	err = stream.Run(ctx)
	fmt.Fprintf(a.stdout, "%d lines read, %d rejected.\n", total.Lines, total.Rejected)
	return err
}

// printPiece says in one line what was published.
func (a *app) printPiece(s *ingest.Summary, took time.Duration, err error) {
	if s.RejectFile != "" {
		fmt.Fprintf(a.stderr, "sightline: %s rejected: see %s\n", plural(int(s.RejectedLines()), "line"), s.RejectFile)
	}
	if err == nil {
		published := "nothing to publish"
		if s.Published.Version > 0 {
			published = fmt.Sprintf("version %d", s.Published.Version)
		}
		fmt.Fprintf(a.stdout, "%s  %d lines, %d visits by bots, %d by humans; %s, %.1f s\n",
			time.Now().UTC().Format(time.RFC3339), s.Lines, s.Bots, s.Humans, published, took.Seconds())
	}
}
