package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mistake is something wrong with a workspace file, for the person who wrote it.
type Mistake struct {
	File   string
	Line   int    // from 1; 0 where no line is to blame
	Where  string // such as products[0].prompts[1].labels; empty for the whole file
	Reason string
}

// String is the mistake in one line, as compilers write theirs.
func (m Mistake) String() string {
	var b strings.Builder
	b.WriteString(m.File)
	if m.Line > 0 {
		fmt.Fprintf(&b, ":%d", m.Line)
	}
	if m.Where != "" {
		b.WriteString(": " + m.Where)
	}
	return b.String() + ": " + m.Reason
}

// Mistakes is the error of a workspace that was refused: everything that is
// wrong with it, in the order of the file.
type Mistakes []Mistake

// Error is one line for each mistake.
func (ms Mistakes) Error() string {
	lines := make([]string, len(ms))
	for i, m := range ms {
		lines[i] = m.String()
	}
	return strings.Join(lines, "\n")
}

// maxMistakes bounds what a file full of nonsense can say about itself.
const maxMistakes = 10_000

// notes collects the mistakes and warnings of one file.
type notes struct {
	file     string
	mistakes Mistakes
	warnings []Mistake
	dropped  int
}

func (n *notes) mistake(line int, where, format string, args ...any) {
	if len(n.mistakes) >= maxMistakes {
		n.dropped++
		return
	}
	n.mistakes = append(n.mistakes, Mistake{n.file, line, oneLine(where), oneLine(fmt.Sprintf(format, args...))})
}

func (n *notes) warning(line int, where, format string, args ...any) {
	if len(n.warnings) < maxMistakes {
		n.warnings = append(n.warnings, Mistake{n.file, line, oneLine(where), oneLine(fmt.Sprintf(format, args...))})
	}
}

// err returns the mistakes by line, or nil if there are none.
func (n *notes) err() error {
	if len(n.mistakes) == 0 {
		return nil
	}
	sortByLine(n.mistakes)
	if n.dropped > 0 {
		reason := fmt.Sprintf("%d more mistakes are not shown", n.dropped)
		n.mistakes = append(n.mistakes, Mistake{File: n.file, Reason: reason})
	}
	return n.mistakes
}

func sortByLine(ms []Mistake) {
	slices.SortStableFunc(ms, func(a, b Mistake) int { return cmp.Compare(a.Line, b.Line) })
}

// oneLine keeps what a file says from breaking the line, or the terminal.
func oneLine(s string) string {
	unprintable := func(r rune) bool { return !strconv.IsPrint(r) }
	if strings.IndexFunc(s, unprintable) < 0 {
		return s
	}
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}
