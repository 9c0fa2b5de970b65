package export

import (
	"bytes"
	"encoding/json"
	"io"
)

// jsonValue encodes values one after the other into the same memory.
type jsonValue struct {
	buffer  bytes.Buffer
	encoder *json.Encoder
}

// encode writes a value as the server writes JSON. It is valid until the next.
func (j *jsonValue) encode(v any) ([]byte, error) {
	if j.encoder == nil {
		j.encoder = json.NewEncoder(&j.buffer)
		j.encoder.SetEscapeHTML(false)
	}
	j.buffer.Reset()
	err := j.encoder.Encode(v)
	return bytes.TrimSuffix(j.buffer.Bytes(), []byte("\n")), err
}

// Objects writes rows as JSON objects.
type Objects struct{ json jsonValue }

// Append writes a row behind other bytes, with its names in their order.
func (o *Objects) Append(b []byte, names []string, values []any) ([]byte, error) {
	b = append(b, '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		for _, part := range []any{name, values[i]} {
			text, err := o.json.encode(part)
			if err != nil {
				return b, err
			}
			b = append(append(b, text...), ':')
		}
		b = b[:len(b)-1] // nothing comes after the value
	}
	return append(b, '}'), nil
}

type ndjsonTable struct {
	w       io.Writer
	names   []string
	objects Objects
	line    []byte
}

func newNDJSONTable(w io.Writer, columns []Column) Writer {
	return &ndjsonTable{w: w, names: namesOf(columns)}
}

func (n *ndjsonTable) Row(values []any) (err error) {
	if n.line, err = n.objects.Append(n.line[:0], n.names, values); err != nil {
		return err
	}
	n.line = append(n.line, '\n')
	_, err = n.w.Write(n.line)
	return err
}

func (n *ndjsonTable) Close() error { return nil }
