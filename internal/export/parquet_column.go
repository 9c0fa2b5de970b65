package export

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/klauspost/compress/s2"
)

// Numbers of the format, see parquet.thrift.
const (
	physicalBoolean   = 0
	physicalInt64     = 2
	physicalDouble    = 5
	physicalByteArray = 6

	encodingPlain = 0
	encodingRLE   = 3
	codecSnappy   = 1
	optional      = 1
)

var physical = map[Kind]int32{
	Text: physicalByteArray, List: physicalByteArray, Integer: physicalInt64, Moment: physicalInt64,
	Number: physicalDouble, Flag: physicalBoolean,
}

// parquetColumn holds a column of a row group.
type parquetColumn struct {
	Column
	values []byte // plain, without nulls
	flags  int    // values of a Flag: eight are a byte
	levels []byte // runs of nulls and values
	level  byte   // of the run at the end: 1 is a value
	run    uint64
	rows   int32
	json   jsonValue
}

func (c *parquetColumn) add(v any) error {
	c.rows++
	if v == nil {
		c.extend(0)
		return nil
	}
	c.extend(1)
	switch c.Kind {
	case Integer:
		c.values = binary.LittleEndian.AppendUint64(c.values, uint64(v.(int64)))
	case Number:
		c.values = binary.LittleEndian.AppendUint64(c.values, math.Float64bits(v.(float64)))
	case Flag:
		c.flag(v.(bool))
	case Text:
		c.text([]byte(valid(v.(string))))
	case Moment:
		at, err := time.Parse(time.RFC3339, v.(string))
		c.values = binary.LittleEndian.AppendUint64(c.values, uint64(at.UnixMilli()))
		return err
	case List:
		text, err := c.json.encode(v)
		c.text(text)
		return err
	default:
		panic(fmt.Sprintf("export: kind %d", c.Kind))
	}
	return nil
}

func (c *parquetColumn) text(b []byte) {
	c.values = binary.LittleEndian.AppendUint32(c.values, uint32(len(b)))
	c.values = append(c.values, b...)
}

func (c *parquetColumn) flag(v bool) {
	if c.flags%8 == 0 {
		c.values = append(c.values, 0)
	}
	if v {
		c.values[len(c.values)-1] |= 1 << (c.flags % 8)
	}
	c.flags++
}

// extend notes whether the next row has a value.
func (c *parquetColumn) extend(level byte) {
	if c.run > 0 && c.level != level {
		c.endRun()
	}
	c.level = level
	c.run++
}

func (c *parquetColumn) endRun() {
	c.levels = append(binary.AppendUvarint(c.levels, c.run<<1), c.level)
	c.run = 0
}

func (c *parquetColumn) reset() {
	c.values, c.levels, c.flags, c.run, c.rows = c.values[:0], c.levels[:0], 0, 0, 0
}

// chunk writes the only page of a column, describes it in its group's metadata,
// and returns its size before packing.
func (p *parquetTable) chunk(group *thrift, c *parquetColumn) (int64, error) {
	c.endRun()
	p.page = binary.LittleEndian.AppendUint32(p.page[:0], uint32(len(c.levels)))
	p.page = append(append(p.page, c.levels...), c.values...)
	p.packed = s2.EncodeSnappy(p.packed[:cap(p.packed)], p.page)

	header := thrift{}
	header.int32(1, 0) // a data page
	header.int32(2, int32(len(p.page)))
	header.int32(3, int32(len(p.packed)))
	header.begin(5)
	header.int32(1, c.rows)
	header.int32(2, encodingPlain)
	header.int32(3, encodingRLE)
	header.int32(4, encodingRLE)
	header.end()
	header.end()

	start := p.at
	if err := p.write(header.buffer); err != nil {
		return 0, err
	}
	if err := p.write(p.packed); err != nil {
		return 0, err
	}
	unpacked := int64(len(header.buffer) + len(p.page))
	group.element()
	group.int64(2, start)
	group.begin(3)
	group.int32(1, physical[c.Kind])
	group.list(2, typeInt32, 2)
	group.item(encodingPlain)
	group.item(encodingRLE)
	group.list(3, typeBinary, 1)
	group.text(c.Name)
	group.int32(4, codecSnappy)
	group.int64(5, int64(c.rows))
	group.int64(6, unpacked)
	group.int64(7, p.at-start)
	group.int64(9, start)
	group.end()
	group.end()
	c.reset()
	return unpacked, nil
}
