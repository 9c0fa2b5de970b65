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
	domains  []citedDomain         // by name
	pages    []facts.CitedPage
}

// citedDomain is a domain that is cited, and the places of the products it belongs to.
type citedDomain struct {
	facts.CitedDomain
	owners facts.Bits
}

// compared is a product of the comparison, and its place there.
type compared struct {
	*catalog.Product
	place int
}

func newCitations(p *catalog.Product, cited facts.Cited) *citations {
	comparison := p.Comparison()
	c := &citations{owners: make(map[string]facts.Bits), size: len(comparison), pages: cited.Pages}
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
	c.domains = make([]citedDomain, 0, len(cited.Domains))
	for _, d := range cited.Domains {
		c.domains = append(c.domains, citedDomain{d, c.ownersOf(d.Domain)})
	}
	slices.SortFunc(c.domains, func(a, b citedDomain) int { return cmp.Compare(a.Domain, b.Domain) })
	return c
}

func (c *citations) owns(domain string, place int) {
	owners, ok := c.owners[domain]
	if !ok {
		owners = facts.NewBits(c.size)
		c.owners[domain] = owners
	}
	owners.Add(place)
}

// ownersOf finds who owns a domain, itself or as a subdomain of theirs (S14).
func (c *citations) ownersOf(domain string) facts.Bits {
	owners := facts.NewBits(c.size)
	for rest, more := domain, true; more; _, rest, more = strings.Cut(rest, ".") {
		owners.Union(c.owners[rest])
	}
	return owners
}

func (c *citations) byProperty() []api.CitationByProperty {
	rows, lists := make([]api.CitationByProperty, 0, len(c.domains)), c.newLists()
	for _, d := range c.domains {
		lists.begin(d.owners)
		for place, n := range d.Mentions {
			if n > 0 {
				lists.places.Add(place)
			}
		}
		rows = append(rows, api.CitationByProperty{
			Domain: d.Domain, Products: lists.associated(), Count: d.Count, IsMentioned: d.Mentions[c.own] > 0,
		})
	}
	slices.SortStableFunc(rows, func(a, b api.CitationByProperty) int { return cmp.Compare(b.Count, a.Count) }) // by domain already
	return rows
}

// byProduct counts each citation once for a product that owns its domain or
// is mentioned in its answer.
func (c *citations) byProduct() []api.CitationByProduct {
	counts, mentioned := make([]int64, len(c.products)), facts.NewBits(len(c.products))
	for _, d := range c.domains {
		for place, n := range d.Mentions {
			if n > 0 {
				mentioned.Add(place)
			}
			if d.owners.Has(place) {
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
