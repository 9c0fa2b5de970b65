package accesslog

import (
	"encoding/binary"
	"math/bits"
)

// space goes over white space.
func (s *scanner) space(i int) int {
	const white = 1<<' ' | 1<<'\t' | 1<<'\r' | 1<<'\n'
	for i < len(s.data) && s.data[i] <= ' ' && white>>s.data[i]&1 != 0 {
		i++
	}
	return i
}

func (s *scanner) word(i int, w string) int {
	if len(s.data)-i < len(w) || string(s.data[i:i+len(w)]) != w {
		return s.fail(i, "no value")
	}
	return i + len(w)
}

func (s *scanner) number(i int) int {
	if s.data[i] == '-' {
		i++
	}
	start := i
	if i = s.digits(i); i == start {
		return s.fail(i, "no value")
	}
	if i > start+1 && s.data[start] == '0' {
		return s.fail(start, "a number starts with 0")
	}
	if i < len(s.data) && s.data[i] == '.' {
		fraction := i + 1
		if i = s.digits(fraction); i == fraction {
			return s.fail(i, "a number ends early")
		}
	}
	if i < len(s.data) && s.data[i]|0x20 == 'e' {
		i++
		if i < len(s.data) && (s.data[i] == '+' || s.data[i] == '-') {
			i++
		}
		exponent := i
		if i = s.digits(exponent); i == exponent {
			return s.fail(i, "a number ends early")
		}
	}
	return i
}

func (s *scanner) digits(i int) int {
	for i < len(s.data) && s.data[i]-'0' <= 9 {
		i++
	}
	return i
}

// text reads a string, and says whether it has escapes.
func (s *scanner) text(i int) (end int, escaped bool) {
	if end = plain(s.data, i+1); end < len(s.data) && s.data[end] == '"' {
		return end + 1, false // as it is with most
	}
	return s.escapedText(end), true
}

// escapedText reads on in a string that is not plain at i.
func (s *scanner) escapedText(i int) int {
	for ; i < len(s.data); i = plain(s.data, i) {
		switch s.data[i] {
		case '"':
			return i + 1
		case '\\':
			n := s.escape(s.data[i:])
			if n == 0 {
				return s.fail(i, "unknown escape")
			}
			i += n
		default:
			return s.fail(i, "control character in a string")
		}
	}
	return s.fail(i, "no closing quote")
}

// plain goes over bytes that mean themselves, eight at a time, to the next
// quote, backslash or control character.
func plain(data []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(data); i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		quote, backslash := w^ones*'"', w^ones*'\\'
		found := ((w-ones*0x20)&^w | (quote-ones)&^quote | (backslash-ones)&^backslash) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(data) && data[i] >= 0x20 && data[i] != '"' && data[i] != '\\' {
		i++
	}
	return i
}

// escape says how long the escape is that text starts with; 0 for none.
func (s *scanner) escape(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(text) >= 6 && hexRune(text[2:6]) >= 0 {
			return 6
		}
	case 'x':
		if s.nginx && len(text) >= 4 {
			if _, ok := hexByte(text[2], text[3]); ok {
				return 4
			}
		}
	}
	return 0
}
