// Package ingest turns files into facts: it reads lines, checks and classifies
// them, and hands them to a loader. A line that is wrong is set aside with its
// reason; a load with too many of them is not published at all.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sightline-hq/sightline/internal/agents"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// MaxRejected is the share of wrong lines above which nothing is published.
const MaxRejected = 0.10

// Source is what the lines of a file are.
type Source string

// The sources.
const (
	Answers   Source = "answers"
	Pageviews Source = "pageviews"
	Logs      Source = "logs"
)

// Kind is the kind of facts that a source gives.
func (s Source) Kind() facts.Kind {
	if s == Answers {
		return facts.KindAnswers
	}
	return facts.KindVisits
}

// Job is one load of one or more files.
type Job struct {
	Source  Source
	Files   []string // "-" is Stdin
	Catalog *catalog.Snapshot
	Agents  *agents.Table
	Secret  []byte // the key of visitor ids
	Loader  facts.Loader
	Rejects string // folder of the reject files
	Spool   string // folder for a copy of input that can be read only once
	Stdin   Stdin
	Log     LogOptions
	// DryRun does all but publish.
	DryRun bool
	// OnProgress is told now and then how far the load is. It may be nil.
	OnProgress func(Progress)

	inputs []*input
}

// Progress is how far a load is.
type Progress struct {
	Bytes, TotalBytes, Lines int64
	Publishing               bool
}

// Summary is what a load did.
type Summary struct {
	Known      []KnownFile // files that were loaded before, and skipped
	Lines      int64       // read, without blank ones
	Accepted   int64
	Bots       int64
	Humans     int64
	Dropped    map[string]int64  // lines that are no visit, by reason
	Rejected   map[string]int64  // wrong lines, by reason
	Examples   map[string]string // where the first of each is, and what is wrong with it
	RejectFile string            // empty if there is none
	Platforms  map[string]int64  // visits by platform
	Formats    []string          // of the logs, as they were recognised
	Published  facts.Published   // zero if nothing was published
}

// KnownFile is a file whose content was loaded before.
type KnownFile struct {
	Name string
	At   time.Time // zero: by this load
}

// RejectedLines is how many lines were wrong.
func (s *Summary) RejectedLines() (n int64) {
	for _, count := range s.Rejected {
		n += count
	}
	return n
}

// ErrRejected means that too many lines were wrong.
var ErrRejected = errors.New("more than one line in ten was rejected, so nothing was published")

// Run loads the files that were opened, all or nothing.
func (j *Job) Run(ctx context.Context) (*Summary, error) {
	summary := &Summary{Dropped: map[string]int64{}, Rejected: map[string]int64{}, Examples: map[string]string{}, Platforms: map[string]int64{}}
	inputs, err := j.skipKnown(ctx, j.inputs, summary)
	if err != nil || len(inputs) == 0 {
		return summary, err
	}
	load, err := j.Loader.Begin(ctx, j.Source.Kind())
	if err != nil {
		return summary, err
	}
	defer load.Abort()
	loaded, err := j.readAll(ctx, inputs, load, summary)
	if err != nil {
		return summary, err
	}
	if float64(summary.RejectedLines()) > MaxRejected*float64(summary.Lines) {
		return summary, ErrRejected
	}
	if j.DryRun {
		return summary, nil
	}
	j.progress(Progress{Publishing: true, Lines: summary.Lines})
	summary.Published, err = load.Publish(ctx, loaded)
	if err != nil {
		return summary, fmt.Errorf("nothing was published: %w", err)
	}
	return summary, nil
}

// skipKnown leaves out what was loaded before, and what is named twice.
func (j *Job) skipKnown(ctx context.Context, inputs []*input, summary *Summary) (fresh []*input, err error) {
	for _, in := range inputs {
		at, known, err := j.Loader.Known(ctx, j.Source.Kind(), in.sha256)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(fresh, func(f *input) bool { return f.sha256 == in.sha256 }) {
			at, known = time.Time{}, true
		}
		if known {
			summary.Known = append(summary.Known, KnownFile{in.name, at})
			continue
		}
		fresh = append(fresh, in)
	}
	return fresh, nil
}

func (j *Job) progress(p Progress) {
	if j.OnProgress != nil {
		j.OnProgress(p)
	}
}

// language finds out how to read an input from its first bytes.
func (j *Job) language(start []byte, summary *Summary) (language, error) {
	switch j.Source {
	case Answers:
		return plain{each(newAnswers(j.Catalog).parse)}, nil
	case Pageviews:
		return plain{each((&pageviews{catalog: j.Catalog, visits: j.visits()}).parse)}, nil
	case Logs:
		return j.logs(start, summary)
	}
	panic("ingest: unknown source " + string(j.Source))
}

func (j *Job) visits() visits {
	return visits{agents: j.Agents, visitors: newVisitors(j.Secret)}
}
