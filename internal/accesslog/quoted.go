package accesslog

import "bytes"

// quoted reads a quoted value at the start of text. It ends at a quote that is
// not escaped and has a space or nothing after it.
func quoted(text []byte) (inside, rest []byte, ok bool) {
	for end := 1; end < len(text); end++ {
		next := bytes.IndexByte(text[end:], '"')
		if next < 0 {
			break
		}
		end += next
		if escaped(text[1:end]) || end+1 < len(text) && text[end+1] != ' ' {
			continue
		}
		return text[1:end], text[end+1:], true
	}
	return nil, nil, false
}

// escaped says whether what follows text is escaped.
func escaped(text []byte) bool {
	odd := false
	for i := len(text) - 1; i >= 0 && text[i] == '\\'; i-- {
		odd = !odd
	}
	return odd
}

// unescape undoes what nginx (\x22) and Apache (\", \\, \n, \t, \xHH) do to
// values. A backslash that escapes nothing stays.
func (h *Hit) unescape(text []byte) []byte {
	i := bytes.IndexByte(text, '\\')
	if i < 0 {
		return text
	}
	start := len(h.scratch)
	for ; i >= 0; i = bytes.IndexByte(text, '\\') {
		h.scratch = append(h.scratch, text[:i]...)
		c, n := escape(text[i:])
		h.scratch = append(h.scratch, c)
		text = text[i+n:]
	}
	h.scratch = append(h.scratch, text...)
	return h.scratch[start:]
}

// escape reads the escape that text starts with and says how long it is.
func escape(text []byte) (c byte, n int) {
	if len(text) < 2 {
		return '\\', 1
	}
	switch text[1] {
	case '"', '\\':
		return text[1], 2
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'v':
		return '\v', 2
	case 'f':
		return '\f', 2
	case 'x':
		if len(text) >= 4 {
			if c, ok := hexByte(text[2], text[3]); ok {
				return c, 4
			}
		}
	}
	return '\\', 1
}

// hexByte is the byte that two hexadecimal digits stand for.
func hexByte(a, b byte) (byte, bool) {
	high, low := hexDigit(a), hexDigit(b)
	return high<<4 | low, high|low < 16
}

// hexDigit is the value of a hexadecimal digit, or 255.
func hexDigit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}
