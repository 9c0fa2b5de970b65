package report

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// randomCitations draws a product with many competitors, and what is cited.
func randomCitations(r *rand.Rand, rivals, domains, pages int) (*catalog.Product, facts.Cited) {
	p := &catalog.Product{ID: 1, Name: "Own", Domain: "own.example"}
	for i := range rivals {
		p.Competitors = append(p.Competitors, &catalog.Product{ID: int64(2 + i), Name: fmt.Sprint("Rival ", r.IntN(rivals)), Domain: fmt.Sprintf("r%d.example", i)})
	}
	var cited facts.Cited
	for i := range domains {
		d := facts.CitedDomain{Domain: fmt.Sprintf("www.r%d.example", i), Mentions: make([]int64, 1+rivals)}
		cited.Domains = append(cited.Domains, d)
	}
	few := []facts.Bits{facts.NewBits(1 + rivals), facts.NewBits(1 + rivals), facts.NewBits(1 + rivals)} // which many pages have
	for i := range few {
		few[i].Add(r.IntN(1 + rivals))
	}
	for i := range pages {
		d := &cited.Domains[r.IntN(domains)]
		page := facts.CitedPage{Domain: d.Domain, URL: fmt.Sprintf("https://%s/%d", d.Domain, i), Count: 1 + r.Int64N(9)}
		if page.Mentioned = slices.Clone(few[r.IntN(len(few))]); r.IntN(2) == 0 {
			for range r.IntN(2 * rivals) {
				page.Mentioned.Add(r.IntN(1 + rivals))
			}
		}
		d.Count += page.Count
		for place := range d.Mentions {
			if page.Mentioned.Has(place) {
				d.Mentions[place]++
			}
		}
		cited.Pages = append(cited.Pages, page)
	}
	cited.Domains = slices.DeleteFunc(cited.Domains, func(d facts.CitedDomain) bool { return d.Count == 0 })
	return p, cited
}

// expected lists the products of a citation, and says whether one is the product
// itself, in the plainest way.
func expected(p *catalog.Product, domain string, mentioned func(place int) bool) (list []api.CitationProduct, own bool) {
	list = []api.CitationProduct{}
	for place, of := range p.Comparison() {
		if mentioned(place) || domain == of.Domain || strings.HasSuffix(domain, "."+of.Domain) {
			list = append(list, api.CitationProduct{Name: of.Name, Domain: of.Domain})
		}
		own = own || of.ID == p.ID && mentioned(place)
	}
	slices.SortFunc(list, func(a, b api.CitationProduct) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Domain, b.Domain))
	})
	return list, own
}

func expectedPages(p *catalog.Product, cited facts.Cited) []api.CitationByPage {
	pages := []api.CitationByPage{}
	for _, c := range cited.Pages {
		products, own := expected(p, c.Domain, c.Mentioned.Has)
		pages = append(pages, api.CitationByPage{Domain: c.Domain, URL: c.URL, Products: products, Count: c.Count, IsMentioned: own})
	}
	slices.SortFunc(pages, func(a, b api.CitationByPage) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.URL, b.URL))
	})
	return pages
}

func expectedProperties(p *catalog.Product, cited facts.Cited) []api.CitationByProperty {
	domains := []api.CitationByProperty{}
	for _, c := range cited.Domains {
		products, own := expected(p, c.Domain, func(place int) bool { return c.Mentions[place] > 0 })
		domains = append(domains, api.CitationByProperty{Domain: c.Domain, Products: products, Count: c.Count, IsMentioned: own})
	}
	slices.SortFunc(domains, func(a, b api.CitationByProperty) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Domain, b.Domain))
	})
	return domains
}

func TestCitationsAreShapedAlikeOnAnyNumberOfCores(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, size := range []struct{ rivals, domains, pages int }{
		{1, 1, 0}, {3, 2, 1}, {40, 30, pageShare}, {63, 50, pageShare + 1}, {64, 50, 3 * pageShare}, {200, 100, 3*pageShare + 7},
	} {
		for _, n := range []int{1, 4} {
			t.Run(fmt.Sprintf("%d pages, %d rivals, %d cores", size.pages, size.rivals, n), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
				p, cited := randomCitations(r, size.rivals, size.domains, size.pages)
				c := newCitations(p, cited)
				if got, want := c.byPage(), expectedPages(p, cited); !reflect.DeepEqual(got, want) {
					t.Errorf("%d pages, want %d, and they differ", len(got), len(want))
				}
				if got, want := c.byProperty(), expectedProperties(p, cited); !reflect.DeepEqual(got, want) {
					t.Errorf("%d domains, want %d, and they differ", len(got), len(want))
				}
			})
		}
	}
}
