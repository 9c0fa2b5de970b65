package weburl

import "strings"

// isUnreserved: characters that mean the same escaped or not (RFC 3986, 2.3).
func isUnreserved(c byte) bool {
	return isAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

// standsInURI: characters that may stand in a path or query as they are,
// the % of an escape included.
func standsInURI(c byte) bool { return uriBytes[c] }

var uriBytes = func() (table [256]bool) {
	for c := range table {
		table[c] = isUnreserved(byte(c)) || strings.IndexByte("!$&'()*+,;=:@/?%", byte(c)) >= 0
	}
	return table
}()

// escapeURI escapes what may not stand in a path or query and leaves every
// escape as it is. A stray % is escaped itself.
func escapeURI(s string) string {
	if isURI(s) {
		return s
	}
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); {
		_, width := byteAt(s, i)
		if width == 3 || s[i] != '%' && standsInURI(s[i]) {
			out = append(out, s[i:i+width]...)
		} else {
			out = appendEscape(out, s[i])
		}
		i += width
	}
	return string(out)
}

// isURI reports whether a path or query needs no escaping.
func isURI(s string) bool {
	for i := 0; i < len(s); {
		_, width := byteAt(s, i)
		if width == 1 && (s[i] == '%' || !standsInURI(s[i])) {
			return false
		}
		i += width
	}
	return true
}

// unescape decodes what is a valid escape and leaves the rest.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c, width := byteAt(s, i)
		out = append(out, c)
		i += width
	}
	return string(out)
}

// formValue decodes a value of a query as a form's.
func formValue(s string) string {
	return unescape(strings.ReplaceAll(s, "+", " "))
}

const upperHex = "0123456789ABCDEF"

func appendEscape(out []byte, c byte) []byte {
	return append(out, '%', upperHex[c>>4], upperHex[c&15])
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
