package weburl

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NormalizePath returns the path that names a page, however it was spelled:
// "/blog//post/?x=1", "/blog/./post" and "/blog/po%73t" are all "/blog/post".
// It takes any bytes, a path with or without query, or a whole URL, and always
// returns valid UTF-8 that starts with a slash.
//
// Case and ids are kept: "/Pricing" and "/pricing" can be two pages, and a
// product's page is a page.
func NormalizePath(raw string) string {
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		raw = raw[:i]
	}
	raw = strings.ReplaceAll(raw, `\`, "/")
	if _, _, rest, ok := splitHTTP(raw); ok {
		raw = rest
	}
	// Sessions go before dots are resolved and the index file is dropped: both
	// can hide behind one ("/..;jsessionid=1/", "/index.jsp;jsessionid=1").
	p := cutSessions(decodePath(raw))
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	p = path.Clean(p)
	for isIndexFile(p[strings.LastIndexByte(p, '/')+1:]) {
		p = Directory(p)
	}
	return p
}

// Directory returns the parent of a normalized path: "/blog" for "/blog/post",
// and "/" for "/pricing" and for the root itself.
func Directory(normalized string) string {
	if i := strings.LastIndexByte(normalized, '/'); i > 0 {
		return normalized[:i]
	}
	return "/"
}

// decodePath gives every character one spelling. Unreserved characters and
// UTF-8 stand for themselves; reserved ones stay as they were sent, for "/a%2Fb"
// is not "/a/b"; what must not stand in a path is escaped in upper case.
func decodePath(s string) string {
	clean := 0
	for clean < len(s) && s[clean] != '%' && standsInURI(s[clean]) {
		clean++
	}
	if clean == len(s) {
		return s
	}
	out := make([]byte, clean, len(s)+8)
	copy(out, s)
	for i := clean; i < len(s); {
		c, width := byteAt(s, i)
		switch {
		case c >= utf8.RuneSelf:
			var used int
			out, used = appendRune(out, s[i:])
			i += used
			continue
		case width == 1 && c != '%' && (standsInURI(c) || c == '[' || c == ']'), width == 3 && isUnreserved(c):
			out = append(out, c)
		default:
			out = appendEscape(out, c)
		}
		i += width
	}
	return string(out)
}

// byteAt returns the byte that s has at i and how many bytes spell it: three
// for an escape, one for anything else, a stray % among it.
func byteAt(s string, i int) (c byte, width int) {
	if s[i] == '%' && i+2 < len(s) {
		hi, lo := unhex(s[i+1]), unhex(s[i+2])
		if hi >= 0 && lo >= 0 {
			return byte(hi<<4 | lo), 3
		}
	}
	return s[i], 1
}

// appendRune reads one character from bytes that may be escaped or not, even
// half and half, and writes it as itself. Invalid UTF-8 and control characters
// stay escaped.
func appendRune(out []byte, s string) (_ []byte, used int) {
	var encoded [utf8.UTFMax]byte
	var ends [utf8.UTFMax]int
	n := 0
	for i := 0; n < len(encoded) && i < len(s); n++ {
		c, width := byteAt(s, i)
		i += width
		encoded[n], ends[n] = c, i
	}
	r, size := utf8.DecodeRune(encoded[:n])
	if r == utf8.RuneError && size == 1 || unicode.IsControl(r) {
		for _, c := range encoded[:size] {
			out = appendEscape(out, c)
		}
	} else {
		out = append(out, encoded[:size]...)
	}
	return out, ends[size-1]
}

const sessionMark = ";jsessionid="

// cutSessions removes the session that servlet containers write into a segment.
func cutSessions(s string) string {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], ';')
		if i < 0 {
			return s
		}
		from += i
		if len(s)-from < len(sessionMark) || !strings.EqualFold(s[from:from+len(sessionMark)], sessionMark) {
			from++
			continue
		}
		end := strings.IndexByte(s[from:], '/')
		if end < 0 {
			return s[:from]
		}
		s = s[:from] + s[from+end:]
	}
}

// isIndexFile reports whether a last segment is the page of its directory:
// "index" or "default" with an extension of one to five letters or digits.
func isIndexFile(segment string) bool {
	name, ext, _ := strings.Cut(segment, ".")
	if !strings.EqualFold(name, "index") && !strings.EqualFold(name, "default") {
		return false
	}
	for i := range len(ext) {
		if !isAlnum(ext[i]) {
			return false
		}
	}
	return len(ext) >= 1 && len(ext) <= 5
}
