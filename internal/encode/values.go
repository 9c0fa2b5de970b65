package encode

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

func appendInt(to []byte, n *int64) []byte {
	if n == nil {
		return append(to, "null"...)
	}
	return strconv.AppendInt(to, *n, 10)
}

// numbers are those that were written lately, and how: ratios of small counts
// come again and again, and take long to write.
type numbers [512]struct {
	bits   uint64
	length uint8
	text   [24]byte
}

func (known *numbers) appendFloat(to []byte, f float64) []byte {
	bits := math.Float64bits(f)
	k := &known[bits*0x9e3779b97f4a7c15>>55]
	if k.length == 0 || k.bits != bits {
		start := len(to)
		to = appendNumber(to, f)
		k.bits, k.length = bits, uint8(len(to)-start)
		if copy(k.text[:], to[start:]) < len(to)-start { // too long to keep
			k.length = 0
		}
		return to
	}
	return append(to, k.text[:k.length]...)
}

// appendNumber appends a number. Those that need an exponent are rare.
func appendNumber(to []byte, f float64) []byte {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		text, err := json.Marshal(f)
		if err != nil {
			panic(err) // infinite: a ratio is divided by a count, which is not 0
		}
		return append(to, text...)
	}
	return strconv.AppendFloat(to, f, 'f', -1, 64)
}

// appendText appends a string. Most need no escaping.
func appendText(to []byte, s string) []byte {
	if !plain(s) {
		return appendEscaped(to, s)
	}
	to = append(append(to, '"'), s...)
	return append(to, '"')
}

// plain says whether a string stands in JSON as it is. It looks at eight bytes
// at a time: the texts of an answer may have megabytes.
func plain(s string) bool {
	for len(s) >= 8 {
		w := word(s)
		if (w|below(w, ' ')|below(w^each*'"', 1)|below(w^each*'\\', 1))&(each<<7) != 0 {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// word is the first eight bytes.
func word(s string) uint64 {
	_ = s[7] // one look at the length is enough
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// each has 1 in each byte.
const each = 0x0101010101010101

// below sets the highest bit of some byte if any of the eight is below n, else of
// none; n is at most 128.
func below(w, n uint64) uint64 { return (w - each*n) &^ w }

func appendEscaped(to []byte, s string) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return append(to, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...)
}
