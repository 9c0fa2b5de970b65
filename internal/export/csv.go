package export

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CSVWriter writes CSV as RFC 4180 has it, with a line of names first. Nil is an
// empty cell, a text without characters is "". Lists are JSON.
//
// A text that a spreadsheet would take for a formula gets an apostrophe; numbers
// are left alone.
type CSVWriter struct {
	w       io.Writer
	newline string
	line    []byte
	json    jsonValue
}

// NewCSV writes the names of the columns. Lines end with newline: "\r\n" is what
// the RFC says, "\n" what other commands of a pipe like.
func NewCSV(w io.Writer, newline string, names []string) (*CSVWriter, error) {
	c := &CSVWriter{w: w, newline: newline}
	header := make([]any, len(names))
	for i, name := range names {
		header[i] = name
	}
	return c, c.Row(header)
}

// newCSVTable keeps an error of the first line for the first row, or the end.
func newCSVTable(w io.Writer, columns []Column) Writer {
	c, err := NewCSV(w, "\r\n", namesOf(columns))
	if err != nil {
		return failed{err}
	}
	return c
}

type failed struct{ err error }

func (f failed) Row([]any) error { return f.err }
func (f failed) Close() error    { return f.err }

func namesOf(columns []Column) (names []string) {
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}

// Row implements Writer.
func (c *CSVWriter) Row(values []any) error {
	c.line = c.line[:0]
	for i, v := range values {
		if i > 0 {
			c.line = append(c.line, ',')
		}
		if err := c.cell(v); err != nil {
			return err
		}
	}
	c.line = append(c.line, c.newline...)
	_, err := c.w.Write(c.line)
	return err
}

// Close implements Writer.
func (c *CSVWriter) Close() error { return nil }

func (c *CSVWriter) cell(v any) error {
	switch v := v.(type) {
	case nil:
	case string:
		c.line = appendQuoted(c.line, defuse(valid(v)))
	case bool:
		c.line = strconv.AppendBool(c.line, v)
	case int64:
		c.line = strconv.AppendInt(c.line, v, 10)
	case float64:
		text, err := c.json.encode(v)
		c.line = append(c.line, text...)
		return err
	default:
		text, err := c.json.encode(v)
		c.line = appendQuoted(c.line, defuseJSON(string(text)))
		if err != nil {
			return fmt.Errorf("write a value of type %T: %w", v, err)
		}
	}
	return nil
}

// appendQuoted quotes a text where a reader could take it for something else.
func appendQuoted(line []byte, text string) []byte {
	first, _ := utf8.DecodeRuneInString(text)
	if text != "" && !strings.ContainsAny(text, "\",\r\n") && !unicode.IsSpace(first) {
		return append(line, text...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(text, `"`, `""`)...)
	return append(line, '"')
}

// formulas are the characters with which a formula begins; some spreadsheets
// take the wide forms for the same. A tab or a line end may be skipped before.
const formulas = "=+-@\t\r\n＝＋－＠"

// separators are what a spreadsheet of another country may end a cell at, even
// where it is quoted: for it, the quote is not at the beginning of a cell. A
// comma is none of them, it is always quoted where it separates.
const separators = ";\t\r\n"

// defuse keeps a spreadsheet from running a text.
func defuse(s string) string {
	if !strings.ContainsAny(s, formulas) {
		return s
	}
	var b strings.Builder
	starts := true
	for _, r := range s {
		// A separator right after another only ends an empty cell.
		if starts && strings.ContainsRune(formulas, r) && (b.Len() == 0 || !strings.ContainsRune(separators, r)) {
			b.WriteByte('\'')
		}
		b.WriteRune(r)
		starts = strings.ContainsRune(separators, r)
	}
	return b.String()
}

// defuseJSON does the same inside of JSON, where an escape leaves the text what
// it is. Of the separators only the semicolon is in JSON as it is.
func defuseJSON(s string) string {
	if !strings.Contains(s, ";") {
		return s
	}
	var b strings.Builder
	starts := false
	for _, r := range s {
		if starts && strings.ContainsRune(formulas, r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
		starts = r == ';'
	}
	return b.String()
}

// valid is a text as it is in JSON: every byte that is no UTF-8 is replaced.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}
