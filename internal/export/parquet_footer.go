package export

// Names of types in the format: first those of old readers, then the others.
const (
	convertedUTF8   = 0
	convertedMillis = 9
	convertedJSON   = 19

	logicalString    = 1
	logicalTimestamp = 8
	logicalJSON      = 12
)

// footer describes the file: its columns and where the row groups are.
func (p *parquetTable) footer() []byte {
	t := thrift{}
	t.int32(1, 2) // version
	t.list(2, typeStruct, len(p.columns)+1)
	t.element()
	t.binary(4, "rows")
	t.int32(5, int32(len(p.columns)))
	t.end()
	for _, c := range p.columns {
		t.schema(c.Column)
	}
	t.int64(3, p.total)
	t.list(4, typeStruct, p.count)
	t.buffer = append(t.buffer, p.groups.buffer...)
	t.binary(6, "sightline")
	t.end()
	return t.buffer
}

func (t *thrift) schema(c Column) {
	t.element()
	t.int32(1, physical[c.Kind])
	t.int32(3, optional)
	t.binary(4, c.Name)
	switch c.Kind {
	case Text:
		t.logical(convertedUTF8, logicalString, nil)
	case List:
		t.logical(convertedJSON, logicalJSON, nil)
	case Moment: // a moment, not a time of day somewhere
		t.logical(convertedMillis, logicalTimestamp, func() {
			t.bool(1, true)
			t.begin(2)
			t.begin(1) // milliseconds
			t.end()
			t.end()
		})
	}
	t.end()
}

// logical says what the bytes of a column mean.
func (t *thrift) logical(converted int32, kind int16, details func()) {
	t.int32(6, converted)
	t.begin(10)
	t.begin(kind)
	if details != nil {
		details()
	}
	t.end()
	t.end()
}
