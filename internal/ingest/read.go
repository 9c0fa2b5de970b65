package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
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

func reject(reason, format string, args ...any) outcome {
	return outcome{rejected: &rejection{reason, fmt.Sprintf(format, args...)}}
}

// parser reads one line. It is called from several goroutines.
type parser func(text []byte) outcome

// readAll reads the inputs in order into the load.
func (j *Job) readAll(ctx context.Context, inputs []*input, load facts.Load, summary *Summary) (loaded []facts.Input, err error) {
	rejects := &rejectFile{folder: j.Rejects, kind: string(j.Kind)}
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
	parse := j.parser()
	for _, in := range inputs {
		before := summary.Lines
		sink := &sink{load: load, summary: summary, rejects: rejects, name: in.name, job: j, progress: &p}
		if err := in.read(ctx, parse, sink.take); err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		loaded = append(loaded, facts.Input{Kind: j.Kind, SHA256: in.sha256, Name: in.name, Bytes: in.size, Lines: summary.Lines - before})
	}
	return loaded, nil
}

// read parses the lines on all cores and takes the outcomes in order.
func (in *input) read(ctx context.Context, parse parser, take func(*batch) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	queue, work := make(chan *batch, 4*workers), make(chan *batch, 4*workers)
	sum := sha256.New()
	split1 := make(chan error, 1)
	go func() {
		defer close(queue)
		defer close(work)
		split1 <- split(in.again(ctx, sum), func(b *batch) error {
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
				b.parse(parse)
			}
		}()
	}
	for b := range queue {
		<-b.parsed
		if err := take(b); err != nil {
			return err
		}
	}
	if err := <-split1; err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != in.sha256 {
		return fmt.Errorf("the file changed while it was read: load it again when nobody writes to it")
	}
	return nil
}

// again reads the same bytes as the first time, and sums them once more.
func (in *input) again(ctx context.Context, sum hash.Hash) io.Reader {
	return io.TeeReader(io.LimitReader(&contextReader{ctx, in.file}, in.size), sum)
}

func (b *batch) parse(parse parser) {
	b.outcomes = make([]outcome, len(b.lines))
	for i, l := range b.lines {
		if l.tooLong {
			b.outcomes[i] = reject("line too long", "more than %d MiB", maxLine>>20)
			continue
		}
		b.outcomes[i] = parse(l.text)
		if r := b.outcomes[i].rejected; r != nil && r.reason == notJSON && l.noEnd {
			r.detail += " (the last line has no newline: was the file cut off?)"
		}
	}
	close(b.parsed)
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
	for i, o := range b.outcomes {
		s.summary.Lines++
		if err := s.takeOne(o, b.lines[i]); err != nil {
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
		s.summary.Rejected[o.rejected.reason]++
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
	return s.load.AddVisit(o.visit)
}
