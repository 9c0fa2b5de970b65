// Package encode writes answers as JSON, byte for byte as encoding/json writes
// them without escaping HTML. The answers that can have many thousands of rows are
// written by hand and on all cores: encoding them would take longer than counting
// them.
package encode

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/cores"
)

// JSON writes an answer, in pieces that belong one behind the other: a large one
// is never copied as a whole.
func JSON(answer any) ([][]byte, error) {
	var d document
	switch a := answer.(type) {
	case []api.PromptMetric:
		writeList(&d, a, func() rowWriter[api.PromptMetric] { return new(numbers).appendPrompt })
	case []api.DailyPromptMetric:
		writeList(&d, a, func() rowWriter[api.DailyPromptMetric] { return new(numbers).appendDay })
	case api.CitationResponse:
		writeCitations(&d, &a)
	case api.TimeseriesResponse:
		writeTimeseries(&d, &a)
	default:
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(answer); err != nil {
			return nil, err
		}
		d.last = bytes.TrimSuffix(text.Bytes(), []byte{'\n'})
	}
	return append(d.pieces, d.last), nil
}

// document is JSON that is being written.
type document struct {
	pieces [][]byte
	last   []byte // what comes behind them
}

// rowWriter appends a row. It may keep what it needs for the next.
type rowWriter[T any] func(to []byte, row *T) []byte

func always[T any](w rowWriter[T]) func() rowWriter[T] {
	return func() rowWriter[T] { return w }
}

// share is how many rows one core writes before it takes others.
const share = 256

// drafts are where shares are written first, again and again.
var drafts = sync.Pool{New: func() any { return new([]byte) }}

// writeList writes the rows of an answer. Every share of them becomes a piece of
// just its size: it is written where the one before was, and then copied.
func writeList[T any](d *document, rows []T, begin func() rowWriter[T]) {
	if len(rows) <= share {
		d.last = appendList(d.last, rows, begin())
		return
	}
	shares := slices.Collect(slices.Chunk(rows, share))
	pieces := make([][]byte, len(shares))
	cores.Each(len(shares), func() func(int) {
		row := begin()
		return func(i int) {
			text := drafts.Get().(*[]byte)
			*text = appendRows(append((*text)[:0], ','), shares[i], row) // or a bracket, before the first
			pieces[i] = bytes.Clone(*text)
			drafts.Put(text)
		}
	})
	pieces[0][0] = '['
	if len(d.last) > 0 {
		d.pieces = append(d.pieces, d.last)
	}
	d.pieces = append(d.pieces, pieces...)
	d.last = []byte{']'}
}

// appendList writes a list whose rows one core writes.
func appendList[T any](to []byte, rows []T, row rowWriter[T]) []byte {
	if rows == nil {
		return append(to, "null"...)
	}
	return append(appendRows(append(to, '['), rows, row), ']')
}

func appendRows[T any](to []byte, rows []T, row rowWriter[T]) []byte {
	for i := range rows {
		if i > 0 {
			to = append(to, ',')
		}
		to = row(to, &rows[i])
	}
	return to
}
