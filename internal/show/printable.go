package show

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Printable makes text of strangers safe to look at: what moves the cursor,
// changes colours, hides or turns text round is written as an escape such as
// \x1b or \u202e.
func Printable(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// Safe is a writer for a terminal: it writes whatever could act on it as a \u
// escape, which leaves JSON what it was. New lines stay.
type Safe struct {
	w       *bufio.Writer
	pending []byte // a character that is not whole yet
}

// NewSafe writes to a terminal. Flush it at the end.
func NewSafe(w io.Writer) *Safe { return &Safe{w: bufio.NewWriter(w)} }

func (s *Safe) Write(p []byte) (int, error) {
	text := append(s.pending, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if last := text[len(text)-back:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				whole = len(text) - back
			}
			break
		}
	}
	s.pending = append([]byte(nil), text[whole:]...)
	for _, r := range string(text[:whole]) {
		s.rune(r)
	}
	return len(p), nil
}

// An error of the writer below is kept, and comes out of Flush.
func (s *Safe) rune(r rune) {
	switch {
	case r == '\n' || unicode.IsPrint(r):
		s.w.WriteRune(r)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		fmt.Fprintf(s.w, `\u%04x\u%04x`, high, low)
	default:
		fmt.Fprintf(s.w, `\u%04x`, r)
	}
}

// Flush writes what is left.
func (s *Safe) Flush() error {
	if len(s.pending) > 0 {
		s.w.WriteRune(unicode.ReplacementChar)
		s.pending = nil
	}
	return s.w.Flush()
}

// columns is how many columns of a terminal a printable text takes.
func columns(s string) (n int) {
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut shortens a printable text to a number of columns, at its end.
func cut(s string, limit int) string {
	if columns(s) <= limit {
		return s
	}
	taken := 0
	for i, r := range s {
		if taken += runeColumns(r); taken > limit-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// cutMiddle shortens a text in its middle: both ends of a path tell it from
// others.
func cutMiddle(s string, limit int) string {
	if columns(s) <= limit || limit < 5 {
		return cut(s, limit)
	}
	head := strings.TrimSuffix(cut(s, limit/2+1), "…")
	room := limit - columns(head) - 1
	runes := []rune(s)
	tail := len(runes)
	for taken := 0; tail > 0; tail-- {
		if taken += runeColumns(runes[tail-1]); taken > room {
			break
		}
	}
	return head + "…" + string(runes[tail:])
}
