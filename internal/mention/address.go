package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// place is an address in a text, or without one, how far the text was read.
type place struct {
	end  int
	host string // none for e-mail and for links within a site
	bare bool   // nothing but a domain
}

// addressAt looks for an address that begins at s[i]. Without one, end is the
// next place to look at.
func addressAt(s string, i int) (p place, ok bool) {
	if strings.HasPrefix(s[i:], "](") {
		if end, target, ok := linkTarget(s, i+2); ok {
			return place{end: end, host: targetHost(target)}, true
		}
		return place{end: i + 2}, false
	}
	c := s[i]
	if c == '@' && !openBefore(s, i) {
		n, _ := domainLen(s[i+1:])
		return place{end: i + 1 + n}, n > 0
	}
	if !isWordByte(c) {
		_, size := utf8.DecodeRuneInString(s[i:])
		return place{end: i + size}, false
	}
	if n := schemeLen(s[i:]); n > 0 {
		end := urlEnd(s, i+n)
		return place{end: end, host: authorityHost(s[i+n : end])}, true
	}
	if end, ok := emailEnd(s, i); ok {
		return place{end: end}, true
	}
	return domainAt(s, i)
}

// domainAt reads a bare domain, with or without a path, that begins at s[i].
func domainAt(s string, i int) (p place, ok bool) {
	end := labelEnd(s, i)
	next := place{end: end}
	if end == len(s) || s[end] != '.' {
		return next, false
	}
	n, tld := domainLen(s[i:])
	if n == 0 {
		return next, false
	}
	end = i + n
	if !openBefore(s, i) || !openAfter(s, end) {
		return place{end: end, bare: true}, true // part of a domain outside ASCII
	}
	rest := afterPort(s, end)
	if rest < len(s) && strings.IndexByte("/?#", s[rest]) >= 0 && takesPath(s[i:end], tld) {
		if to := urlEnd(s, rest); to > rest {
			return place{end: to, host: s[i:end]}, true
		}
	}
	return place{end: end, host: s[i:end], bare: true}, true
}

// Longest names that DNS and mail allow; nothing longer is looked at.
const (
	longestDomain  = 253
	longestMailbox = 64
	mostLabels     = 16 // by experience
)

// domainLen measures the domain at the beginning of s: two or more labels, the
// last of at least two letters and in lower case, unless all of it is in
// upper case. Labels that do not fit are left off at the end, as in
// "acme.com.Next sentence".
func domainLen(s string) (n int, tld string) {
	s = s[:min(len(s), longestDomain+1)]
	shouted := true
	for start, labels := 0, 1; labels <= mostLabels; labels++ {
		end := labelEnd(s, start)
		label := strings.TrimRight(s[start:end], "-")
		if label == "" || label[0] == '-' {
			return n, tld
		}
		shouted = shouted && label == strings.ToUpper(label)
		if last := lastLabel(label); labels > 1 && len(last) >= 2 && (shouted || last == strings.ToLower(last)) {
			n, tld = start+len(last), last
		}
		if len(label) < end-start || end+1 >= len(s) || s[end] != '.' {
			return n, tld
		}
		start = end + 1
	}
	return n, tld
}

func labelEnd(s string, i int) int {
	for i < len(s) && (s[i] == '-' || isWordByte(s[i])) {
		i++
	}
	return i
}

// lastLabel returns what of a label can end a domain: letters, up to a hyphen
// ("acme.com-based").
func lastLabel(label string) string {
	if strings.HasPrefix(label, "xn--") {
		return label
	}
	label, _, _ = strings.Cut(label, "-")
	for i := range len(label) {
		if asciiClass[label[i]] != word {
			return ""
		}
	}
	return label
}

func isWordByte(c byte) bool { return c < utf8.RuneSelf && asciiClass[c] != separator }

// openBefore reports whether a domain can begin at s[i].
func openBefore(s string, i int) bool {
	r, size := utf8.DecodeLastRuneInString(s[:i])
	if r == '-' {
		r, size = utf8.DecodeLastRuneInString(s[:i-1])
	}
	return size == 0 || opens(r)
}

func openAfter(s string, i int) bool {
	r, size := utf8.DecodeRuneInString(s[i:])
	return size == 0 || opens(r)
}

func opens(r rune) bool {
	c := classOf(r)
	return c == separator || c == dense || c == hangul || c == mark && unicode.In(r, denseScripts, followers)
}

func afterPort(s string, i int) int {
	end := i
	if end < len(s) && s[end] == ':' {
		for end++; end < len(s) && s[end] >= '0' && s[end] <= '9'; end++ {
		}
	}
	if end > i+1 {
		return end
	}
	return i
}

var commonTLDs = map[string]bool{
	"com": true, "org": true, "net": true, "edu": true, "gov": true, "info": true, "biz": true,
	"app": true, "dev": true, "cloud": true, "shop": true, "store": true, "site": true,
	"online": true, "tech": true, "blog": true, "xyz": true, "example": true,
}

// takesPath tells "acme.com/rocket" from "Vue.js/React", two names.
func takesPath(host, tld string) bool {
	tld = strings.ToLower(tld)
	return commonTLDs[tld] || len(tld) == 2 && tld != "js" && tld != "ts" || hasPrefixFold(host, "www.")
}

// emailEnd measures an e-mail address whose mailbox begins at s[i].
func emailEnd(s string, i int) (end int, ok bool) {
	at := i
	for at < len(s) && at-i <= longestMailbox && (isWordByte(s[at]) || strings.IndexByte("._%+-", s[at]) >= 0) {
		at++
	}
	if at == len(s) || s[at] != '@' {
		return 0, false
	}
	n, _ := domainLen(s[at+1:])
	return at + 1 + n, n > 0
}

// targetHost returns the host of a Markdown link's target.
func targetHost(target string) string {
	if n := schemeLen(target); n > 0 {
		return authorityHost(target[n:])
	}
	target = strings.TrimPrefix(target, "//")
	if n, _ := domainLen(target); n > 0 && n == len(target[:strings.IndexAny(target+"/", "/?#:")]) {
		return target[:n]
	}
	return ""
}

// authorityHost returns the host of what follows "https://".
func authorityHost(s string) string {
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		s = s[:i]
	}
	s = s[strings.LastIndexByte(s, '@')+1:]
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") {
		s = s[:i]
	}
	return s
}

// normalizeDomain brings a domain or host into the form they are compared in.
func normalizeDomain(s string) string {
	if ascii(s) {
		s = strings.ToLower(s)
	} else {
		s = norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
	}
	return strings.TrimPrefix(strings.TrimSuffix(strings.TrimSpace(s), "."), "www.")
}
