package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// Citations reports on the URLs that the selected answers cite.
func (r *Reports) Citations(ctx context.Context, primary catalog.Primary, req api.CitationsRequest) (api.CitationResponse, error) {
	var answer api.CitationResponse
	s, err := selectAnswers(primary, req.PromptsRequest)
	if err != nil {
		return answer, err
	}
	set, err := r.Facts.Acquire()
	if err != nil {
		return answer, err
	}
	defer set.Close()
	plan := s.plan()
	plan.Page = pageAll
	if req.GroupBy == api.GroupAll || req.GroupBy == api.GroupPage {
		plan.Page = pageEach
	}
	pages, err := citedPages(ctx, set, plan)
	if err != nil {
		return answer, err
	}
	c := newCitations(s.product)
	switch req.GroupBy {
	case api.GroupAll:
		answer.ByProperty, answer.ByPage, answer.ByProduct = c.byProperty(pages), c.byPage(pages), c.byProduct(pages)
	case api.GroupProperty:
		answer.ByProperty = c.byProperty(pages)
	case api.GroupPage:
		answer.ByPage = c.byPage(pages)
	case api.GroupProduct:
		answer.ByProduct = c.byProduct(pages)
	}
	return answer, nil
}

// source is a cited page, or a whole domain where pages were not asked for.
type source struct{ domain, url string }

// cited is how often a source is cited, and how often beside each product.
type cited struct {
	count    int64
	mentions map[int64]int64 // product → citations in answers that mention it
}

func (c *cited) add(other *cited) {
	c.count += other.count
	for id, n := range other.mentions {
		c.mentions[id] += n
	}
}

func citedPages(ctx context.Context, set facts.Set, plan answerPlan) (map[source]*cited, error) {
	pages := make(map[source]*cited)
	if len(plan.PromptIDs) == 0 || plan.empty() {
		return pages, nil
	}
	err := collect(ctx, set, "citation_counts.sql", plan.window, plan, func(scan facts.Scan) error {
		var s source
		var n facts.Int
		err := scan(&s.domain, &s.url, &n)
		pages[s] = &cited{count: int64(n), mentions: make(map[int64]int64)}
		return err
	})
	if err != nil {
		return nil, err
	}
	return pages, collect(ctx, set, "citation_mentions.sql", plan.window, plan, func(scan facts.Scan) error {
		var s source
		var product, n facts.Int
		err := scan(&s.domain, &s.url, &product, &n)
		if p := pages[s]; p != nil {
			p.mentions[int64(product)] = int64(n)
		}
		return err
	})
}

// citations shapes cited pages for one product and its comparison.
type citations struct {
	product  *catalog.Product
	products []*catalog.Product            // the comparison, by name and domain
	owners   map[string][]*catalog.Product // domain → products that have it
}

func newCitations(p *catalog.Product) citations {
	c := citations{product: p, products: slices.Clone(p.Comparison()), owners: make(map[string][]*catalog.Product)}
	slices.SortFunc(c.products, func(a, b *catalog.Product) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.ID, b.ID))
	})
	for _, p := range c.products {
		c.owners[p.Domain] = append(c.owners[p.Domain], p)
		for _, w := range p.Websites {
			c.owners[w.Domain] = append(c.owners[w.Domain], p)
		}
	}
	return c
}

// ownersOf finds who owns a domain, itself or as a subdomain of theirs (S14).
func (c citations) ownersOf(domain string) map[int64]bool {
	owners := make(map[int64]bool)
	for rest, more := domain, true; more; _, rest, more = strings.Cut(rest, ".") {
		for _, p := range c.owners[rest] {
			owners[p.ID] = true
		}
	}
	return owners
}

// associated lists the products of a source, by name and domain.
func (c citations) associated(domain string, of *cited) []api.CitationProduct {
	owners := c.ownersOf(domain)
	list := []api.CitationProduct{}
	for _, p := range c.products {
		if owners[p.ID] || of.mentions[p.ID] > 0 {
			list = append(list, api.CitationProduct{Name: p.Name, Domain: p.Domain})
		}
	}
	return list
}

func (c citations) byPage(pages map[source]*cited) []api.CitationByPage {
	rows := []api.CitationByPage{}
	for s, of := range pages {
		rows = append(rows, api.CitationByPage{
			Domain: s.domain, URL: s.url, Products: c.associated(s.domain, of),
			Count: of.count, IsMentioned: of.mentions[c.product.ID] > 0,
		})
	}
	slices.SortFunc(rows, func(a, b api.CitationByPage) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.URL, b.URL))
	})
	return rows
}

func (c citations) byProperty(pages map[source]*cited) []api.CitationByProperty {
	rows := []api.CitationByProperty{}
	for domain, of := range byDomain(pages) {
		rows = append(rows, api.CitationByProperty{
			Domain: domain, Products: c.associated(domain, of),
			Count: of.count, IsMentioned: of.mentions[c.product.ID] > 0,
		})
	}
	slices.SortFunc(rows, func(a, b api.CitationByProperty) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain))
	})
	return rows
}

// byProduct counts each citation once for a product that owns its domain or
// is mentioned in its answer.
func (c citations) byProduct(pages map[source]*cited) []api.CitationByProduct {
	counts, mentioned := make(map[int64]int64), make(map[int64]bool)
	for domain, of := range byDomain(pages) {
		owners := c.ownersOf(domain)
		for _, p := range c.products {
			if owners[p.ID] {
				counts[p.ID] += of.count
			} else {
				counts[p.ID] += of.mentions[p.ID]
			}
			mentioned[p.ID] = mentioned[p.ID] || of.mentions[p.ID] > 0
		}
	}
	rows := []api.CitationByProduct{}
	for _, p := range c.products {
		if counts[p.ID] > 0 {
			rows = append(rows, api.CitationByProduct{
				Name: p.Name, Domain: p.Domain, Count: counts[p.ID], IsMentioned: mentioned[p.ID],
			})
		}
	}
	slices.SortStableFunc(rows, func(a, b api.CitationByProduct) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Name, b.Name))
	})
	return rows
}

func byDomain(pages map[source]*cited) map[string]*cited {
	domains := make(map[string]*cited)
	for s, of := range pages {
		d := domains[s.domain]
		if d == nil {
			d = &cited{mentions: make(map[int64]int64)}
			domains[s.domain] = d
		}
		d.add(of)
	}
	return domains
}
