package accesslog

import (
	"encoding/binary"
	"math/bits"
)

func (s *scanner) word(w string) bool {
	if len(s.data)-s.at < len(w) || string(s.data[s.at:s.at+len(w)]) != w {
		return s.fail("no value")
	}
	s.at += len(w)
	return true
}

func (s *scanner) number() ([]byte, bool) {
	start := s.at
	if s.at < len(s.data) && s.data[s.at] == '-' {
		s.at++
	}
	whole := s.digits()
	if whole == 0 {
		return nil, s.fail("no value")
	}
	if whole > 1 && s.data[s.at-whole] == '0' {
		return nil, s.fail("a number starts with 0")
	}
	if s.at < len(s.data) && s.data[s.at] == '.' {
		s.at++
		if s.digits() == 0 {
			return nil, s.fail("a number ends early")
		}
	}
	if s.at < len(s.data) && s.data[s.at]|0x20 == 'e' {
		s.at++
		if s.at < len(s.data) && (s.data[s.at] == '+' || s.data[s.at] == '-') {
			s.at++
		}
		if s.digits() == 0 {
			return nil, s.fail("a number ends early")
		}
	}
	return s.data[start:s.at], true
}

func (s *scanner) digits() (n int) {
	for s.at < len(s.data) && s.data[s.at] >= '0' && s.data[s.at] <= '9' {
		s.at++
		n++
	}
	return n
}

// text reads a string and returns what is between the quotes.
func (s *scanner) text() (text []byte, escaped, ok bool) {
	start := s.at + 1
	for i := plain(s.data, start); i < len(s.data); i = plain(s.data, i) {
		switch c := s.data[i]; c {
		case '"':
			s.at = i + 1
			return s.data[start:i], escaped, true
		case '\\':
			n := s.escape(s.data[i:])
			if n == 0 {
				s.at = i
				return nil, false, s.fail("unknown escape")
			}
			escaped = true
			i += n
		default:
			s.at = i
			return nil, false, s.fail("control character in a string")
		}
	}
	s.at = len(s.data)
	return nil, false, s.fail("no closing quote")
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
