package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// broken is a request with one parameter that the contract refuses.
func (m *Maker) broken() Request {
	team, product := m.caller()
	r := pick(m, reports)
	all := r.make(m, product)
	switch m.random.IntN(5) {
	case 0: // a required one is missing
		name := pick(m, []string{api.ParamDateFrom, api.ParamDateTo})
		all = slices.DeleteFunc(all, func(p parameter) bool { return p.name == name })
	case 1: // one that may occur once occurs twice
		all = append(all, parameter{api.ParamDateFrom, "2026-03-02T00:00:00Z"})
	case 2: // a time that is none
		all = set(all, pick(m, []string{api.ParamDateFrom, api.ParamDateTo}), pick(m, badTimes))
	case 3: // from after to
		all = set(set(all, api.ParamDateFrom, "2026-03-09T00:00:00Z"), api.ParamDateTo, "2026-03-08T23:59:59Z")
	case 4:
		all = m.worse(r.path, all)
	}
	return m.request(team, m.bearer(team), target(product.ID, r.path, m.shuffled(all)), 400)
}

// worse breaks a parameter that the report alone has.
func (m *Maker) worse(path string, all []parameter) []parameter {
	switch {
	case path == "analytics/timeseries":
		return set(all, pick(m, []string{api.ParamPage, api.ParamPerPage, api.ParamTopLimit, api.ParamInterval, api.ParamMetrics, api.ParamGroupBys}),
			pick(m, []string{"", "0", "-1", "1.5", "99999999999999999999999", "bot_visits;drop table visits", "month", "\x00", "NaN", "٣", "1e3", " 1"}))
	case path == "citations" && m.chance(2):
		return set(all, api.ParamGroupBy, pick(m, []string{"", "pages", "ALL", "all,page", "\u202e"}))
	}
	if m.chance(2) {
		return set(all, api.ParamDomain, "")
	}
	return append(all, parameter{api.ParamLabelIDs, pick(m, []string{"", "1", "-1", "x", "9223372036854775808", fmt.Sprint(m.foreignLabel()), "1' or '1'='1"})})
}

// foreignLabel is no label of the products that reports are asked for here: no
// product has it.
func (m *Maker) foreignLabel() int64 { return 10 + m.random.Int64N(1000) }

func set(all []parameter, name, value string) []parameter {
	all = slices.DeleteFunc(all, func(p parameter) bool { return p.name == name })
	return append(all, parameter{name, value})
}

var badTimes = []string{
	"", "2026-03-02", "2026-02-30T00:00:00Z", "2026-03-02T00:00:00", "2026-03-02 00:00:00Z", "now", "1772409600", "2026-03-02T24:00:00Z",
	"+002026-03-02T00:00:00Z", "２０２６-03-02T00:00:00Z", "2026-03-02T00:00:00Z\x00", "2026-03-02T00:00:00+25:00", strings.Repeat("9", 500),
}

// mutated is a valid request whose query has been damaged at random: it may
// still be valid, and must not fail in any other way.
func (m *Maker) mutated() Request {
	team, product := m.caller()
	r := pick(m, reports)
	all := r.make(m, product)
	for range 1 + m.random.IntN(3) {
		i := m.random.IntN(len(all))
		switch m.random.IntN(6) {
		case 0:
			all[i].value = m.damage(all[i].value)
		case 1:
			all[i].value = m.junk()
		case 2:
			all[i].name = m.damage(all[i].name)
		case 3:
			all = append(all, all[i])
		case 4:
			all = append(all, parameter{all[i].name, m.junk()})
		case 5:
			all = append(all, parameter{m.junk(), m.junk()})
		}
	}
	query := encode(all)
	if m.chance(3) {
		query = m.garble(query)
	}
	path := fmt.Sprintf("/v1/products/%d/%s?%s", product.ID, r.path, query)
	return m.request(team, m.bearer(team), path, 200, 400)
}

// damage changes a few characters of a text.
func (m *Maker) damage(s string) string {
	text := []rune(s)
	for range 1 + m.random.IntN(3) {
		if len(text) == 0 {
			return m.junk()
		}
		i := m.random.IntN(len(text))
		switch m.random.IntN(3) {
		case 0:
			text[i] = rune(m.random.IntN(0x250))
		case 1:
			text = slices.Delete(text, i, i+1)
		case 2:
			text = slices.Insert(text, i, []rune(m.junk())...)
		}
	}
	return string(text)
}

// garble breaks the escaping of a query, and keeps it fit for a request line.
func (m *Maker) garble(query string) string {
	text := []byte(query)
	for range 1 + m.random.IntN(4) {
		text[m.random.IntN(len(text))] = pick(m, []byte("%&=;+#[]\"'<>\\^`{|}~$!*(),/?:@0aZ\xc3\xff"))
	}
	return string(text)
}

// junk is a text that nobody would send who means well.
func (m *Maker) junk() string {
	if m.chance(50) {
		return strings.Repeat(pick(m, junk), 200)
	}
	return pick(m, junk)
}

var junk = []string{
	"", "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e309", "NaN", "0x10", "null", "true", "undefined",
	"'", `"`, "';--", "' or 1=1 --", `\`, "%", "%%", "%00", "\x00", "\x1b[31m", "\r\nSet-Cookie: a=b", "\t", " ", "{{7*7}}", "${jndi:ldap://x}", "../../etc/passwd",
	"é", "e\u0301", "ß", "İ", "\u202egnp", "\ufeff", "\U0001f525", "𝔘𝔫𝔦", "\xff\xfe", "\xc0\xaf", "\xed\xa0\x80", "ａｂｃ", "<script>alert(1)</script>",
	"openai", "*", "_", "a,b", "[]", "2026-03-02T00:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "2026-06-30T23:59:60Z",
}
