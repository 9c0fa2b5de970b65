package accesslog

import (
	"bytes"
	"iter"
)

// Entries are what a line holds: itself, or the objects of a JSON list, in
// which log drains send several at once. A list may also span lines, one object
// each. What is broken in a list is an entry too, for Parse to complain about.
func Entries(line []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		text := bytes.TrimSpace(trimLine(line))
		switch {
		case len(text) == 0:
			yield(line)
		case text[0] == '{':
			yield(bytes.TrimSuffix(text, []byte(",")))
		case opensList(text):
			list(text[1:], yield)
		case string(text) == "]" || string(text) == ",":
		default:
			yield(line)
		}
	}
}

// opensList tells a list of objects from a line of another kind, which may
// begin with the bracket of an IPv6 address.
func opensList(text []byte) bool {
	if text[0] != '[' {
		return false
	}
	inside := bytes.TrimLeft(text[1:], " \t")
	return len(inside) == 0 || inside[0] == '{' || string(inside) == "]"
}

// list yields the objects of a list. Its end may be on another line.
func list(text []byte, yield func([]byte) bool) {
	s := scanner{data: text, nginx: true}
	for i := s.space(0); i < len(text); {
		if text[i] == ']' && s.space(i+1) == len(text) {
			return
		}
		end := s.value(i, nil, 0)
		if end < 0 {
			yield(text[i:])
			return
		}
		if !yield(text[i:end]) {
			return
		}
		i = s.space(end)
		switch {
		case i < len(text) && text[i] == ',':
			i = s.space(i + 1)
		case i < len(text) && text[i] != ']':
			yield(text[i:])
			return
		}
	}
}
