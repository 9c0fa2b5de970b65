package parquet

import (
	"database/sql/driver"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	duck "github.com/duckdb/duckdb-go/v2"
)

// object writes a row as a JSON object, without what is null. Its size is a
// guess.
func object(columns []column, values []driver.Value, size int) []byte {
	b := append(make([]byte, 0, size), '{')
	for i, c := range columns {
		if missing(values[i]) {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(appendText(b, c.name), ':')
		if text, ok := values[i].(string); ok && c.isJSON() {
			b = append(b, text...)
		} else {
			b = appendValue(b, values[i])
		}
	}
	return append(b, '}')
}

// missing tells whether there is no value. Tables of numbers often have no null
// and say "not a number" instead.
func missing(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case float64:
		return math.IsNaN(v)
	case float32:
		return math.IsNaN(float64(v))
	}
	return false
}

// appendValue writes a value as JSON.
func appendValue(b []byte, value any) []byte {
	if missing(value) {
		return append(b, "null"...)
	}
	switch v := value.(type) {
	case string:
		return appendText(b, v)
	case []byte:
		return appendText(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case int32:
		return strconv.AppendInt(b, int64(v), 10)
	case int8, int16, uint8, uint16, uint32, uint64, *big.Int:
		return fmt.Append(b, v)
	case float32:
		return appendFloat(b, float64(v), 32)
	case float64:
		return appendFloat(b, v, 64)
	case duck.Decimal:
		return append(b, v.String()...)
	case time.Time:
		return append(v.UTC().AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
	case []any:
		return appendList(b, v)
	case map[string]any:
		return appendFields(b, v)
	case duck.OrderedMap:
		return appendMap(b, v)
	}
	return appendText(b, fmt.Sprint(value))
}

// appendFloat writes a whole number without a fraction: columns of integers
// become floats in many tools as soon as one value is missing.
func appendFloat(b []byte, v float64, bits int) []byte {
	switch {
	case math.IsInf(v, 0):
		return appendText(b, strconv.FormatFloat(v, 'g', -1, bits))
	case v != 0 && (math.Abs(v) < 1e-6 || math.Abs(v) >= 1e21):
		return strconv.AppendFloat(b, v, 'e', -1, bits)
	}
	return strconv.AppendFloat(b, v, 'f', -1, bits)
}

func appendList(b []byte, list []any) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, v)
	}
	return append(b, ']')
}

func appendFields(b []byte, fields map[string]any) []byte {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(fields)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, name), ':')
		b = appendValue(b, fields[name])
	}
	return append(b, '}')
}

func appendMap(b []byte, m duck.OrderedMap) []byte {
	fields := make(map[string]any)
	keys, values := m.Keys(), m.Values()
	for i, key := range keys {
		fields[fmt.Sprint(key)] = values[i]
	}
	return appendFields(b, fields)
}

// appendText writes a JSON string. Bytes that are no UTF-8 are kept, for the
// reader to refuse this row and not the file.
func appendText[T string | []byte](b []byte, text T) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b = append(append(b, text[from:i]...), '\\', c)
		case c < ' ':
			b = append(append(b, text[from:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			continue
		}
		from = i + 1
	}
	return append(append(b, text[from:]...), '"')
}
