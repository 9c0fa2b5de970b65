package accesslog

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// appendString appends what a JSON string stands for. Its escapes are known to
// be sound. A lone surrogate becomes U+FFFD, as in encoding/json.
func appendString(to, text []byte) []byte {
	for i := bytes.IndexByte(text, '\\'); i >= 0; i = bytes.IndexByte(text, '\\') {
		to = append(to, text[:i]...)
		text = text[i+1:]
		switch c := text[0]; c {
		case 'u':
			r := hexRune(text[1:5])
			text = text[5:]
			if utf16.IsSurrogate(r) {
				r, text = surrogates(r, text)
			}
			to = utf8.AppendRune(to, r)
		case 'x':
			b, _ := hexByte(text[1], text[2])
			to = append(to, b)
			text = text[3:]
		default:
			to = append(to, unescaped(c))
			text = text[1:]
		}
	}
	return append(to, text...)
}

// surrogates joins a surrogate with the one that text may start with.
func surrogates(r rune, text []byte) (rune, []byte) {
	if len(text) >= 6 && text[0] == '\\' && text[1] == 'u' {
		if joined := utf16.DecodeRune(r, hexRune(text[2:6])); joined != utf8.RuneError {
			return joined, text[6:]
		}
	}
	return utf8.RuneError, text
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// hexRune is the number that four hexadecimal digits stand for, or -1.
func hexRune(text []byte) rune {
	high, ok := hexByte(text[0], text[1])
	low, fine := hexByte(text[2], text[3])
	if !ok || !fine {
		return -1
	}
	return rune(high)<<8 | rune(low)
}
