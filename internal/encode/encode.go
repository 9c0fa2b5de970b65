// Package encode writes answers as JSON, byte for byte as encoding/json writes
// them without escaping HTML. The answers that can have many thousands of rows are
// written by hand and on all cores: encoding them would take longer than counting
// them.
package encode

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"runtime"
	"slices"
	"sync"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/cores"
)

// Line is an answer as a line of JSON, in pieces that belong one behind the
// other: a large one is never copied as a whole.
type Line struct {
	Pieces [][]byte
	gists  [][]byte // sums of those of its rows, and the text before, between and after
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
	for _, gist := range l.gists {
		all.Write(binary.AppendUvarint(nil, uint64(len(gist))))
		all.Write(gist)
	}
	return all.Sum(nil)
}

// document is a line that is being written.
type document struct {
	Line
	last []byte // what comes behind its pieces
}

// cut makes a piece of what was written last.
func (d *document) cut() {
	if len(d.last) > 0 {
		d.Pieces, d.gists, d.last = append(d.Pieces, d.last), append(d.gists, d.last), nil
	}
}

const (
	// share is how many rows have a gist of their own. Sums depend on it.
	share = 128
	// pieceSize is about how long pieces are, so that sending one is worth the call.
	pieceSize = 128 << 10
	// turns is how often a core takes rows, so that none waits long for another.
	turns = 4
)

// drafts are where pieces are written first, again and again.
var drafts = sync.Pool{New: func() any { return new(draft) }}

type draft struct{ text, gist []byte }

// writeList writes the rows of an answer. What a core takes of them at a time
// becomes a piece of just its size: it is written where the one before was, and
// then copied.
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
	taken := sharesAtOnce(shares, row)
	pieces, gists := make([][]byte, (len(shares)+taken-1)/taken), make([][]byte, len(shares))
	cores.Each(len(pieces), func() func(int) {
		p := new(pen)
		return func(i int) {
			room := drafts.Get().(*draft)
			p.text, p.gist = room.text[:0], room.gist
			for n := i * taken; n < min((i+1)*taken, len(shares)); n++ {
				if n > 0 {
					p.mark(',')
				}
				writeShare(p, shares[n], row)
				sum := sha256.Sum256(p.gist)
				gists[n] = sum[:]
			}
			pieces[i] = bytes.Clone(p.text)
			room.text, room.gist = p.text, p.gist
			drafts.Put(room)
		}
	})
	d.Pieces, d.gists = append(d.Pieces, pieces...), append(d.gists, gists...)
	d.last = append(d.last, ']')
}

// sharesAtOnce is how many a core should take at a time, if all rows are about as
// long as the first.
func sharesAtOnce[T any](shares [][]T, row rowWriter[T]) int {
	var p pen
	p.begin(true)
	row(&p, new(T), &shares[0][0])
	return max(1, min(pieceSize/(len(p.text)*share), len(shares)/(turns*runtime.GOMAXPROCS(0))))
}

// writeShare writes rows. Their gist begins with the text of the first one, which
// has the names of the fields; it is the text of all where the writer leaves none.
func writeShare[T any](p *pen, rows []T, row rowWriter[T]) {
	p.share++
	p.gist = p.gist[:0]
	from, before, plain := len(p.text), new(T), true
	for i := range rows {
		if i > 0 {
			p.mark(',')
		}
		p.begin(i == 0)
		row(p, before, &rows[i])
		if before = &rows[i]; i == 0 {
			plain = len(p.gist) == 0
			p.gist = append(p.gist[:0], p.text[from:]...)
		}
	}
	if plain {
		p.gist = append(p.gist[:0], p.text[from:]...)
	}
}
