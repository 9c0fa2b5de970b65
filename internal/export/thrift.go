package export

import "encoding/binary"

// Types of Thrift's compact protocol.
const (
	typeTrue   = 1
	typeFalse  = 2
	typeInt32  = 5
	typeInt64  = 6
	typeBinary = 8
	typeList   = 9
	typeStruct = 12
)

// thrift writes a struct in Thrift's compact protocol, in which Parquet
// describes itself. Fields are written in the order of their numbers; a field
// says only how far its number is from the one before.
type thrift struct {
	buffer []byte
	last   int16   // number of the field before
	outer  []int16 // the same of the structs around this one
}

func (t *thrift) field(number int16, kind byte) {
	t.buffer = append(t.buffer, byte(number-t.last)<<4|kind) // never more than 15 apart
	t.last = number
}

func (t *thrift) int32(number int16, v int32) {
	t.field(number, typeInt32)
	t.buffer = binary.AppendVarint(t.buffer, int64(v))
}

func (t *thrift) int64(number int16, v int64) {
	t.field(number, typeInt64)
	t.buffer = binary.AppendVarint(t.buffer, v)
}

func (t *thrift) bool(number int16, v bool) {
	if v {
		t.field(number, typeTrue)
	} else {
		t.field(number, typeFalse)
	}
}

func (t *thrift) binary(number int16, v string) {
	t.field(number, typeBinary)
	t.text(v)
}

// begin begins a struct that is a field of this one.
func (t *thrift) begin(number int16) {
	t.field(number, typeStruct)
	t.element()
}

// element begins a struct that is an element of a list.
func (t *thrift) element() {
	t.outer = append(t.outer, t.last)
	t.last = 0
}

// end ends a struct.
func (t *thrift) end() {
	t.buffer = append(t.buffer, 0)
	if n := len(t.outer); n > 0 {
		t.last, t.outer = t.outer[n-1], t.outer[:n-1]
	}
}

// list begins a list; its elements follow.
func (t *thrift) list(number int16, kind byte, size int) {
	t.field(number, typeList)
	if size < 15 {
		t.buffer = append(t.buffer, byte(size)<<4|kind)
		return
	}
	t.buffer = append(t.buffer, 0xf0|kind)
	t.buffer = binary.AppendUvarint(t.buffer, uint64(size))
}

// item is a number in a list.
func (t *thrift) item(v int32) { t.buffer = binary.AppendVarint(t.buffer, int64(v)) }

// text is a text in a list, or of a field.
func (t *thrift) text(v string) {
	t.buffer = binary.AppendUvarint(t.buffer, uint64(len(v)))
	t.buffer = append(t.buffer, v...)
}
