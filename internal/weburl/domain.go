package weburl

import (
	"net/netip"
	"strings"
	"unicode"
)

const (
	maxHost  = 253
	maxLabel = 63
)

// BareDomain returns the form in which domains are compared and stored: lower
// case, without a leading "www.", trailing dots and port. A name with letters
// beyond ASCII takes its ASCII form ("bücher.example" is "xn--bcher-kva.example"),
// so that the two spellings of one domain are one domain.
//
// "www.com" keeps its first label: "com" is nobody's website.
func BareDomain(s string) string {
	s = strings.TrimRight(strings.ToLower(s), ".")
	for {
		rest, ok := strings.CutPrefix(s, "www.")
		if !ok || !strings.Contains(rest, ".") {
			break
		}
		s = rest
	}
	if host, port, ok := splitPort(s); ok && (port == "" || isNumber(port)) {
		s = strings.TrimRight(host, ".")
	}
	return asciiHost(s)
}

// ValidDomain reports whether s is a plausible domain without scheme, port and
// path: labels of letters, digits and inner hyphens, at least two of them or
// "localhost". Letters may be those of any script.
func ValidDomain(s string) bool {
	for _, r := range s {
		if r == unicode.ReplacementChar || !isNameRune(r) {
			return false
		}
	}
	for label := range strings.SplitSeq(s, ".") {
		if strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
	}
	s = asciiHost(strings.ToLower(s))
	if !strings.Contains(s, ".") {
		return s == "localhost"
	}
	if isNumber(s[strings.LastIndexByte(s, '.')+1:]) {
		addr, err := netip.ParseAddr(s)
		return err == nil && addr.Is4()
	}
	return validLabels(s)
}

func isNameRune(r rune) bool {
	return r == '-' || r == '.' || unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// validHost is lenient: it takes what is seen in the wild (single labels,
// underscores, hyphens anywhere, IP addresses) and refuses what cannot be a
// host. The host is in lower case and ASCII form.
func validHost(host string) bool {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		addr, err := netip.ParseAddr(inner)
		return ok && err == nil && addr.Is6() && addr.Zone() == ""
	}
	for i := range len(host) {
		if c := host[i]; !isAlnum(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return validLabels(host)
}

func validLabels(host string) bool {
	if len(host) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > maxLabel {
			return false
		}
	}
	return true
}

// splitPort cuts a port from a host. It is not ok where colons make that
// ambiguous, as in an IPv6 address without brackets.
func splitPort(s string) (host, port string, ok bool) {
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']') + 1
		if end == len(s) {
			return s, "", true
		}
		return s[:end], s[end+1:], end > 0 && s[end] == ':'
	}
	host, port, _ = strings.Cut(s, ":")
	return host, port, !strings.Contains(port, ":")
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
