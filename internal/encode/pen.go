package encode

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
)

// rowWriter writes a row behind another. It writes the same fields for all.
type rowWriter[T any] func(p *pen, before, row *T)

// pen writes rows, as text and as their gist. That is what the text can be told
// from, if one knows the rows before: summing it takes a fraction of the time
// that summing the text would. It must depend on nothing but the rows of a share,
// so that the same answer has the same sum on every server, and follow from no
// other rows.
type pen struct {
	text, gist []byte
	share      int       // how many it has begun
	numbers    *numbers  // made when they are needed, as the products are
	products   *products // that were written lately
	first      bool      // row of a share
	field      int       // of those that may repeat, the next in the row
	fields     [4]struct{ from, to int }
}

// begin begins a row.
func (p *pen) begin(first bool) { p.first, p.field = first, 0 }

// repeat writes the next of the fields that may repeat by write, or copies it from
// the row before if that has the same.
func (p *pen) repeat(same bool, write func()) {
	last := &p.fields[p.field]
	p.field++
	from := len(p.text)
	if same && !p.first {
		p.text = append(p.text, p.text[last.from:last.to]...)
		p.gist = append(p.gist, 0)
	} else {
		p.gist = append(p.gist, 1)
		write()
	}
	last.from, last.to = from, len(p.text)
}

// writeText writes a field; before is what the row before has.
func (p *pen) writeText(name, before, s string) {
	p.repeat(s == before, func() {
		p.text = append(p.text, name...)
		p.quote(s)
	})
}

// writeElements writes a field with a list.
func writeElements[T comparable](p *pen, name string, before, list []T, write func(*T)) {
	same := len(before) == len(list) && (before == nil) == (list == nil)
	same = same && (len(list) == 0 || &before[0] == &list[0] || slices.Equal(before, list)) // most that are equal are the same
	p.repeat(same, func() {
		p.text = append(p.text, name...)
		if list == nil {
			p.text, p.gist = append(p.text, "null"...), append(p.gist, 0)
			return
		}
		p.gist = binary.AppendUvarint(p.gist, 1+uint64(len(list)))
		p.mark('[')
		for i := range list {
			if i > 0 {
				p.mark(',')
			}
			write(&list[i])
		}
		p.mark(']')
	})
}

// quote writes a string, of which most need no escaping. Appending in place is
// much faster while memory is collected.
func (p *pen) quote(s string) {
	if plain(s) {
		p.text = append(p.text, '"')
		p.text = append(p.text, s...)
		p.text = append(p.text, '"')
	} else {
		p.text = appendEscaped(p.text, s)
	}
	p.noteText(s)
}

// noteText notes a text in the gist.
func (p *pen) noteText(s string) {
	p.gist = binary.AppendUvarint(p.gist, uint64(len(s)))
	p.gist = append(p.gist, s...)
}

func (p *pen) writeFloat(name string, f *float64) {
	p.text = append(p.text, name...)
	if f == nil {
		p.text, p.gist = append(p.text, "null"...), append(p.gist, 0)
		return
	}
	if p.numbers == nil {
		p.numbers = new(numbers)
	}
	p.text = p.numbers.appendFloat(p.text, *f)
	p.gist = append(p.gist, 1)
	p.gist = binary.LittleEndian.AppendUint64(p.gist, math.Float64bits(*f))
}

func (p *pen) writeInt(name string, n *int64) {
	if n == nil {
		p.text = append(p.text, name...)
		p.text = append(p.text, "null"...)
		p.gist = append(p.gist, 0)
		return
	}
	p.gist = append(p.gist, 1)
	p.writeCount(name, *n)
}

func (p *pen) writeCount(name string, n int64) {
	p.text = append(p.text, name...)
	p.text = strconv.AppendInt(p.text, n, 10)
	p.gist = binary.AppendVarint(p.gist, n)
}

func (p *pen) writeBool(name string, b bool) {
	p.text = append(p.text, name...)
	p.text = strconv.AppendBool(p.text, b)
	p.gist = strconv.AppendBool(p.gist, b)
}

// mark writes a bracket or a comma.
func (p *pen) mark(c byte) { p.text = append(p.text, c) }
