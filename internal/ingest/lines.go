package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	// maxLine bounds the memory that a line can take.
	maxLine = 16 << 20
	// Lines travel in batches; a batch ends at whichever comes first.
	batchLines = 512
	batchBytes = 256 << 10
)

// line is a line of input, without its end.
type line struct {
	number  int64
	text    []byte
	tooLong bool
	noEnd   bool // the last line, without a newline
}

// batch is a run of lines that one parser reads and, once parsed, what became
// of them.
type batch struct {
	lines    []line
	bytes    int64
	parser   parser
	outcomes []lineOutcome
	parsed   chan struct{}
}

type lineOutcome struct {
	outcome
	line int // in the batch
}

// split reads batches of lines until the input ends.
func split(from io.Reader, language language, emit func(*batch) error) error {
	reader := bufio.NewReaderSize(from, 1<<20)
	if bom, err := reader.Peek(3); err == nil && string(bom) == "\xef\xbb\xbf" {
		reader.Discard(3)
	}
	b := &batch{parser: language.parser()}
	for number := int64(1); ; number++ {
		l, size, err := readLine(reader)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		end := err != nil
		b.bytes += size
		l.number = number
		directive, err := language.directive(l.text)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if !directive && (l.tooLong || len(bytes.TrimSpace(l.text)) > 0) {
			b.lines = append(b.lines, l)
		}
		if directive || len(b.lines) >= batchLines || b.bytes >= batchBytes || end {
			if err := emit(b); err != nil {
				return err
			}
			b = &batch{parser: language.parser()}
		}
		if end {
			return nil
		}
	}
}

// readLine reads up to the next newline. What goes beyond maxLine is skipped.
func readLine(r *bufio.Reader) (l line, size int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if !l.tooLong {
			l.text = append(l.text, part...)
		}
		if len(l.text) > maxLine {
			l.tooLong, l.text = true, l.text[:256]
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		l.noEnd = err != nil
		l.text = bytes.TrimRight(l.text, "\r\n")
		return l, size, err
	}
}
