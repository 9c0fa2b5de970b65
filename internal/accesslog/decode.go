package accesslog

import "bytes"

// appendUnquoted appends text with its percent escapes undone. It may write
// over text, as it never writes past what it has read.
func appendUnquoted(to, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' && i+2 < len(text) {
			if b, ok := hexByte(text[i+1], text[i+2]); ok {
				c = b
				i += 2
			}
		}
		to = append(to, c)
	}
	return to
}

// appendUserAgent appends a percent-encoded user agent. If it was encoded
// twice, no space shows before it is decoded twice; if one does, what is left
// of escapes was sent so, as apps on Apple's systems do ("My%20App/1 CFNetwork").
func appendUserAgent(to, text []byte) []byte {
	start := len(to)
	to = appendUnquoted(to, text)
	once := to[start:]
	if bytes.IndexByte(once, '%') >= 0 && bytes.IndexByte(once, ' ') < 0 {
		to = appendUnquoted(to[:start], once)
	}
	return to
}

// appendSingleEncoded appends a URL that was encoded once more: "%2541" is
// "%41" again, and a "%25" that escapes no escape stays.
func appendSingleEncoded(to, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		to = append(to, text[i])
		if len(text)-i >= 5 && string(text[i:i+3]) == "%25" {
			if _, ok := hexByte(text[i+3], text[i+4]); ok {
				i += 2
			}
		}
	}
	return to
}

// appendSingleQuoted appends what stood in quotes: there, a quote is doubled or
// has a backslash before it.
func appendSingleQuoted(to, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		if i+1 < len(text) && text[i+1] == '"' && (text[i] == '"' || text[i] == '\\') {
			i++
		}
		to = append(to, text[i])
	}
	return to
}

// appendSpaced appends a user agent in which plus signs stand for spaces. After
// a bracket or another plus it was a plus: "(compatible; X/1; +https://…)".
func appendSpaced(to, text []byte) []byte {
	for i, c := range text {
		if c == '+' && i > 0 && text[i-1] != '(' && text[i-1] != '+' {
			c = ' '
		}
		to = append(to, c)
	}
	return to
}
