package export

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A row group is written when it has this many rows, or about this many bytes:
// so much is in memory at a time.
const (
	groupRows  = 122_880
	groupBytes = 8 << 20
)

const magic = "PAR1"

// parquetTable writes Parquet: flat columns that may be null, plain values in
// pages packed with Snappy, one page for each column of a row group.
//
// The engine that is linked in could write Parquet, too, but only as a whole and
// into a file: the server would have to hold or store a page of any length before
// the first byte is sent, and an engine of the server would have to write files.
// What tables of this shape need of the format is little, every reader knows it,
// and it can be sent while it is made.
type parquetTable struct {
	w       io.Writer
	at      int64 // bytes written
	columns []parquetColumn
	rows    int64
	groups  thrift // metadata of the groups written
	count   int    // of groups
	total   int64  // rows of groups
	page    []byte
	packed  []byte
}

func newParquet(w io.Writer, columns []Column) Writer {
	p := &parquetTable{w: w}
	for _, c := range columns {
		p.columns = append(p.columns, parquetColumn{Column: c})
	}
	return p
}

func (p *parquetTable) Row(values []any) error {
	size := 0
	for i := range p.columns {
		if err := p.columns[i].add(values[i]); err != nil {
			return fmt.Errorf("column %s: %w", p.columns[i].Name, err)
		}
		size += len(p.columns[i].values)
	}
	if p.rows++; p.rows < groupRows && size < groupBytes {
		return nil
	}
	return p.flush()
}

// Close writes the last group and the description of all, which is at the end.
func (p *parquetTable) Close() error {
	if err := p.flush(); err != nil {
		return err
	}
	if p.at == 0 {
		if err := p.write([]byte(magic)); err != nil {
			return err
		}
	}
	footer := p.footer()
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return p.write(append(footer, magic...))
}

func (p *parquetTable) write(b []byte) error {
	n, err := p.w.Write(b)
	p.at += int64(n)
	return err
}

// flush writes the rows so far as a row group.
func (p *parquetTable) flush() error {
	if p.rows == 0 {
		return nil
	}
	if p.at == 0 {
		if err := p.write([]byte(magic)); err != nil {
			return err
		}
	}
	group, size := thrift{}, int64(0)
	group.list(1, typeStruct, len(p.columns))
	for i := range p.columns {
		n, err := p.chunk(&group, &p.columns[i])
		if err != nil {
			return err
		}
		size += n
	}
	group.int64(2, size)
	group.int64(3, p.rows)
	group.end()
	p.groups.buffer = append(p.groups.buffer, group.buffer...)
	p.count++
	p.total += p.rows
	p.rows = 0
	return nil
}
