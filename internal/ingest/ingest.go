// Package ingest turns files into facts: it reads lines, checks and classifies
// them, and hands them to a loader. A line that is wrong is set aside with its
// reason; a load with too many of them is not published at all.
package ingest

import (
	"context"
	"errors"
	"fmt"
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
	Piece   *Piece   // of a stream, instead of files
	Earlier Counts   // of what was loaded before: a stream's earlier pieces
	Catalog *catalog.Snapshot
	Agents  *agents.Table
	Secret  []byte // the key of visitor ids
	Salt    Salt   // for how long they hold; empty: a week
	Loader  facts.Loader
	Rejects string // folder of the reject files
	// RejectFile is one of an earlier piece of a stream, to be added to.
	RejectFile string
	Spool      string // folder for a copy of input that can be read only once
	Stdin      Stdin
	Log        LogOptions
	// DryRun does all but publish.
	DryRun bool
	// OnProgress is told now and then how far the load is. It may be nil.
	OnProgress func(Progress)

	inputs []*input
	empty  []string
	desks  []*desk
	last   *logs // the log that was read last
}

// Counts are what bounds the share of wrong lines.
type Counts struct{ Lines, Rejected int64 }

// Progress is how far a load is.
type Progress struct {
	Bytes, TotalBytes int64 // of the files
	Lines             int64
	Checking          bool // whether a file was loaded before
	Publishing        bool
}

// Summary is what a load did.
type Summary struct {
	Known      []KnownFile // files of which nothing is new
	Grown      []KnownFile // files whose first part was loaded before, and skipped
	Shorter    []ShorterFile
	Unfinished []string // files with a last line that is being written; it is left for another load
	Empty      []string // logs without content
	Lines      int64    // read, without blank ones
	Accepted   int64
	Bots       int64
	Humans     int64
	Dropped    map[string]int64  // lines that are no visit, by reason
	Rejected   map[string]int64  // wrong lines, by reason
	Examples   map[string]string // where the first of each is, and what is wrong with it
	RejectFile string            // empty if there is none
	Platforms  map[string]int64  // visits or answers by platform
	OtherHosts int64             // visits that name another host than the website they were loaded for
	Formats    []string          // of the logs, as they were recognised
	Published  facts.Published   // zero if nothing was published
}

// KnownFile is a file whose content, or the beginning of it, was loaded before.
type KnownFile struct {
	Name    string
	At      time.Time // zero: by this load
	Website string    // that was named for all its lines then; empty: none
}

// ShorterFile is a file that begins as one does that was loaded, and is shorter:
// a copy that is being made, most likely. Nothing of it is loaded.
type ShorterFile struct{ Name, Of string }

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
	summary := &Summary{
		Empty: j.empty, Dropped: map[string]int64{}, Rejected: map[string]int64{}, Examples: map[string]string{}, Platforms: map[string]int64{},
	}
	if len(j.inputs) == 0 {
		return summary, nil
	}
	load, err := j.Loader.Begin(ctx, j.Source.Kind())
	if err != nil {
		return summary, err
	}
	defer load.Abort()
	loaded, err := j.readAll(ctx, load, summary)
	if err != nil {
		return summary, err
	}
	if float64(j.Earlier.Rejected+summary.RejectedLines()) > MaxRejected*float64(j.Earlier.Lines+summary.Lines) {
		return summary, ErrRejected
	}
	// What gave nothing is not remembered either: the workspace may lack a
	// website, and then the same file is loaded again.
	if j.DryRun || summary.Accepted == 0 {
		return summary, nil
	}
	j.desks = nil // publishing needs the room
	j.progress(Progress{Publishing: true, Lines: summary.Lines})
	summary.Published, err = load.Publish(ctx, loaded)
	if err != nil {
		return summary, fmt.Errorf("nothing was published: %w", err)
	}
	return summary, nil
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
		return j.records(start, newAnswers(j.Catalog), summary)
	case Pageviews:
		return j.records(start, &pageviews{catalog: j.Catalog, visits: j.visits()}, summary)
	case Logs:
		return j.logs(start, summary)
	}
	panic("ingest: unknown source " + string(j.Source))
}

// records reads NDJSON or CSV.
func (j *Job) records(start []byte, rows interface {
	reader
	rowReader
}, summary *Summary) (language, error) {
	table, err := newTable(start, j.Source, rows)
	if err != nil {
		return nil, err
	}
	if table != nil {
		summary.Formats = append(summary.Formats, "CSV")
		return table, nil
	}
	return plain{rows}, wrongSource(start, j.Source)
}

func (j *Job) visits() visits {
	return visits{agents: j.Agents, visitors: newVisitors(j.Secret, j.Salt)}
}
