package fuzz

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/bench/stress/world"
)

// parameter is a name and its value, not yet escaped.
type parameter struct{ name, value string }

// report is a route of a product, and how its parameters are made.
type report struct {
	path string
	make func(*Maker, *world.Product) []parameter
}

var reports = []report{
	{"prompts", (*Maker).prompts},
	{"prompts/summary", (*Maker).prompts},
	{"prompts/dates", (*Maker).prompts},
	{"citations", (*Maker).citations},
	{"analytics/timeseries", (*Maker).timeseries},
	{"analytics/timeseries", (*Maker).timeseries},
}

// valid is a request that the contract allows. Most have come before, as those
// of dashboards do: then the answer is remembered.
func (m *Maker) valid() Request {
	if len(m.earlier) == kept && !m.chance(4) {
		return pick(m, m.earlier)
	}
	r := m.another()
	if len(m.earlier) < kept {
		m.earlier = append(m.earlier, r)
	} else {
		m.earlier[m.random.IntN(kept)] = r
	}
	return r
}

// kept is how many requests may come again.
const kept = 100

func (m *Maker) another() Request {
	team, product := m.caller()
	if m.chance(10) {
		return m.request(team, m.bearer(team), "/v1/products"+m.ignored(), 200)
	}
	if m.chance(10) {
		return m.request(team, m.bearer(team), fmt.Sprintf("/v1/products/%d/websites%s", product.ID, m.ignored()), 200)
	}
	r := pick(m, reports)
	return m.request(team, m.bearer(team), target(product.ID, r.path, r.make(m, product)), 200)
}

// ignored is a query on a route that has none.
func (m *Maker) ignored() string {
	if m.chance(3) {
		return "?" + url.QueryEscape(m.junk()) + "=" + url.QueryEscape(m.junk())
	}
	return ""
}

func target(product int64, path string, all []parameter) string {
	return fmt.Sprintf("/v1/products/%d/%s?%s", product, path, encode(all))
}

func encode(all []parameter) string {
	var b strings.Builder
	for i, p := range all {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value))
	}
	return b.String()
}

// window is a part of the weeks that have events, and a little more. The days
// are few, so that some questions come again and are answered from memory.
func (m *Maker) window() []parameter {
	from := world.First.AddDate(0, 0, m.random.IntN(20)-2)
	to := from.AddDate(0, 0, 1+m.random.IntN(14)).Add(-time.Second)
	if m.chance(8) {
		to = to.Add(-time.Duration(m.random.IntN(86400)) * time.Second)
	}
	return []parameter{{api.ParamDateFrom, m.spell(from)}, {api.ParamDateTo, m.spell(to)}}
}

// spell writes a time in one of the ways that RFC 3339 has.
func (m *Maker) spell(at time.Time) string {
	switch m.random.IntN(8) {
	case 0:
		return at.In(time.FixedZone("", 3600*(m.random.IntN(24)-12))).Format(time.RFC3339)
	case 1:
		return strings.ToLower(at.Format("2006-01-02T15:04:05.000Z07:00"))
	}
	return at.Format(time.RFC3339)
}

func (m *Maker) prompts(p *world.Product) []parameter {
	domain := pick(m, p.Domains)
	switch m.random.IntN(10) {
	case 0:
		domain = "www." + strings.ToUpper(domain) + "."
	case 1:
		domain = pick(m, pick(m, pick(m, m.World.Teams).Products).Domains) // may be another's: then it selects nothing
	}
	all := append(m.window(), parameter{api.ParamDomain, domain})
	all = append(all, m.platforms()...)
	for range m.few() {
		all = append(all, parameter{api.ParamLabelIDs, strconv.FormatInt(pick(m, p.Labels), 10)})
	}
	return m.shuffled(all)
}

func (m *Maker) citations(p *world.Product) []parameter {
	all := m.prompts(p)
	if m.chance(2) {
		all = append(all, parameter{api.ParamGroupBy, pick(m, []string{"all", "property", "page", "product", "byProperty", "byPage", "byProduct"})})
	}
	return m.shuffled(all)
}

func (m *Maker) timeseries(p *world.Product) []parameter {
	all := append(m.window(), m.platforms()...)
	if m.chance(3) {
		all = append(all, parameter{api.ParamInterval, string(pick(m, api.Intervals))})
	}
	for range m.few() {
		all = append(all, parameter{api.ParamMetrics, string(pick(m, api.Metrics))})
	}
	for range m.few() {
		all = append(all, parameter{api.ParamGroupBys, string(pick(m, api.Dimensions))})
	}
	if m.chance(6) {
		all = append(all, parameter{api.ParamBotTypes, pick(m, []string{"gptbot", "claudebot", "none", "other", "nobody’s bot"})})
	}
	if m.chance(6) {
		all = append(all, parameter{api.ParamWebsiteID, pick(m, pick(m, []*world.Product{p, pick(m, pick(m, m.World.Teams).Products)}).Websites)})
	}
	if m.chance(6) {
		all = append(all, parameter{api.ParamURLPath, pick(m, p.Paths) + pick(m, []string{"", "/", "?a=b", "/../x", "%2e"})})
	}
	for _, name := range []string{api.ParamPage, api.ParamPerPage, api.ParamTopLimit} {
		if m.chance(4) {
			all = append(all, parameter{name, strconv.Itoa(pick(m, []int{1, 2, 3, 7, 20, 50, 1000}))})
		}
	}
	if m.chance(200) {
		all = append(all, parameter{"unknown", "1"})
	}
	return m.shuffled(all)
}

func (m *Maker) platforms() (all []parameter) {
	for range m.few() {
		all = append(all, parameter{api.ParamPlatforms, pick(m, []string{"openai", "perplexity", "gemini", "claude", "google", "nobody"})})
	}
	return all
}

// few is mostly none.
func (m *Maker) few() int { return max(0, m.random.IntN(5)-2) }

func (m *Maker) shuffled(all []parameter) []parameter {
	m.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}
