package ingest

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// sink takes the results of one input, in order.
type sink struct {
	load     facts.Load
	summary  *Summary
	rejects  *rejectFile
	name     string
	line     int64 // before the block
	progress *progress
}

func (s *sink) take(b *block) error {
	r := &b.results
	if b.reader != nil {
		s.summary.Lines += r.records
	}
	for i := range r.visits {
		if err := s.visit(&r.visits[i]); err != nil {
			return err
		}
	}
	for _, a := range r.answers {
		s.summary.Accepted++
		s.summary.Platforms[a.Platform]++
		if err := s.load.AddAnswer(a); err != nil {
			return err
		}
	}
	s.summary.OtherHosts += r.others
	for _, d := range r.dropped {
		s.summary.Dropped[d.reason] += d.count
	}
	for i := range r.rejected {
		if err := s.reject(&r.rejected[i]); err != nil {
			return err
		}
	}
	s.line += b.lines
	s.progress.show(s.summary.Lines)
	return nil
}

func (s *sink) visit(v *facts.Visit) error {
	s.summary.Accepted++
	if v.Bot {
		s.summary.Bots++
	} else {
		s.summary.Humans++
	}
	s.summary.Platforms[v.Platform]++
	return s.load.AddVisit(v)
}

func (s *sink) reject(r *rejectedRecord) error {
	number := s.line + r.line + 1
	s.summary.Lines += r.lines - 1
	before := s.summary.Rejected[r.reason]
	if s.summary.Rejected[r.reason] = before + r.lines; before == 0 {
		s.summary.Examples[r.reason] = fmt.Sprintf("first in %s line %d%s", s.name, number, r.explained())
	}
	return s.rejects.write(s.name, number, r.text, r.rejection)
}

// progress tells now and then how far a load is.
type progress struct {
	job   *Job
	total int64
	bytes atomic.Int64 // of the files
	told  time.Time
}

func (p *progress) show(lines int64) {
	if time.Since(p.told) > 100*time.Millisecond {
		p.told = time.Now()
		p.job.progress(Progress{Bytes: p.bytes.Load(), TotalBytes: p.total, Lines: lines})
	}
}
