// Package encode writes answers as JSON, byte for byte as encoding/json writes
// them without escaping HTML. The answers that can have many thousands of rows are
// written by hand and on all cores: encoding them would take longer than counting
// them.
package encode

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/cores"
)

// Line is an answer as a line of JSON, in pieces that belong one behind the
// other: a large one is never copied as a whole.
type Line struct {
	Pieces [][]byte
	sums   [][]byte // of what the pieces say; nil where nobody has summed it yet
}

// JSON writes an answer.
func JSON(answer any) (Line, error) {
	var d document
	switch a := answer.(type) {
	case []api.PromptMetric:
		writeList(&d, a, writePrompt)
	case []api.DailyPromptMetric:
		writeList(&d, a, writeDay)
	case api.CitationResponse:
		writeCitations(&d, &a)
	case api.TimeseriesResponse:
		writeTimeseries(&d, &a)
	default:
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(answer); err != nil {
			return Line{}, err
		}
		d.last = bytes.TrimSuffix(text.Bytes(), []byte{'\n'})
	}
	d.last = append(d.last, '\n')
	d.cut()
	return d.Line, nil
}

// Sum names a line of many rows without reading all of it again: other lines have
// other sums. It is nil for a line of one piece.
func (l Line) Sum() []byte {
	if len(l.Pieces) == 1 {
		return nil
	}
	all := sha256.New()
	for i, sum := range l.sums {
		if sum == nil {
			sum = sumOf(l.Pieces[i])
		}
		all.Write(sum)
	}
	return all.Sum(nil)
}

func sumOf(b []byte) []byte {
	sum := sha256.Sum256(b)
	return sum[:]
}

// document is a line that is being written.
type document struct {
	Line
	last []byte // what comes behind its pieces
}

// cut makes a piece of what was written last.
func (d *document) cut() {
	if len(d.last) > 0 {
		d.Pieces, d.sums, d.last = append(d.Pieces, d.last), append(d.sums, nil), nil
	}
}

// share is how many rows one core writes before it takes others. Sums depend on
// it.
const share = 128

// drafts are where shares are written first, again and again.
var drafts = sync.Pool{New: func() any { return new(draft) }}

type draft struct{ text, gist []byte }

// writeList writes the rows of an answer. Every share of them becomes a piece of
// just its size: it is written where the one before was, and then copied.
func writeList[T any](d *document, rows []T, row rowWriter[T]) {
	if rows == nil {
		d.last = append(d.last, "null"...)
		return
	}
	d.last = append(d.last, '[')
	if len(rows) <= share {
		p := pen{text: d.last}
		writeShare(&p, rows, row)
		d.last = append(p.text, ']')
		return
	}
	d.cut()
	shares := slices.Collect(slices.Chunk(rows, share))
	pieces, sums := make([][]byte, len(shares)), make([][]byte, len(shares))
	cores.Each(len(shares), func() func(int) {
		p := new(pen)
		return func(i int) {
			room := drafts.Get().(*draft)
			p.text, p.gist = room.text[:0], room.gist[:0]
			if i > 0 {
				p.text = append(p.text, ',')
			}
			writeShare(p, shares[i], row)
			pieces[i], sums[i] = bytes.Clone(p.text), sumOf(p.gist)
			room.text, room.gist = p.text, p.gist
			drafts.Put(room)
		}
	})
	d.Pieces, d.sums = append(d.Pieces, pieces...), append(d.sums, sums...)
	d.last = append(d.last, ']')
}

// writeShare writes rows. Their gist begins with the text of the first one, which
// has the names of the fields; it is the text of all where the writer leaves none.
func writeShare[T any](p *pen, rows []T, row rowWriter[T]) {
	p.share++
	before, plain := new(T), true
	for i := range rows {
		if i > 0 {
			p.text = append(p.text, ',')
		}
		p.begin(i == 0)
		row(p, before, &rows[i])
		if before = &rows[i]; i == 0 {
			plain = len(p.gist) == 0
			p.gist = append(p.gist[:0], p.text...)
		}
	}
	if plain {
		p.gist = append(p.gist[:0], p.text...)
	}
}
