package accesslog

import (
	"bytes"
	"net/netip"
	"unicode/utf8"
)

// request reads a request line. Anybody may send anything to a port, so lines
// that are no requests are noise, not damage.
func (h *Hit) request(line []byte) error {
	if len(value(line)) == 0 {
		return skipNoRequest
	}
	first, last := bytes.IndexByte(line, ' '), bytes.LastIndexByte(line, ' ')
	switch {
	case first < 0 && isMethod(line):
		return skipNoTarget
	case first < 0 || !isMethod(line[:first]):
		return skipNotHTTP
	case first == last || !bytes.HasPrefix(line[last+1:], []byte("HTTP/")):
		return skipNoProtocol
	}
	method, target := line[:first], h.unescape(bytes.Trim(line[first+1:last], " "))
	if len(target) > 0 && !isTarget(target) && string(method) != "CONNECT" {
		return skipNotHTTP
	}
	return h.asked(method, target)
}

// asked takes what was asked for. Some requests are for no page: those of
// Apache to itself ("OPTIONS *"), of those who look for a proxy (CONNECT), and
// those with control characters, which servers refuse and log. Bytes that are
// not UTF-8 are escaped as the sender should have done it: as they are, they
// could not be kept.
func (h *Hit) asked(method, target []byte) error {
	if len(target) == 0 {
		return skipNoTarget
	}
	ascii := true
	for _, c := range target {
		if c < ' ' || c == 0x7f {
			return skipNoPage
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if string(method) == "CONNECT" || string(target) == "*" {
		return skipNoPage
	}
	if !ascii {
		target = h.escapeInvalid(target)
	}
	h.Method, h.Target = method, target
	h.hostOfTarget()
	return nil
}

// escapeInvalid writes %HH for each byte that is not UTF-8.
func (h *Hit) escapeInvalid(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	const digits = "0123456789ABCDEF"
	start := len(h.scratch)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			h.scratch = append(h.scratch, '%', digits[text[0]>>4], digits[text[0]&15])
		} else {
			h.scratch = append(h.scratch, text[:size]...)
		}
		text = text[size:]
	}
	return h.scratch[start:]
}

func isMethod(text []byte) bool {
	for _, c := range text {
		if (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '_' {
			return false
		}
	}
	return len(text) > 0
}

func isTarget(text []byte) bool {
	return text[0] == '/' || text[0] == '*' && len(text) == 1 || bytes.Contains(text, []byte("://"))
}

// hostOfTarget takes the host from an absolute target if the log has no other.
func (h *Hit) hostOfTarget() {
	if len(h.Host) > 0 || h.Target[0] == '/' {
		return
	}
	scheme, rest, ok := bytes.Cut(h.Target, []byte("://"))
	if !ok || !bytes.EqualFold(scheme, []byte("http")) && !bytes.EqualFold(scheme, []byte("https")) {
		return
	}
	if end := bytes.IndexAny(rest, `/?#\`); end >= 0 {
		rest = rest[:end]
	}
	if user := bytes.LastIndexByte(rest, '@'); user >= 0 {
		rest = rest[user+1:]
	}
	h.Host = hostName(rest)
}

// hostName is a host without its port. An IPv6 address keeps its brackets.
func hostName(host []byte) []byte {
	colon := bytes.LastIndexByte(host, ':')
	if colon < 0 || !allDigits(host[colon+1:]) {
		return host
	}
	if bytes.IndexByte(host, ':') < colon && host[colon-1] != ']' {
		return host // IPv6 without brackets
	}
	return host[:colon]
}

// address is a client's address without its port and brackets: the first one of
// a list, as proxies write it.
func address(ip []byte) []byte {
	if comma := bytes.IndexByte(ip, ','); comma >= 0 {
		ip = ip[:comma]
	}
	if len(ip) == 0 || ip[0] != '[' {
		return hostName(ip)
	}
	if end := bytes.IndexByte(ip, ']'); end >= 0 {
		return ip[1:end]
	}
	return ip
}

func isAddress(text []byte) bool {
	_, err := netip.ParseAddr(string(address(text)))
	return err == nil
}
