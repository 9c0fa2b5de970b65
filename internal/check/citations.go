package check

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/sightline-hq/sightline/api"
)

func citationsOrder(p *probe) {
	c, a := p.citations(p.promptQuery())
	wantOrder(p, a, c.ByProperty, func(x, y api.CitationByProperty) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Domain, y.Domain))
	})
	wantOrder(p, a, c.ByPage, func(x, y api.CitationByPage) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Domain, y.Domain), cmp.Compare(x.URL, y.URL))
	})
	wantOrder(p, a, c.ByProduct, func(x, y api.CitationByProduct) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Domain, y.Domain), cmp.Compare(x.Name, y.Name))
	})
	byName := func(x, y api.CitationProduct) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Domain, y.Domain))
	}
	for _, r := range c.ByProperty {
		wantOrder(p, a, r.Products, byName)
	}
	for _, r := range c.ByPage {
		wantOrder(p, a, r.Products, byName)
	}
	wantDistinct(p, a, c.ByProperty, func(r api.CitationByProperty) string { return r.Domain })
	wantDistinct(p, a, c.ByPage, func(r api.CitationByPage) string { return r.URL })
	p.wantCitations(c)
}

// wantCitations ends a check that has none to look at.
func (p *probe) wantCitations(c api.CitationResponse) {
	if len(c.ByPage) == 0 {
		p.notApplicable("no citations in the window")
	}
}

// Each grouping alone is its part of all, and nothing else.
func citationGroupings(p *probe) {
	whole := read[map[string]json.RawMessage](p, p.ask(api.RouteCitations, p.promptQuery()))
	parts := map[string][]string{
		"byProperty": {"property", "byProperty"}, "byPage": {"page", "byPage"}, "byProduct": {"product", "byProduct"},
	}
	for _, name := range sortedKeys(parts) {
		for _, grouping := range parts[name] {
			a := p.ask(api.RouteCitations, p.promptQuery().with(api.ParamGroupBy, grouping))
			part := read[map[string]json.RawMessage](p, a)
			if p.ended {
				return
			}
			if _, ok := part[name]; !ok || len(part) != 1 {
				p.failf(a, "the answer has %v, want %s alone", sortedKeys(part), name)
			}
			if string(part[name]) != string(whole[name]) {
				p.failf(a, "%s is not that of groupBy=all", name)
			}
		}
	}
	p.wantSame(p.ask(api.RouteCitations, p.promptQuery().with(api.ParamGroupBy, "all")), p.ask(api.RouteCitations, p.promptQuery()))
}

// A property is made of its pages.
func propertiesArePages(p *probe) {
	c, a := p.citations(p.promptQuery())
	p.wantCitations(c)
	type property struct {
		Count     int64
		Mentioned bool
		Products  []api.CitationProduct
	}
	want := make(map[string]property)
	for _, page := range c.ByPage {
		w := want[page.Domain]
		w.Count += page.Count
		w.Mentioned = w.Mentioned || page.IsMentioned
		w.Products = append(w.Products, page.Products...)
		want[page.Domain] = w
	}
	if len(want) != len(c.ByProperty) {
		p.failf(a, "%d properties, but pages of %d domains", len(c.ByProperty), len(want))
	}
	for _, r := range c.ByProperty {
		w := want[r.Domain]
		slices.SortFunc(w.Products, compareProducts)
		w.Products = slices.Compact(w.Products)
		products := slices.SortedFunc(slices.Values(r.Products), compareProducts)
		if r.Count != w.Count || r.IsMentioned != w.Mentioned || !slices.Equal(products, w.Products) {
			p.failf(a, "%s, but from its pages follow %s", show(r), show(w))
		}
	}
}

func compareProducts(x, y api.CitationProduct) int {
	return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Domain, y.Domain))
}

// No product has more citations than there are.
func productsOfCitations(p *probe) {
	c, a := p.citations(p.promptQuery())
	p.wantCitations(c)
	var citations int64
	for _, page := range c.ByPage {
		citations += page.Count
	}
	rows := make(map[api.CitationProduct]api.CitationByProduct)
	for _, r := range c.ByProduct {
		rows[api.CitationProduct{Name: r.Name, Domain: r.Domain}] = r
		if r.Count > citations {
			p.failf(a, "%s, but there are only %d citations", show(r), citations)
		}
	}
	named := make(map[api.CitationProduct]int64)
	for _, page := range c.ByPage {
		for _, product := range page.Products {
			named[product] += page.Count
		}
	}
	for product, most := range named {
		if r, ok := rows[product]; !ok || r.Count > most {
			p.failf(a, "%s has at most %d citations by its pages, but the row is %s", show(product), most, show(r))
		}
	}
	for product, r := range rows {
		if named[product] == 0 {
			p.failf(a, "no page lists the product of %s", show(r))
		}
	}
}

// cited counts everything that a citation report lists.
func cited(lists ...api.CitationResponse) map[string]int64 {
	all := make(map[string]int64)
	for _, c := range lists {
		for _, r := range c.ByProperty {
			all["property "+r.Domain] += r.Count
		}
		for _, r := range c.ByPage {
			all["page "+r.URL] += r.Count
		}
		for _, r := range c.ByProduct {
			all["product "+r.Name+" "+r.Domain] += r.Count
		}
	}
	return all
}

// wantCited wants citations that are made of parts.
func (p *probe) wantCited(a answer, whole api.CitationResponse, parts ...api.CitationResponse) {
	got, want := cited(whole), cited(parts...)
	for _, k := range sortedKeys(got) {
		if got[k] != want[k] {
			p.failf(a, "%s: %d, but its parts add up to %d", k, got[k], want[k])
		}
	}
	for _, k := range sortedKeys(want) {
		if got[k] == 0 {
			p.failf(a, "%s: missing, but its parts add up to %d", k, want[k])
		}
	}
}

// An answer has one platform, so citations add up over platforms.
func citationPlatforms(p *probe) {
	whole, a := p.citations(p.promptQuery())
	p.wantCitations(whole)
	var parts []api.CitationResponse
	for _, platform := range p.platforms() {
		part, _ := p.citations(p.promptQuery().with(api.ParamPlatforms, platform))
		parts = append(parts, part)
	}
	p.wantCited(a, whole, parts...)
}

// An answer has one time, so citations add up over windows.
func citationWindows(p *probe) {
	whole, a := p.citations(p.promptQuery())
	p.wantCitations(whole)
	left, right, ok := halves(p.answerDays)
	if !ok {
		p.notApplicable("the window has no midnight to divide it at")
		return
	}
	first, _ := p.citations(p.promptQuery().within(left))
	second, _ := p.citations(p.promptQuery().within(right))
	p.wantCited(a, whole, first, second)
}

// A label filter never gives more, and labels that no prompt has both of add up.
func citationLabels(p *probe) {
	whole, _ := p.citations(p.promptQuery())
	p.wantCitations(whole)
	ids := p.labels()
	if len(ids) == 0 {
		p.notApplicable("no prompt has a label")
		return
	}
	most := cited(whole)
	for _, id := range []int64{ids[0], ids[len(ids)-1]} {
		part, a := p.citations(p.promptQuery().with(api.ParamLabelIDs, show(id)))
		for k, n := range cited(part) {
			if n > most[k] {
				p.failf(a, "%s: %d, but %d without the filter", k, n, most[k])
			}
		}
	}
	if one, other, ok := p.disjointLabels(ids); ok {
		first, _ := p.citations(p.promptQuery().with(api.ParamLabelIDs, show(one)))
		second, _ := p.citations(p.promptQuery().with(api.ParamLabelIDs, show(other)))
		both, a := p.citations(p.promptQuery().with(api.ParamLabelIDs, show(one), api.ParamLabelIDs, show(other)))
		p.wantCited(a, both, first, second)
	}
}

// disjointLabels returns two labels that no prompt has both of.
func (p *probe) disjointLabels(ids []int64) (one, other int64, ok bool) {
	rows, _ := p.prompts(p.promptQuery())
	carries := func(r api.PromptMetric, id int64) bool {
		return slices.ContainsFunc(r.Labels, func(l api.PromptLabel) bool { return l.ID == id })
	}
	for i, one := range ids {
		for _, other := range ids[i+1:] {
			if !slices.ContainsFunc(rows, func(r api.PromptMetric) bool { return carries(r, one) && carries(r, other) }) {
				return one, other, true
			}
		}
	}
	return 0, 0, false
}
