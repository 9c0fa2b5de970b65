// Package csvrecord reads CSV (RFC 4180) for a caller that splits the input
// into lines itself: to number them, to bound them and to read them on several
// cores.
//
// A record usually is a line. It goes on in the next one where a quoted field
// holds a line break: OpenAfter tells, line by line, and Fields then reads the
// record as a whole.
package csvrecord

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

const quote = '"'

// separators are the ones that are recognised; earlier ones win ties.
var separators = []byte{',', ';', '\t'}

var (
	errAfterQuote = errors.New("text after its closing quote")
	errOpenQuote  = errors.New("its quote is never closed")
	errBreak      = errors.New("a line break outside of quotes")
)

// Format is how the records of a file are written. It never changes, so several
// goroutines can use it.
type Format struct {
	// Columns are the names in the header, in its order.
	Columns []string

	separator byte
}

// ParseHeader reads the first line of a file. The separator is the one that
// splits it into the most columns.
func ParseHeader(line []byte) (*Format, error) {
	text := string(bytes.TrimPrefix(trimEnd(line), []byte("\xef\xbb\xbf")))
	var format *Format
	var columns []string
	var failed error
	for _, separator := range separators {
		candidate := &Format{separator: separator}
		var names []string
		err := candidate.each(text, func(name string) { names = append(names, strings.TrimSpace(name)) })
		if err != nil {
			names = append(names, "") // the field that is wrong is one as well
		}
		if len(names) > len(columns) {
			format, columns, failed = candidate, names, err
		}
	}
	if failed != nil {
		return nil, failed
	}
	format.Columns = columns
	if err := checkNames(format.Columns); err != nil {
		return nil, err
	}
	return format, nil
}

func checkNames(columns []string) error {
	seen := make(map[string]bool)
	for i, name := range columns {
		switch {
		case name == "":
			return fmt.Errorf("column %d of the header has no name", i+1)
		case seen[name]:
			return fmt.Errorf("the header has the column %s twice", name)
		}
		seen[name] = true
	}
	return nil
}

// Ends tells whether a text that starts a record holds all of it. For records
// of many lines, OpenAfter does the same without going over them again.
func (f *Format) Ends(record []byte) bool { return !f.OpenAfter(record, false) }

// OpenAfter tells whether a quoted field is open at the end of a line, so that
// the record goes on in the next line. Whether one was open at the end of the
// line before is given; at the start of a record it is not.
func (f *Format) OpenAfter(line []byte, open bool) bool {
	if bytes.IndexByte(line, quote) < 0 {
		return open
	}
	for {
		if !open && (len(line) == 0 || line[0] != quote) {
			field := bytes.IndexByte(line, f.separator)
			if field < 0 || bytes.IndexByte(line[:field], '\n') >= 0 {
				return false
			}
			line = line[field+1:]
			continue
		}
		if !open {
			line = line[1:]
		}
		end := bytes.IndexByte(line, quote)
		if end < 0 {
			return true
		}
		// A doubled quote closes here and opens again at once: the same in the end.
		line, open = line[end+1:], false
	}
}

// Fields reads a record, with or without the line end after it, into a slice
// that can be used again. There are as many fields as columns, or an error.
func (f *Format) Fields(record []byte, into []string) ([]string, error) {
	into = into[:0]
	count := 0
	err := f.each(string(trimEnd(record)), func(field string) {
		// A record of nothing but separators must not take much memory.
		if count++; count <= len(f.Columns) {
			into = append(into, field)
		}
	})
	switch {
	case err != nil:
		return into, err
	case count == 1 && len(f.Columns) != 1:
		return into, fmt.Errorf("1 field, the header has %d", len(f.Columns))
	case count != len(f.Columns):
		return into, fmt.Errorf("%d fields, the header has %d", count, len(f.Columns))
	}
	return into, nil
}

// each calls a function with each field of a record.
func (f *Format) each(text string, field func(string)) error {
	for number, last := 1, false; !last; number++ {
		var value string
		var err error
		if value, text, last, err = f.next(text); err != nil {
			return fmt.Errorf("%s: %w", f.place(number), err)
		}
		field(value)
	}
	return nil
}

// place names a field in a message.
func (f *Format) place(number int) string {
	switch {
	case f.Columns == nil:
		return fmt.Sprintf("column %d of the header", number)
	case number > len(f.Columns):
		return fmt.Sprintf("field %d", number)
	}
	return "column " + f.Columns[number-1]
}

// next cuts the first field off a text.
func (f *Format) next(text string) (field, rest string, last bool, err error) {
	if text != "" && text[0] == quote {
		return f.nextQuoted(text[1:])
	}
	field, rest, more := strings.Cut(text, string(f.separator))
	if strings.IndexByte(field, '\n') >= 0 {
		return "", "", true, errBreak
	}
	return field, rest, !more, nil
}

// nextQuoted does the same where a quote was opened.
func (f *Format) nextQuoted(text string) (field, rest string, last bool, err error) {
	doubled := false
	for from := 0; ; {
		end := strings.IndexByte(text[from:], quote)
		if end < 0 {
			return "", "", true, errOpenQuote
		}
		end += from
		if end+1 < len(text) && text[end+1] == quote {
			doubled, from = true, end+2
			continue
		}
		if field, rest = text[:end], text[end+1:]; doubled {
			field = strings.ReplaceAll(field, `""`, `"`)
		}
		switch {
		case rest == "":
			return field, "", true, nil
		case rest[0] != f.separator:
			return "", "", true, errAfterQuote
		}
		return field, rest[1:], false, nil
	}
}

// trimEnd leaves out the line end of a record.
func trimEnd(record []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(record, []byte("\n")), []byte("\r"))
}
