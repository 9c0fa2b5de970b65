package server

import (
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/export"
)

// offer is a form in which an answer can be had.
type offer struct {
	format     *export.Format // nil is JSON
	media      string
	parameters map[string]string // that may be asked for
}

// offers are all forms, in the order of preference among equals.
var offers = []offer{
	{nil, api.MediaJSON, map[string]string{"charset": "utf-8"}},
	{export.CSV, export.CSV.Media, map[string]string{"charset": "utf-8", "header": "present"}},
	{export.NDJSON, export.NDJSON.Media, map[string]string{"charset": "utf-8"}},
	{export.Parquet, export.Parquet.Media, nil},
}

// accepted chooses the form of an answer by the Accept headers of a request.
// Nil is JSON, which also answers who asks for nothing that there is: callers of
// the contract need not say what they accept.
//
// The highest weight wins. Among equal weights, what is asked for by its name
// comes before what a wildcard covers, and JSON before the others.
func accepted(lines []string) *export.Format {
	ranges := parseAccept(lines)
	var best *export.Format
	bestWeight, bestClass := 0, -1
	for _, o := range offers {
		weight, class := o.weigh(ranges)
		if weight > bestWeight || weight == bestWeight && weight > 0 && class > bestClass {
			best, bestWeight, bestClass = o.format, weight, class
		}
	}
	return best
}

// mediaRange is an element of Accept.
type mediaRange struct {
	kind, subtype string // in lower case; * is any
	parameters    [][2]string
	weight        int // q in thousandths
}

// class is how closely a range names a type: 0 any, 1 a kind, 2 one type.
func (m mediaRange) class() int {
	switch {
	case m.kind == "*":
		return 0
	case m.subtype == "*":
		return 1
	}
	return 2
}

func (m mediaRange) covers(o offer) bool {
	kind, subtype, _ := strings.Cut(o.media, "/")
	if m.kind != "*" && m.kind != kind || m.subtype != "*" && m.subtype != subtype {
		return false
	}
	for _, p := range m.parameters {
		if !strings.EqualFold(o.parameters[p[0]], p[1]) {
			return false
		}
	}
	return true
}

// weigh returns the weight that the closest range gives an offer, and its class.
func (o offer) weigh(ranges []mediaRange) (weight, class int) {
	closest := -1
	for _, m := range ranges {
		if !m.covers(o) {
			continue
		}
		close := m.class()<<16 + len(m.parameters)
		if close > closest || close == closest && m.weight > weight {
			weight, class, closest = m.weight, m.class(), close
		}
	}
	return weight, class
}

// parseAccept reads the headers. An element that is malformed counts as absent.
func parseAccept(lines []string) (ranges []mediaRange) {
	for _, line := range lines {
		for _, element := range splitUnquoted(line, ',') {
			if m, ok := parseRange(element); ok {
				ranges = append(ranges, m)
			}
		}
	}
	return ranges
}

func parseRange(element string) (m mediaRange, ok bool) {
	parts := splitUnquoted(element, ';')
	m.weight = 1000
	m.kind, m.subtype, ok = strings.Cut(strings.ToLower(strings.Trim(parts[0], " \t")), "/")
	if !ok || !isToken(m.kind) || !isToken(m.subtype) || m.kind == "*" && m.subtype != "*" {
		return m, false
	}
	for _, part := range parts[1:] {
		part = strings.Trim(part, " \t")
		if part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		name = strings.ToLower(name)
		if !ok || !isToken(name) {
			return m, false
		}
		if name == "q" {
			m.weight, ok = parseWeight(value)
			return m, ok // what comes after is about nothing that is known
		}
		if value, ok = unquote(value); !ok {
			return m, false
		}
		m.parameters = append(m.parameters, [2]string{name, value})
	}
	return m, true
}

// parseWeight reads a number from 0 to 1 with three decimals at most.
func parseWeight(s string) (int, bool) {
	whole, decimals, _ := strings.Cut(s, ".")
	if whole != "0" && whole != "1" || len(decimals) > 3 || strings.Trim(decimals, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(whole + (decimals + "000")[:3])
	return n, err == nil && n <= 1000
}

// splitUnquoted splits at a separator that is in no quotes.
func splitUnquoted(s string, separator byte) (parts []string) {
	quoted, from := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == separator && !quoted:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

// unquote reads the value of a parameter: a token, or a text in quotes.
func unquote(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, isToken(s)
	}
	var value strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return value.String(), i == len(s)-1
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		value.WriteByte(s[i])
	}
	return "", false
}

func isToken(s string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	for i := range len(s) {
		if c := s[i]; !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(marks, c) >= 0) {
			return false
		}
	}
	return s != ""
}
