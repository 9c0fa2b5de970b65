package clickhouse

import (
	"bytes"
	"encoding/binary"

	"github.com/klauspost/compress/gzip"
)

// Bounds of a block of rows: large ones make few parts on the server, and only
// their compressed form is held here.
const (
	blockRows  = 500_000
	blockBytes = 128 << 20
)

// block is rows for one table, in the format RowBinary, compressed.
type block struct {
	table, columns string
	rows           int64
	bytes          int
	packed         bytes.Buffer
	gzip           *gzip.Writer
	row            []byte
}

func newBlock(table, columns string) *block {
	b := &block{table: table, columns: columns}
	b.gzip, _ = gzip.NewWriterLevel(&b.packed, gzip.BestSpeed) // the level is a valid one
	return b
}

func (b *block) int64(values ...int64) {
	for _, v := range values {
		b.row = binary.LittleEndian.AppendUint64(b.row, uint64(v))
	}
}

func (b *block) uint64(v uint64) { b.row = binary.LittleEndian.AppendUint64(b.row, v) }

func (b *block) flag(v bool) {
	if v {
		b.row = append(b.row, 1)
	} else {
		b.row = append(b.row, 0)
	}
}

func (b *block) text(values ...string) {
	for _, v := range values {
		b.row = binary.AppendUvarint(b.row, uint64(len(v)))
		b.row = append(b.row, v...)
	}
}

// end completes a row and says whether the block is full.
func (b *block) end() (full bool, err error) {
	b.rows++
	b.bytes += len(b.row)
	_, err = b.gzip.Write(b.row)
	b.row = b.row[:0]
	return b.rows >= blockRows || b.bytes >= blockBytes, err
}
