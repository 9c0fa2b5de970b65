package accesslog

import (
	"bytes"
	"fmt"
)

// kind is what a JSON value is.
type kind uint8

const (
	kindNone kind = iota // not in the line
	kindNull
	kindBool
	kindNumber
	kindString
	kindList // an empty one: a list stands for its first element
	kindObject
)

// scalar is a value picked from a line.
type scalar struct {
	text    []byte // of a string, what is between the quotes
	kind    kind
	escaped bool // text has escapes
}

// scanner walks through one JSON document and picks the values that a tree of
// paths asks for. It builds nothing and accepts what encoding/json accepts. Its
// methods take where a value begins and return where it ends, or -1.
type scanner struct {
	data    []byte
	nginx   bool              // take \xHH in strings, as nginx wrote before it knew JSON
	scratch []byte            // for keys with escapes
	picked  *[maxSlots]scalar // where the values go
	wrong   string            // why the last method failed,
	at      int               // and where
}

// maxDepth is how deep a line may nest.
const maxDepth = 200

// document reads a whole line, which must be one object.
func (s *scanner) document(n *node) bool {
	i := s.space(0)
	if i == len(s.data) || s.data[i] != '{' {
		s.fail(i, "not a JSON object")
		return false
	}
	if i = s.value(i, n, 0); i < 0 {
		return false
	}
	if i = s.space(i); i < len(s.data) {
		s.fail(i, "more after the object")
		return false
	}
	return true
}

func (s *scanner) fail(at int, wrong string) int {
	s.at, s.wrong = at, wrong
	return -1
}

func (s *scanner) bad() error {
	return &Bad{Reason: "invalid JSON", Detail: fmt.Sprintf("%s at byte %d", s.wrong, s.at)}
}

// value reads a value; n is what is wanted of it, nil for nothing.
func (s *scanner) value(i int, n *node, depth int) (end int) {
	if i >= len(s.data) {
		return s.fail(i, "the line ends early")
	}
	switch s.data[i] {
	case '"':
		end, _ = s.text(i)
	case '{':
		end = s.object(i, n, depth+1)
	case '[':
		end = s.list(i, n, depth+1)
	case 't':
		end = s.word(i, "true")
	case 'f':
		end = s.word(i, "false")
	case 'n':
		end = s.word(i, "null")
	default:
		end = s.number(i)
	}
	if n != nil && n.slot >= 0 && end >= 0 {
		s.picked[n.slot] = s.scalar(i, end)
	}
	return end
}

func (s *scanner) object(i int, n *node, depth int) int {
	if depth > maxDepth {
		return s.fail(i, "nested too deeply")
	}
	i = s.space(i + 1)
	if i < len(s.data) && s.data[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(s.data) || s.data[i] != '"' {
			return s.fail(i, "no key")
		}
		end, escaped := s.text(i)
		if end < 0 {
			return end
		}
		wanted := s.child(n, s.data[i+1:end-1], escaped)
		if i = s.space(end); i == len(s.data) || s.data[i] != ':' {
			return s.fail(i, "no colon")
		}
		if i = s.value(s.space(i+1), wanted, depth); i < 0 {
			return i
		}
		if i = s.space(i); i < len(s.data) && s.data[i] == '}' {
			return i + 1
		}
		if i == len(s.data) || s.data[i] != ',' {
			return s.fail(i, "no comma")
		}
		i = s.space(i + 1)
	}
}

func (s *scanner) list(i int, n *node, depth int) int {
	if depth > maxDepth {
		return s.fail(i, "nested too deeply")
	}
	i = s.space(i + 1)
	if i < len(s.data) && s.data[i] == ']' {
		return i + 1
	}
	for index := 0; ; index++ {
		if i = s.value(i, n.element(index), depth); i < 0 {
			return i
		}
		if i = s.space(i); i < len(s.data) && s.data[i] == ']' {
			return i + 1
		}
		if i == len(s.data) || s.data[i] != ',' {
			return s.fail(i, "no comma")
		}
		i = s.space(i + 1)
	}
}

// child is what is wanted of the member of an object.
func (s *scanner) child(n *node, key []byte, escaped bool) *node {
	if n == nil || len(n.kids) == 0 {
		return nil
	}
	if escaped {
		s.scratch = appendString(s.scratch[:0], key)
		key = s.scratch
	}
	return n.member(key)
}

// scalar is the value between two places. A list stands for its first element.
func (s *scanner) scalar(i, end int) scalar {
	text := s.data[i:end]
	switch text[0] {
	case '"':
		text = text[1 : len(text)-1]
		return scalar{kind: kindString, text: text, escaped: bytes.IndexByte(text, '\\') >= 0}
	case '{':
		return scalar{kind: kindObject}
	case 't':
		return scalar{kind: kindBool, text: text}
	case 'f':
		return scalar{kind: kindBool}
	case 'n':
		return scalar{kind: kindNull}
	case '[':
		first := s.space(i + 1)
		if s.data[first] == ']' || s.data[first] == '[' {
			return scalar{kind: kindList}
		}
		return s.scalar(first, s.value(first, nil, 0))
	}
	return scalar{kind: kindNumber, text: text}
}
