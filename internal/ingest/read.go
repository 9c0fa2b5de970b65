package ingest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/sightline-hq/sightline/internal/facts"
)

// readAll reads the inputs in order into the load.
func (j *Job) readAll(ctx context.Context, load facts.Load, summary *Summary) (loaded []facts.Input, err error) {
	rejects := &rejectFile{folder: j.Rejects, kind: string(j.Source), path: j.RejectFile, none: j.DryRun}
	defer func() {
		if closeErr := rejects.close(); err == nil {
			err = closeErr
		}
		summary.RejectFile = rejects.made()
	}()
	known, err := j.known(ctx)
	if err != nil {
		return nil, err
	}
	p := &progress{job: j}
	for _, in := range j.inputs {
		p.total += in.size
	}
	for range runtime.GOMAXPROCS(0) {
		j.desks = append(j.desks, newDesk(runtime.GOMAXPROCS(0)))
	}
	for _, in := range j.inputs {
		before := *summary
		at, err := in.match(ctx, known, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		switch {
		case at.whole:
			summary.Known = append(summary.Known, in.knownAs(at.input))
			continue
		case at.of != nil:
			summary.Shorter = append(summary.Shorter, ShorterFile{in.name, at.of.Name})
			continue
		}
		s := &sink{load: load, summary: summary, rejects: rejects, name: in.name, progress: p}
		input, err := j.read(ctx, in, at, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		switch fresh := summary.Lines > before.Lines; {
		case !fresh && at.input.Bytes > 0: // only an unfinished line is new, or a newline
			summary.Known = append(summary.Known, in.knownAs(at.input))
			continue
		case !fresh && j.Source != Logs && input.Bytes > 0:
			return nil, fmt.Errorf("%s: there is nothing to load in it", in.name)
		case summary.Accepted == before.Accepted: // not remembered: see Run
			continue
		}
		if at.input.Bytes > 0 {
			summary.Grown = append(summary.Grown, in.knownAs(at.input))
			j.Earlier.Lines += at.input.Lines // they were good, and count for how bad the file is
		}
		input.Lines = at.input.Lines + summary.Lines - before.Lines
		loaded = append(loaded, input)
		known = append(known, input)
	}
	return loaded, nil
}

// read reads an input on all cores, from where an earlier load ended, and takes
// the results in order.
func (j *Job) read(ctx context.Context, in *input, from match, to *sink) (facts.Input, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	loaded := facts.Input{Kind: j.Source.Kind(), Name: j.called(in)}
	content, err := in.content(ctx, to.progress)
	if err != nil {
		return loaded, err
	}
	defer content.Close()
	if line := bytes.IndexByte(content.start, '\n'); j.Source == Logs && line < 0 && len(content.start) < startBytes {
		switch { // nothing shows yet what it is
		case len(content.start) == 0:
			to.summary.Empty = append(to.summary.Empty, in.name)
			return loaded, nil
		case !content.whole:
			to.summary.Unfinished = append(to.summary.Unfinished, in.name)
			return loaded, nil
		}
	}
	language, err := j.language(content.start, to.summary)
	if err != nil {
		return loaded, err
	}
	if content.kind != "" {
		to.summary.Formats = append(to.summary.Formats, content.kind)
	}
	queue, work := make(chan *block, 4*len(j.desks)), make(chan *block, 4*len(j.desks))
	split := &splitter{from: content, language: language, sum: newMarkedSum(), emit: func(b *block) error {
		for _, to := range []chan *block{work, queue} {
			select {
			case to <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	}}
	ended := make(chan error, 1)
	go func() {
		defer close(queue)
		defer close(work)
		ended <- split.all(from.input, content.whole)
	}()
	for _, d := range j.desks {
		go func() {
			for b := range work {
				b.read(d)
			}
		}()
	}
	for b := range queue {
		<-b.done
		if err := to.take(b); err != nil {
			return loaded, err
		}
		b.free()
	}
	if err := <-ended; err != nil {
		return loaded, unpacking(err)
	}
	loaded.Bytes, loaded.SHA256, loaded.Marks = split.sum.bytes, split.sum.hex(), split.sum.marks
	if j.Piece != nil { // the same lines may come again, and count again
		loaded.SHA256, loaded.Marks = rand.Text(), nil
	}
	if len(split.rest) > 0 {
		to.summary.Unfinished = append(to.summary.Unfinished, in.name)
	}
	return loaded, nil
}

var errChanged = errors.New("the file changed while it was read: load it again")

// all gives out everything, of what was loaded before only the directives.
func (s *splitter) all(before facts.Input, whole bool) error {
	if before.Bytes > 0 {
		rest := s.from
		s.from, s.skipping = io.LimitReader(rest, before.Bytes), true
		if err := s.run(true); err != nil {
			return err
		}
		if s.sum.bytes != before.Bytes || s.sum.hex() != before.SHA256 {
			return errChanged
		}
		s.from, s.skipping = rest, false
	}
	return s.run(whole)
}

// read reads the records of a block.
func (b *block) read(d *desk) {
	defer close(b.done)
	r := &b.results
	if b.tooLong {
		b.lines, r.records, r.text = 1, 1, b.text
		if b.reader != nil {
			r.reject("line too long", "more than %d MiB", maxRecord>>20)
		}
		return
	}
	if b.reader == nil {
		b.lines = int64(bytes.Count(b.text, []byte("\n")))
		return
	}
	for text := b.text; len(text) > 0; {
		n := b.reader.record(text)
		if n == 0 {
			n, r.noEnd = len(text), b.noEnd
		}
		record := text[:n]
		text = text[n:]
		r.line = b.lines
		r.lines = int64(bytes.Count(record, []byte("\n")))
		b.lines += r.lines
		if record = bytes.TrimRight(record, "\r\n"); len(bytes.TrimSpace(record)) == 0 {
			continue
		}
		r.records++
		r.text = record
		b.reader.read(record, d, r)
	}
}
