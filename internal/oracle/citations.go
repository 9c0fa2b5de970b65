package oracle

import (
	"cmp"
	"net/http"
	"slices"
	"sort"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// citation is one URL of one answer.
type citation struct {
	answer      Answer
	url, domain string
}

// Citations answers GET /v1/products/{productId}/citations.
func (w *World) Citations(teamID string, productID int64, r api.CitationsRequest) (api.CitationResponse, int) {
	p, status := w.open(teamID, productID, r.PromptsRequest)
	if status != http.StatusOK {
		return api.CitationResponse{}, status
	}
	cited := citationsOf(w.runs(selectedPrompts(p, r.PromptsRequest), r.PromptsRequest))
	var answer api.CitationResponse
	all := r.GroupBy == api.GroupAll
	if all || r.GroupBy == api.GroupProperty {
		answer.ByProperty = w.byProperty(p, cited)
	}
	if all || r.GroupBy == api.GroupPage {
		answer.ByPage = w.byPage(p, cited)
	}
	if all || r.GroupBy == api.GroupProduct {
		answer.ByProduct = w.byProduct(p, cited)
	}
	return answer, http.StatusOK
}

// citationsOf counts a URL once per answer (S13).
func citationsOf(answers []Answer) (list []citation) {
	for _, a := range answers {
		var seen []string
		for _, c := range a.Citations {
			if !slices.Contains(seen, c.URL) {
				seen = append(seen, c.URL)
				list = append(list, citation{a, c.URL, c.Domain})
			}
		}
	}
	return list
}

func (w *World) byProperty(p Product, cited []citation) []api.CitationByProperty {
	groups := map[string][]citation{}
	for _, c := range cited {
		groups[c.domain] = append(groups[c.domain], c)
	}
	rows := []api.CitationByProperty{}
	for domain, group := range groups {
		rows = append(rows, api.CitationByProperty{
			Domain: domain, Products: w.associated(p, group),
			Count: int64(len(group)), IsMentioned: mentionedIn(p, group),
		})
	}
	slices.SortFunc(rows, func(a, b api.CitationByProperty) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain))
	})
	return rows
}

func (w *World) byPage(p Product, cited []citation) []api.CitationByPage {
	groups := map[string][]citation{}
	for _, c := range cited {
		groups[c.url] = append(groups[c.url], c)
	}
	rows := []api.CitationByPage{}
	for url, group := range groups {
		rows = append(rows, api.CitationByPage{
			Domain: group[0].domain, URL: url, Products: w.associated(p, group),
			Count: int64(len(group)), IsMentioned: mentionedIn(p, group),
		})
	}
	slices.SortFunc(rows, func(a, b api.CitationByPage) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.URL, b.URL))
	})
	return rows
}

func (w *World) byProduct(p Product, cited []citation) []api.CitationByProduct {
	rows := []api.CitationByProduct{}
	for _, q := range w.comparison(p) {
		var its []citation
		for _, c := range cited {
			if q.associatedWith(c) {
				its = append(its, c)
			}
		}
		if len(its) > 0 {
			rows = append(rows, api.CitationByProduct{
				Name: q.Name, Domain: q.Domain, Count: int64(len(its)), IsMentioned: mentionedIn(q, its),
			})
		}
	}
	slices.SortFunc(rows, func(a, b api.CitationByProduct) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Name, b.Name))
	})
	return rows
}

// associated lists the products of the comparison that belong to at least one
// of the citations.
func (w *World) associated(p Product, group []citation) []api.CitationProduct {
	list := []api.CitationProduct{}
	for _, q := range w.comparison(p) {
		if slices.ContainsFunc(group, q.associatedWith) {
			list = append(list, api.CitationProduct{Name: q.Name, Domain: q.Domain})
		}
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].Name != list[j].Name {
			return list[i].Name < list[j].Name
		}
		return list[i].Domain < list[j].Domain
	})
	return list
}

// associatedWith holds if the answer mentions the product or the product owns
// the cited domain (S14).
func (p Product) associatedWith(c citation) bool {
	_, mentioned := c.answer.mentions(p.ID)
	return mentioned || p.owns(c.domain)
}

// owns holds for the product's domain, any of its websites, and their subdomains.
func (p Product) owns(domain string) bool {
	owned := []string{p.Domain}
	for _, s := range p.Websites {
		owned = append(owned, s.Domain)
	}
	for _, d := range owned {
		if domain == bareDomain(d) || strings.HasSuffix(domain, "."+bareDomain(d)) {
			return true
		}
	}
	return false
}

// mentionedIn holds if an answer behind one of the citations mentions the product (S15).
func mentionedIn(p Product, group []citation) bool {
	return slices.ContainsFunc(group, func(c citation) bool {
		_, mentioned := c.answer.mentions(p.ID)
		return mentioned
	})
}
