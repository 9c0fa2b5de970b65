package weburl

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// asciiHost writes every label with characters beyond ASCII as "xn--" and its
// punycode. A label that has no such form stays, and no host check accepts it.
//
// The mapping of IDNA beyond lower case (full-width letters, composed accents)
// is left out: browsers apply it before a URL leaves them.
func asciiHost(host string) string {
	if isASCII(host) {
		return host
	}
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if isASCII(label) || len(label) > maxHost || strings.ContainsFunc(label, unfitForHost) {
			continue
		}
		labels[i] = "xn--" + punycode([]rune(label))
	}
	return strings.Join(labels, ".")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func unfitForHost(r rune) bool {
	return r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsGraphic(r)
}

// The parameters of RFC 3492 for host names.
const (
	base        = 36
	tmin        = 1
	tmax        = 26
	skew        = 38
	damp        = 700
	initialBias = 72
	initialN    = 128
)

// punycode encodes one label as RFC 3492, section 6.3 does. Labels are short,
// so none of the sums can overflow.
func punycode(label []rune) string {
	var out []byte
	for _, r := range label {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(initialN), 0, initialBias
	for handled := basic; handled < len(label); n++ {
		next := slices.MinFunc(label, func(a, b rune) int { return atLeast(a, n) - atLeast(b, n) })
		delta += int(next-n) * (handled + 1)
		n = next
		for _, r := range label {
			if r < n {
				delta++
			}
			if r == n {
				out = appendVariable(out, delta, bias)
				bias = adapt(delta, handled+1, handled == basic)
				delta = 0
				handled++
			}
		}
		delta++
	}
	return string(out)
}

// atLeast orders runes below n behind all others.
func atLeast(r, n rune) int {
	if r < n {
		return unicode.MaxRune + 1
	}
	return int(r)
}

// appendVariable writes a number with digits of varying weight.
func appendVariable(out []byte, q, bias int) []byte {
	for k := base; ; k += base {
		t := min(max(k-bias, tmin), tmax)
		if q < t {
			return append(out, digit(q))
		}
		out = append(out, digit(t+(q-t)%(base-t)))
		q = (q - t) / (base - t)
	}
}

func digit(d int) byte {
	return "abcdefghijklmnopqrstuvwxyz0123456789"[d]
}

func adapt(delta, points int, first bool) int {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > (base-tmin)*tmax/2; k += base {
		delta /= base - tmin
	}
	return k + (base-tmin+1)*delta/(delta+skew)
}
