package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// citations shapes what is cited for one product and its comparison.
type citations struct {
	own      int                   // place of the product in the comparison
	products []compared            // by name and domain
	owners   map[string]facts.Bits // domain → places of the products that have it
	size     int                   // of the comparison
}

// compared is a product of the comparison, and its place there.
type compared struct {
	*catalog.Product
	place int
}

func newCitations(p *catalog.Product) citations {
	comparison := p.Comparison()
	c := citations{owners: make(map[string]facts.Bits), size: len(comparison)}
	for place, of := range comparison {
		c.products = append(c.products, compared{of, place})
		if of.ID == p.ID {
			c.own = place
		}
		c.owns(of.Domain, place)
		for _, w := range of.Websites {
			c.owns(w.Domain, place)
		}
	}
	slices.SortFunc(c.products, func(a, b compared) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.ID, b.ID))
	})
	return c
}

func (c citations) owns(domain string, place int) {
	owners, ok := c.owners[domain]
	if !ok {
		owners = facts.NewBits(c.size)
		c.owners[domain] = owners
	}
	owners.Add(place)
}

// ownersOf finds who owns a domain, itself or as a subdomain of theirs (S14).
func (c citations) ownersOf(domain string) facts.Bits {
	owners := facts.NewBits(c.size)
	for rest, more := domain, true; more; _, rest, more = strings.Cut(rest, ".") {
		owners.Union(c.owners[rest])
	}
	return owners
}

// associated lists the products at some places, by name and domain.
func (c citations) associated(places facts.Bits) []api.CitationProduct {
	list := make([]api.CitationProduct, 0, places.Count())
	for _, p := range c.products {
		if places.Has(p.place) {
			list = append(list, api.CitationProduct{Name: p.Name, Domain: p.Domain})
		}
	}
	return list
}

func (c citations) byPage(cited facts.Cited) []api.CitationByPage {
	owners := make(map[string]facts.Bits, len(cited.Domains))
	for _, d := range cited.Domains {
		owners[d.Domain] = c.ownersOf(d.Domain)
	}
	rows := make([]api.CitationByPage, 0, len(cited.Pages))
	for _, p := range cited.Pages {
		mentioned := p.Mentioned.Has(c.own)
		p.Mentioned.Union(owners[p.Domain])
		rows = append(rows, api.CitationByPage{
			Domain: p.Domain, URL: p.URL, Products: c.associated(p.Mentioned), Count: p.Count, IsMentioned: mentioned,
		})
	}
	slices.SortFunc(rows, func(a, b api.CitationByPage) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.URL, b.URL))
	})
	return rows
}

func (c citations) byProperty(cited facts.Cited) []api.CitationByProperty {
	rows := make([]api.CitationByProperty, 0, len(cited.Domains))
	for _, d := range cited.Domains {
		places := c.ownersOf(d.Domain)
		for place, n := range d.Mentions {
			if n > 0 {
				places.Add(place)
			}
		}
		rows = append(rows, api.CitationByProperty{
			Domain: d.Domain, Products: c.associated(places), Count: d.Count, IsMentioned: d.Mentions[c.own] > 0,
		})
	}
	slices.SortFunc(rows, func(a, b api.CitationByProperty) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain))
	})
	return rows
}

// byProduct counts each citation once for a product that owns its domain or
// is mentioned in its answer.
func (c citations) byProduct(cited facts.Cited) []api.CitationByProduct {
	counts, mentioned := make([]int64, len(c.products)), facts.NewBits(len(c.products))
	for _, d := range cited.Domains {
		owners := c.ownersOf(d.Domain)
		for place, n := range d.Mentions {
			if n > 0 {
				mentioned.Add(place)
			}
			if owners.Has(place) {
				n = d.Count
			}
			counts[place] += n
		}
	}
	rows := []api.CitationByProduct{}
	for _, p := range c.products {
		if n := counts[p.place]; n > 0 {
			rows = append(rows, api.CitationByProduct{Name: p.Name, Domain: p.Domain, Count: n, IsMentioned: mentioned.Has(p.place)})
		}
	}
	slices.SortStableFunc(rows, func(a, b api.CitationByProduct) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Name, b.Name))
	})
	return rows
}
