package show

import (
	"io"
	"slices"
	"strings"
)

// Screen is what a table is drawn for. Without a width nothing is drawn or
// cut: it is for a pipe.
type Screen struct {
	Width int
	Color bool
}

func (s Screen) terminal() bool { return s.Width > 0 }

// What leaves a narrow terminal, the highest first.
const (
	dropMinor  = 8 // comparisons of figures that may leave it themselves
	dropBars   = 7
	dropBefore = 6 // figures before
	dropMain   = 2 // that of the figure which the report is about
	dropChange = 1 // changes of other figures
)

const (
	gap      = "  "
	minBar   = 8
	maxBar   = 24
	minWide  = 20 // before texts become narrower than this, columns leave
	minKey   = 40 // the same for texts that name the row
	minTrend = 20
	minText  = 8
)

// field is a column on its way to the screen.
type field struct {
	Column
	title string
	width int // of the text
	bar   int // width of the bar behind it
}

// cell is a value on its way to the screen.
type cell struct {
	text  string
	color color
	bar   func(width int) string
	trend Series
}

// sheet is a table on its way to the screen.
type sheet struct {
	screen Screen
	fields []field
	lines  []line
	hidden []string // titles of what did not fit
}

type line struct {
	head  string // stands above, if it is not that of the line before
	cells []cell
}

// total is how wide the sheet is, with wide fields at their narrowest or at
// their full width.
func (s *sheet) total(width func(field) int) (sum int) {
	for i, f := range s.fields {
		if i > 0 {
			sum += len(gap)
		}
		sum += width(f)
		if f.bar > 0 {
			sum += 1 + f.bar
		}
	}
	return sum + s.indent()
}

func (s *sheet) indent() int {
	for _, l := range s.lines {
		if l.head != "" {
			return len(gap)
		}
	}
	return 0
}

func full(f field) int { return f.width }

func narrow(f field) int {
	switch {
	case f.wide() && f.Key:
		return min(f.width, minKey)
	case f.wide():
		return min(f.width, minWide)
	case f.Unit == Trend:
		return min(f.width, minTrend)
	}
	return f.width
}

// tight is for when there is nothing left that could leave.
func tight(f field) int { return min(narrow(f), minText) }

// fit makes the sheet as wide as the screen: columns leave it, texts are cut,
// and what is left over goes to the bars.
func (s *sheet) fit() {
	for s.total(narrow) > s.screen.Width && s.drop() {
	}
	for s.total(full) > s.screen.Width && s.shrink() {
	}
	for i := range s.fields {
		if s.fields[i].bar > 0 {
			s.fields[i].bar = min(maxBar, s.fields[i].bar+max(0, s.screen.Width-s.total(full)))
		}
	}
}

// drop removes what matters least.
func (s *sheet) drop() bool {
	least, bars := -1, -1
	for i, f := range s.fields {
		if f.Drop > 0 && (least < 0 || f.Drop >= s.fields[least].Drop) {
			least = i
		}
		if f.bar > 0 {
			bars = i
		}
	}
	switch {
	case bars >= 0 && (least < 0 || s.fields[least].Drop <= dropBars):
		s.fields[bars].bar = 0
		s.fields[bars].width = max(s.fields[bars].width, columns(s.fields[bars].title))
	case least >= 0:
		if name := s.fields[least].name(); !slices.Contains(s.hidden, name) {
			s.hidden = append(s.hidden, name)
		}
		s.fields = append(s.fields[:least:least], s.fields[least+1:]...)
		for i, l := range s.lines {
			s.lines[i].cells = append(l.cells[:least:least], l.cells[least+1:]...)
		}
	default:
		return false
	}
	return true
}

// name is what a note calls a column that is not shown.
func (f field) name() string {
	switch f.role {
	case roleBefore:
		return "some figures before"
	case roleChange:
		return "some changes"
	}
	return strings.ToLower(f.title)
}

// shrink takes a character from the widest text.
func (s *sheet) shrink() bool {
	widest := -1
	for i, f := range s.fields {
		if (f.wide() || f.Unit == Trend) && f.width > tight(f) && (widest < 0 || f.width > s.fields[widest].width) {
			widest = i
		}
	}
	if widest < 0 {
		return false
	}
	s.fields[widest].width--
	return true
}

// measure sets widths to the widest text.
func (s *sheet) measure() {
	for i := range s.fields {
		f := &s.fields[i]
		for _, l := range s.lines {
			f.width = max(f.width, columns(l.cells[i].text))
			if s.screen.terminal() && l.cells[i].bar != nil {
				f.bar = minBar
			}
		}
		room := f.width
		if f.bar > 0 {
			room += 1 + f.bar
		}
		f.width += max(0, columns(f.title)-room)
	}
}

func (s *sheet) write(w io.Writer) error {
	var b strings.Builder
	indent := strings.Repeat(" ", s.indent())
	s.header(&b, indent)
	last := ""
	for _, l := range s.lines {
		if l.head != last {
			b.WriteString(s.screen.paint(bold, cut(l.head, s.screen.Width)) + "\n")
			last = l.head
		}
		var text strings.Builder
		for i, f := range s.fields {
			if i > 0 {
				text.WriteString(gap)
			}
			text.WriteString(s.cell(f, l.cells[i]))
		}
		b.WriteString(strings.TrimRight(indent+text.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s *sheet) header(b *strings.Builder, indent string) {
	text := indent
	for i, f := range s.fields {
		if i > 0 {
			text += gap
		}
		room := f.width
		if f.bar > 0 {
			room += 1 + f.bar
		}
		text += pad(f.title, room, f.right() && f.bar == 0)
	}
	if text = strings.TrimRight(text, " "); text != "" {
		b.WriteString(s.screen.paint(dim, text) + "\n")
	}
}

func (s *sheet) cell(f field, c cell) string {
	text := c.text
	if c.trend != nil {
		text = Spark(c.trend, f.width)
	}
	if s.screen.terminal() {
		text = f.shorten(text, f.width)
	}
	space := strings.Repeat(" ", max(0, f.width-columns(text)))
	painted := s.screen.paint(c.color, text) + space
	if f.right() {
		painted = space + s.screen.paint(c.color, text)
	}
	if f.bar == 0 {
		return painted
	}
	drawn := ""
	if c.bar != nil {
		drawn = c.bar(f.bar)
	}
	return painted + " " + s.screen.paint(cyan, drawn) + strings.Repeat(" ", f.bar-columns(drawn))
}

func pad(text string, width int, right bool) string {
	space := strings.Repeat(" ", max(0, width-columns(text)))
	if right {
		return space + text
	}
	return text + space
}
