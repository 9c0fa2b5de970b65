package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

const (
	// maxRecord bounds the memory that a record can take.
	maxRecord = 16 << 20
	// blockBytes is how much text a worker gets at once.
	blockBytes = 256 << 10
)

// block is a run of whole records that one worker reads and, once read, what
// became of them.
type block struct {
	buffer  []byte
	text    []byte // of buffer
	reader  reader // nil: only to be counted
	tooLong bool   // text is only the start of a record that is too long
	noEnd   bool   // the input ends without a newline
	lines   int64
	results results
	done    chan struct{}
}

// blocks are used again, with their memory.
var blocks = sync.Pool{New: func() any { return &block{buffer: make([]byte, blockBytes)} }}

func newBlock() *block {
	b := blocks.Get().(*block)
	b.text, b.reader, b.tooLong, b.noEnd, b.lines = nil, nil, false, false, 0
	b.results.reset()
	b.done = make(chan struct{})
	return b
}

func (b *block) free() {
	if cap(b.buffer) <= 2*blockBytes { // a huge record's memory is not worth keeping
		blocks.Put(b)
	}
}

// splitter cuts an input into blocks, and sums up exactly what it gave out.
type splitter struct {
	from     io.Reader
	language language
	emit     func(*block) error
	sum      *markedSum // of what was given out
	rest     []byte
	skipping bool // what comes was loaded before
}

// run gives out the records until the input ends. The last one may lack its
// newline: with whole, or if it is complete by the look of it, it counts; else
// it is left for another time.
func (s *splitter) run(whole bool) error {
	for {
		b, err := s.fill()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		ended := err != nil
		reader := s.language.reader()
		if n := reader.cut(b.text); n < len(b.text) && !(ended && (whole || reader.complete(b.text[n:]))) {
			s.rest = append(s.rest[:0], b.text[n:]...)
			b.text = b.text[:n]
		}
		b.noEnd = ended && len(b.text) > 0 && b.text[len(b.text)-1] != '\n'
		if err := s.give(b); err != nil || ended {
			return err
		}
		if len(s.rest) > maxRecord {
			if _, table := reader.(*tableReader); table {
				return fmt.Errorf("a row is longer than %d MiB: is a quote not closed? It begins with %s", maxRecord>>20, shorten(string(s.rest[:200])))
			}
			if err := s.skipLine(); err != nil {
				return err
			}
		}
	}
}

// fill reads a block of text that begins with what was left of the last.
func (s *splitter) fill() (*block, error) {
	b := newBlock()
	size := max(blockBytes, 2*len(s.rest))
	if cap(b.buffer) < size {
		b.buffer = make([]byte, size)
	}
	n := copy(b.buffer[:size], s.rest)
	s.rest = s.rest[:0]
	more, err := io.ReadFull(s.from, b.buffer[n:size])
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	b.text = b.buffer[:n+more]
	return b, err
}

// give hands out a block, apart from the directives in it.
func (s *splitter) give(b *block) error {
	s.sum.Write(b.text)
	for text := b.text; len(text) > 0; {
		now := s.language.reader() // a directive changes it for what follows
		before, size, err := s.language.directive(text)
		if before > 0 {
			part := b
			if before < len(b.text) {
				part = newBlock()
				part.buffer = append(part.buffer[:0], text[:before]...)
				part.text, part.noEnd = part.buffer, b.noEnd && before == len(text)
			}
			if e := s.hand(part, now); e != nil {
				return e
			}
		}
		if err != nil {
			return fmt.Errorf("%w: %s", err, shorten(string(firstLine(text[before:]))))
		}
		if size > 0 {
			count := newBlock()
			count.buffer = append(count.buffer[:0], text[before:before+size]...)
			count.text = count.buffer
			if e := s.emit(count); e != nil {
				return e
			}
		}
		text = text[before+size:]
	}
	return nil
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

func (s *splitter) hand(b *block, r reader) error {
	if !s.skipping {
		b.reader = r
	}
	return s.emit(b)
}

// skipLine leaves out the record that is too long, up to the next newline.
func (s *splitter) skipLine() error {
	b := newBlock()
	b.tooLong = true
	b.text = append([]byte(nil), s.rest[:256]...)
	s.sum.Write(s.rest)
	s.rest = s.rest[:0]
	for {
		more, err := s.fill()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		text := more.text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			s.rest = append(s.rest, text[i+1:]...)
			text = text[:i+1]
		}
		s.sum.Write(text)
		found := len(text) > 0 && text[len(text)-1] == '\n'
		more.free()
		if found || err != nil {
			return s.hand(b, s.language.reader())
		}
	}
}
