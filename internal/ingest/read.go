package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// outcome is what became of a line: a visit, an answer, dropped or rejected.
type outcome struct {
	visit    *facts.Visit
	answer   *facts.Answer
	dropped  string
	rejected *rejection
}

// rejection says why a line is wrong: a reason that is counted, and what it
// was about in this line.
type rejection struct{ reason, detail string }

// explained is the detail as the end of a sentence.
func (r *rejection) explained() string {
	if r.detail == "" {
		return ""
	}
	return ": " + r.detail
}

func reject(reason, format string, args ...any) outcome {
	return outcome{rejected: &rejection{reason, fmt.Sprintf(format, args...)}}
}

// parser reads one line, which may hold several events. It is called from
// several goroutines.
type parser func(text []byte, add func(outcome))

// each makes a parser of a function for lines with one event.
func each(parse func(text []byte) outcome) parser {
	return func(text []byte, add func(outcome)) { add(parse(text)) }
}

// language is how the lines of one input are read. Lines can change it for
// those after them, so it belongs to the one goroutine that splits the input;
// the parsers that it gives are free.
type language interface {
	// directive tells lines that are not data but speak of the lines after them.
	directive(text []byte) (bool, error)
	parser() parser
}

// plain is a language without directives.
type plain struct{ parse parser }

func (p plain) directive([]byte) (bool, error) { return false, nil }
func (p plain) parser() parser                 { return p.parse }

// readAll reads the inputs in order into the load.
func (j *Job) readAll(ctx context.Context, inputs []*input, load facts.Load, summary *Summary) (loaded []facts.Input, err error) {
	rejects := &rejectFile{folder: j.Rejects, kind: string(j.Source)}
	defer func() {
		if closeErr := rejects.close(); err == nil {
			err = closeErr
		}
		summary.RejectFile = rejects.path
	}()
	p := Progress{}
	for _, in := range inputs {
		p.TotalBytes += in.size
	}
	for _, in := range inputs {
		before := summary.Lines
		sink := &sink{load: load, summary: summary, rejects: rejects, name: in.name, job: j, progress: &p}
		if err := j.read(ctx, in, summary, sink.take); err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		if summary.Lines == before {
			return nil, fmt.Errorf("%s: there are only blank lines: there is nothing to load", in.name)
		}
		loaded = append(loaded, facts.Input{Kind: j.Source.Kind(), SHA256: in.sha256, Name: in.name, Bytes: in.size, Lines: summary.Lines - before})
	}
	return loaded, nil
}

// read parses the lines on all cores and takes the outcomes in order.
func (j *Job) read(ctx context.Context, in *input, summary *Summary, take func(*batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	content, err := in.content(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	language, err := j.language(content.start, summary)
	if err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	queue, work := make(chan *batch, 4*workers), make(chan *batch, 4*workers)
	sum := sha256.New()
	ended := make(chan error, 1)
	go func() {
		defer close(queue)
		defer close(work)
		ended <- split(io.TeeReader(io.LimitReader(content, in.size), sum), language, func(b *batch) error {
			b.parsed = make(chan struct{})
			for _, to := range []chan *batch{work, queue} {
				select {
				case to <- b:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}()
	for range workers {
		go func() {
			for b := range work {
				b.parse()
			}
		}()
	}
	for b := range queue {
		<-b.parsed
		if err := take(b); err != nil {
			return err
		}
	}
	if err := <-ended; err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != in.sha256 {
		return fmt.Errorf("the file changed while it was read: load it again when nobody writes to it")
	}
	return nil
}

func (b *batch) parse() {
	defer close(b.parsed)
	b.outcomes = make([]lineOutcome, 0, len(b.lines))
	for i, l := range b.lines {
		add := func(o outcome) {
			if o.rejected != nil && o.rejected.reason == notJSON && l.noEnd {
				o.rejected.detail += " (the last line has no newline: was the file cut off?)"
			}
			b.outcomes = append(b.outcomes, lineOutcome{o, i})
		}
		if l.tooLong {
			add(reject("line too long", "more than %d MiB", maxLine>>20))
			continue
		}
		b.parser(l.text, add)
	}
}

// sink takes the outcomes of one input, in order.
type sink struct {
	load     facts.Load
	summary  *Summary
	rejects  *rejectFile
	name     string
	job      *Job
	progress *Progress
	told     time.Time
}

func (s *sink) take(b *batch) error {
	s.summary.Lines += int64(len(b.lines))
	for _, o := range b.outcomes {
		if err := s.takeOne(o.outcome, b.lines[o.line]); err != nil {
			return err
		}
	}
	s.progress.Bytes += b.bytes
	if time.Since(s.told) > 100*time.Millisecond {
		s.told = time.Now()
		s.progress.Lines = s.summary.Lines
		s.job.progress(*s.progress)
	}
	return nil
}

func (s *sink) takeOne(o outcome, l line) error {
	switch {
	case o.rejected != nil:
		if s.summary.Rejected[o.rejected.reason]++; s.summary.Rejected[o.rejected.reason] == 1 {
			s.summary.Examples[o.rejected.reason] = fmt.Sprintf("first in %s line %d%s", s.name, l.number, o.rejected.explained())
		}
		return s.rejects.write(s.name, l, *o.rejected)
	case o.dropped != "":
		s.summary.Dropped[o.dropped]++
		return nil
	case o.answer != nil:
		s.summary.Accepted++
		return s.load.AddAnswer(o.answer)
	}
	s.summary.Accepted++
	if o.visit.Bot {
		s.summary.Bots++
	} else {
		s.summary.Humans++
	}
	s.summary.Platforms[o.visit.Platform]++
	return s.load.AddVisit(o.visit)
}
