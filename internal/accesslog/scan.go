package accesslog

import "fmt"

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
// paths asks for. It builds nothing and accepts what encoding/json accepts.
type scanner struct {
	data    []byte
	at      int
	nginx   bool // take \xHH in strings, as nginx wrote before it knew JSON
	scratch []byte
	wrong   string
}

// maxDepth is how deep a line may nest.
const maxDepth = 200

// document reads a whole line, which must be one object.
func (s *scanner) document(n *node, picked []scalar) bool {
	s.space()
	if s.at >= len(s.data) || s.data[s.at] != '{' {
		return s.fail("not a JSON object")
	}
	if _, ok := s.value(n, picked, 0); !ok {
		return false
	}
	if s.space(); s.at < len(s.data) {
		return s.fail("more after the object")
	}
	return true
}

func (s *scanner) fail(wrong string) bool {
	s.wrong = wrong
	return false
}

func (s *scanner) bad() error {
	return &Bad{Reason: "invalid JSON", Detail: fmt.Sprintf("%s at byte %d", s.wrong, s.at)}
}

func (s *scanner) space() {
	for s.at < len(s.data) {
		switch s.data[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// value reads a value; n is what is wanted of it, nil for nothing.
func (s *scanner) value(n *node, picked []scalar, depth int) (v scalar, ok bool) {
	if s.at >= len(s.data) {
		return v, s.fail("the line ends early")
	}
	switch c := s.data[s.at]; c {
	case '"':
		v.kind = kindString
		v.text, v.escaped, ok = s.text()
	case '{':
		v.kind = kindObject
		ok = s.object(n, picked, depth+1)
	case '[':
		v, ok = s.list(n, picked, depth+1)
	case 't':
		v.kind, v.text = kindBool, trueText
		ok = s.word("true")
	case 'f':
		v.kind = kindBool
		ok = s.word("false")
	case 'n':
		v.kind = kindNull
		ok = s.word("null")
	default:
		v.kind = kindNumber
		v.text, ok = s.number()
	}
	if ok && n != nil && n.slot >= 0 {
		picked[n.slot] = v
	}
	return v, ok
}

var trueText = []byte("true")

func (s *scanner) object(n *node, picked []scalar, depth int) bool {
	if depth > maxDepth {
		return s.fail("nested too deeply")
	}
	s.at++
	for first := true; ; first = false {
		s.space()
		if s.at >= len(s.data) {
			return s.fail("the line ends early")
		}
		switch c := s.data[s.at]; {
		case c == '}' && first:
			s.at++
			return true
		case c != '"':
			return s.fail("no key")
		}
		key, escaped, ok := s.text()
		if !ok {
			return false
		}
		if s.space(); s.at >= len(s.data) || s.data[s.at] != ':' {
			return s.fail("no colon")
		}
		s.at++
		s.space()
		if _, ok := s.value(s.child(n, key, escaped), picked, depth); !ok {
			return false
		}
		if done, ok := s.next('}'); done || !ok {
			return ok
		}
	}
}

// list reads a list and stands it for its first element.
func (s *scanner) list(n *node, picked []scalar, depth int) (first scalar, ok bool) {
	first.kind = kindList
	if depth > maxDepth {
		return first, s.fail("nested too deeply")
	}
	s.at++
	if s.space(); s.at < len(s.data) && s.data[s.at] == ']' {
		s.at++
		return first, true
	}
	for i := 0; ; i++ {
		s.space()
		v, ok := s.value(n.element(i), picked, depth)
		if !ok {
			return v, false
		}
		if i == 0 {
			first = v
		}
		if done, ok := s.next(']'); done || !ok {
			return first, ok
		}
	}
}

// next goes to the next member, or past the end.
func (s *scanner) next(end byte) (done, ok bool) {
	s.space()
	if s.at >= len(s.data) {
		return false, s.fail("the line ends early")
	}
	c := s.data[s.at]
	if c != ',' && c != end {
		return false, s.fail("no comma")
	}
	s.at++
	return c == end, true
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
