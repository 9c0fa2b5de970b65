package report

import (
	"cmp"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/cores"
)

// pageShare is how many rows one core makes before it takes others.
const pageShare = 512

func (c *citations) byPage() []api.CitationByPage {
	order := c.pageOrder()
	rows := make([]api.CitationByPage, len(order))
	cores.Each((len(rows)+pageShare-1)/pageShare, func() func(int) {
		lists := c.newLists()
		return func(share int) {
			for i := share * pageShare; i < min((share+1)*pageShare, len(rows)); i++ {
				d, p := &c.domains[order[i].domain], &c.pages[order[i].page]
				lists.begin(p.Mentioned)
				lists.places.Union(d.owners)
				rows[i] = api.CitationByPage{
					Domain: p.Domain, URL: p.URL, Products: lists.associated(), Count: p.Count, IsMentioned: p.Mentioned.Has(c.own),
				}
			}
		}
	})
	return rows
}

// pagePlace is what pages are in order by, before their URLs. Most differ in it,
// and it is cheap to compare and to move.
type pagePlace struct {
	count        int64
	domain, page int32 // numbers of both
}

// pageOrder puts the pages in order (S16).
func (c *citations) pageOrder() []pagePlace {
	numbers := make(map[string]int32, len(c.domains))
	for i := range c.domains {
		numbers[c.domains[i].Domain] = int32(i)
	}
	order := make([]pagePlace, len(c.pages))
	for i := range c.pages {
		order[i] = pagePlace{c.pages[i].Count, numbers[c.pages[i].Domain], int32(i)}
	}
	slices.SortFunc(order, func(a, b pagePlace) int {
		if a.count != b.count {
			return cmp.Compare(b.count, a.count)
		}
		if a.domain != b.domain {
			return cmp.Compare(a.domain, b.domain)
		}
		return cmp.Compare(c.pages[a.page].URL, c.pages[b.page].URL)
	})
	return order
}
