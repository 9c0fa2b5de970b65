package mention

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// URLs returns the distinct http and https URLs of a text in the order of their
// first appearance: targets of Markdown links, reference and footnote
// definitions, <autolinks> and bare text. A bare URL ends before white space,
// quotes, an unbalanced closing bracket, and punctuation that ends the sentence.
func URLs(text string) (urls []string) {
	seen := make(map[string]bool)
	for i := 0; ; {
		at := strings.Index(text[i:], "://")
		if at < 0 {
			return urls
		}
		start, ok := schemeStart(text, i, i+at)
		if !ok {
			i += at + len("://")
			continue
		}
		var u string
		u, i = urlAt(text, start, i+at+len("://"))
		if !seen[u] && valid(u) {
			seen[u] = true
			urls = append(urls, u)
		}
	}
}

// valid reports whether a URL parses and has a host. url.Parse takes hosts like
// "<" and "*".
func valid(u string) bool {
	parsed, err := url.Parse(u)
	if err != nil {
		return false
	}
	host := parsed.Hostname()
	return host != "" && strings.IndexFunc(host, func(r rune) bool {
		return classOf(r) == separator && !strings.ContainsRune(".-_:", r)
	}) < 0
}

// schemeStart finds where "http" or "https" begins that ends at text[colon], not
// before from. "git+https" and the like are other schemes.
func schemeStart(text string, from, colon int) (start int, ok bool) {
	for _, scheme := range []string{"https", "http"} {
		start = colon - len(scheme)
		if start >= from && strings.EqualFold(text[start:colon], scheme) {
			return start, start == from || !isSchemeByte(text[start-1])
		}
	}
	return 0, false
}

func isSchemeByte(c byte) bool {
	return isWordByte(c) || c == '+' || c == '-' || c == '.'
}

// urlAt returns the URL that begins at start and whose authority begins at host,
// and where to read on.
func urlAt(text string, start, host int) (u string, end int) {
	before := text[:start]
	if target, ok := strings.CutSuffix(before, "<"); ok {
		n := strings.IndexAny(text[start:], "<>\n")
		closed := n >= 0 && text[start+n] == '>'
		if closed && (strings.HasSuffix(target, "](") || !strings.ContainsAny(text[start:start+n], " \t")) {
			return clean(strings.TrimSpace(text[start : start+n])), start + n
		}
	}
	if strings.HasSuffix(before, "](") {
		if end, target, ok := linkTarget(text, start); ok {
			return clean(target), end
		}
	}
	end = urlEnd(text, host)
	return clean(text[start:end]), end
}

// clean undoes what Markdown does to a URL.
func clean(u string) string {
	if strings.IndexByte(u, '\\') >= 0 {
		var b strings.Builder
		for i := 0; i < len(u); i++ {
			if escaped(u, i) {
				i++
			}
			b.WriteByte(u[i])
		}
		u = b.String()
	}
	return strings.ReplaceAll(strings.ReplaceAll(u, "&amp;", "&"), " ", "%20")
}

// escaped reports whether s[i] is the backslash before a punctuation character
// that may be part of a URL.
func escaped(s string, i int) bool {
	return s[i] == '\\' && i+1 < len(s) && isASCIIPunct(s[i+1]) && !endsURL(rune(s[i+1]))
}

// linkTarget reads the target of a Markdown link from behind its "](". The link
// must be closed behind it; it may have a title.
func linkTarget(s string, i int) (end int, target string, ok bool) {
	if strings.HasPrefix(s[i:], "<") {
		n := strings.IndexAny(s[i+1:], "<>\n")
		if n < 0 || s[i+1+n] != '>' {
			return 0, "", false
		}
		target, end = s[i+1:i+1+n], i+n+2
	} else {
		end = targetEnd(s, i)
		target = s[i:end]
	}
	rest := strings.TrimLeft(s[end:], " \t\n")
	if strings.HasPrefix(rest, ")") {
		return end, target, true
	}
	titled := len(rest) < len(s)-end && rest != "" && strings.IndexByte("\"'(", rest[0]) >= 0
	return end, target, titled
}

// deepest bounds the brackets inside a link's target, as CommonMark does.
const deepest = 32

// targetEnd finds the end of a link's target without angle brackets.
func targetEnd(s string, i int) int {
	depth := 0
	for ; i < len(s) && s[i] > ' ' && s[i] != 0x7F; i++ {
		switch s[i] {
		case '<', '>':
			return i
		case '\\':
			if escaped(s, i) {
				i++
			}
		case '(':
			if depth++; depth > deepest {
				return i
			}
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return i
}

// urlEnd finds the end of a bare URL of which the authority, or something
// behind it, begins at s[i].
func urlEnd(s string, i int) int {
	start, before := i, rune(0)
	var in urlPart
	var open [2]int // round and square brackets
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if in.ends(r, before) || i > start && r == '[' && in < query {
			break
		}
		if r == '\\' {
			if !escaped(s, i) {
				break
			}
			size = 2
		}
		if kind := strings.IndexRune("()[]", r); kind >= 0 {
			open[kind/2] += 1 - kind%2*2
			if open[kind/2] < 0 {
				break
			}
		}
		in, before = in.behind(r), r
		i += size
	}
	return start + len(trimEnd(s[start:i]))
}

// urlPart is the part of a URL that is being read.
type urlPart uint8

const (
	authority urlPart = iota
	path
	query // or fragment
)

func (p urlPart) behind(r rune) urlPart {
	switch {
	case r == '?' || r == '#':
		return query
	case r == '/' && p == authority:
		return path
	}
	return p
}

// ends reports whether a bare URL ends before r. Behind an ASCII host, a text in
// a script without spaces may go on at once ("https://acme.comを").
func (p urlPart) ends(r, before rune) bool {
	if p == authority && r >= utf8.RuneSelf && before < utf8.RuneSelf && before != '.' && before != 0 {
		return opens(r)
	}
	return endsURL(r)
}

// endsURL reports whether a character cannot be part of a URL in a text.
func endsURL(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7F || strings.IndexByte("<>\"`{}|^", byte(r)) >= 0
	}
	return r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// trimEnd cuts punctuation that ends a sentence or closes emphasis, and
// brackets opened too late to be part of the URL.
func trimEnd(u string) string {
	return strings.TrimRight(u, ".,;:!?'*_~\\([")
}

// schemeLen returns the length of "http://" or "https://" at the beginning of s.
func schemeLen(s string) int {
	if s == "" || s[0]|0x20 != 'h' {
		return 0
	}
	for _, scheme := range []string{"https://", "http://"} {
		if hasPrefixFold(s, scheme) {
			return len(scheme)
		}
	}
	return 0
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
