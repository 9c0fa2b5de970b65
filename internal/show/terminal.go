package show

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sightline-hq/sightline/internal/insight"
)

// color is an SGR parameter.
type color string

const (
	plain color = ""
	bold  color = "1"
	dim   color = "2"
	red   color = "31"
	green color = "32"
	cyan  color = "36"
)

func (s Screen) paint(c color, text string) string {
	if !s.Color || c == plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// People writes tables for people: with bars and notes on a terminal, aligned
// and below one line of heading for a pipe.
func People(w io.Writer, screen Screen, heading string, tables ...Table) error {
	switch {
	case heading == "":
	case screen.terminal():
		for line := range strings.Lines(heading) {
			fmt.Fprintln(w, screen.paint(bold, cut(Printable(strings.TrimSuffix(line, "\n")), screen.Width)))
		}
	default:
		fmt.Fprintln(w, Printable(strings.ReplaceAll(heading, "\n", ", ")))
	}
	var notes []string
	for i, t := range tables {
		rows, err := t.All()
		if err != nil {
			return err
		}
		if i > 0 || screen.terminal() && heading != "" {
			fmt.Fprintln(w)
		}
		if len(tables) > 1 && t.Title != "" {
			fmt.Fprintln(w, screen.paint(bold, t.Title))
		}
		s := newSheet(screen, t, rows)
		if screen.terminal() {
			s.fit()
			notes = append(notes, s.notes(t, rows)...)
		}
		if err := s.write(w); err != nil {
			return err
		}
	}
	return writeNotes(w, screen, notes)
}

func writeNotes(w io.Writer, screen Screen, notes []string) error {
	written := make(map[string]bool)
	for _, n := range notes {
		if written[n] {
			continue
		}
		if len(written) == 0 {
			fmt.Fprintln(w)
		}
		written[n] = true
		if _, err := fmt.Fprintln(w, screen.paint(dim, n)); err != nil {
			return err
		}
	}
	return nil
}

func newSheet(screen Screen, t Table, rows []Row) *sheet {
	s := &sheet{screen: screen}
	if t.Single && len(rows) == 1 {
		s.single(t, rows[0])
	} else {
		s.rows(t, rows)
	}
	s.measure()
	return s
}

// rows fills the sheet with a line for each row.
func (s *sheet) rows(t Table, rows []Row) {
	var shown, heads []int
	for i, c := range t.Columns {
		switch {
		case c.Title == "":
		case c.Head && s.screen.terminal():
			heads = append(heads, i)
		default:
			shown = append(shown, i)
			s.fields = append(s.fields, field{Column: c, title: c.Title})
		}
	}
	top := tops(t, rows)
	previous := ""
	for _, row := range rows {
		l := line{head: headOf(t.Columns, heads, row)}
		for _, i := range shown {
			l.cells = append(l.cells, s.newCell(t, i, row, top))
		}
		if s.screen.terminal() && len(shown) > 1 && t.Columns[shown[0]].Unit == Moment {
			if first := l.cells[0].text; first == previous {
				l.cells[0].text = ""
			} else {
				previous = first
			}
		}
		s.lines = append(s.lines, l)
	}
}

// single fills the sheet with a line for each figure of one row; the figure
// before and the change stand behind it.
func (s *sheet) single(t Table, row Row) {
	s.fields = []field{{}, {Column: Column{Unit: Count}}}
	top := tops(t, []Row{row})
	for i, c := range t.Columns {
		made := s.newCell(t, i, row, top)
		switch {
		case c.Title == "":
		case c.role == roleValue:
			s.lines = append(s.lines, line{cells: []cell{{text: strings.ToLower(c.Title)}, made}})
		default:
			l := &s.lines[len(s.lines)-1]
			l.cells = append(l.cells, made)
			if len(l.cells) > len(s.fields) {
				s.fields = append(s.fields, field{Column: Column{Unit: Count}, title: c.Title})
				s.fields[1].title = "NOW"
			}
		}
	}
	for i, l := range s.lines {
		s.lines[i].cells = append(l.cells, make([]cell, len(s.fields)-len(l.cells))...)
	}
}

func headOf(all []Column, heads []int, row Row) string {
	var parts []string
	for _, i := range heads {
		if text := all[i].text(row[i]); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "  · ")
}

// tops are the highest values of the columns that are drawn as bars.
func tops(t Table, rows []Row) []float64 {
	top := make([]float64, len(t.Columns))
	for i, c := range t.Columns {
		for _, row := range rows {
			if v := float(row[i]); c.Bar && v != nil {
				top[i] = math.Max(top[i], *v)
			}
		}
	}
	return top
}

func (s *sheet) newCell(t Table, i int, row Row, top []float64) cell {
	c := t.Columns[i]
	made := cell{text: c.text(row[i])}
	if d, ok := row[i].(Delta); ok && d.Within != nil && !d.chance() {
		made.text += "  " // in line with those that have a mark
	}
	if !s.screen.terminal() {
		return made
	}
	if row[i] == nil {
		made.color = dim
	}
	if c.Unit == Count {
		made.text = grouped(made.text)
	}
	if c.role == roleChange {
		made.color, made.text = changeColor(c, row[i], made.text), arrow(made.text)
	}
	made.trend, _ = row[i].(Series)
	if share, ok := c.share(row[i], top[i]); ok && c.Bar {
		made.bar = func(width int) string { return bar(share, width) }
		if sure, ok := within(t, row, c.Name); ok {
			made.bar = func(width int) string { return barWithin(sure, width) }
		}
	}
	return made
}

// within finds how sure a figure is.
func within(t Table, row Row, name string) (found insight.Interval, ok bool) {
	for i, c := range t.Columns {
		if p, is := row[i].(*insight.Interval); is && c.Name == name {
			return *p, true
		}
	}
	return found, false
}

// changeColor is green for what got better and red for what got worse. More
// visits are neither, and so is a visibility that is not known to have changed.
func changeColor(c Column, v any, text string) color {
	d, share := v.(Delta)
	switch {
	case v == nil || d.chance():
		return dim
	case c.Change == ChangeGrowth, share && d.Within == nil:
		return plain
	case strings.HasPrefix(text, "+"):
		return green
	case strings.HasPrefix(text, "-"):
		return red
	}
	return plain
}

func (s *sheet) notes(t Table, rows []Row) (notes []string) {
	if len(s.hidden) > 0 {
		notes = append(notes, fmt.Sprintf("Not shown at this width: %s.", strings.Join(s.hidden, ", ")))
	}
	for i, c := range t.Columns {
		for _, row := range rows {
			if d, ok := row[i].(Delta); ok && d.chance() && c.Title != "" {
				return append(notes, "~ may be chance: the change is not certain at 95 %.")
			}
		}
	}
	return notes
}
