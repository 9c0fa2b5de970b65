package check

import (
	"cmp"

	"github.com/sightline-hq/sightline/api"
)

// The key works, and its products can be read.
func productsListed(p *probe) {
	a := p.get(api.RouteProducts)
	products := read[[]api.Product](p, a)
	wantDistinct(p, a, products, func(product api.Product) string { return show(product.ID) })
}

func productsOrder(p *probe) {
	a := p.get(api.RouteProducts)
	products := read[[]api.Product](p, a)
	wantOrder(p, a, products, func(x, y api.Product) int { return cmp.Compare(x.ID, y.ID) })
	byID := func(x, y api.Website) int { return cmp.Compare(x.WebsiteID, y.WebsiteID) }
	for _, product := range products {
		wantOrder(p, a, product.PartnerWebsites, byID)
	}
	if len(products) == 0 {
		p.notApplicable("the key has no products")
	}
}

func websitesOrder(p *probe) {
	a := p.ask(api.RouteWebsites, nil)
	websites := read[[]api.Website](p, a)
	wantOrder(p, a, websites, func(x, y api.Website) int { return cmp.Compare(x.WebsiteID, y.WebsiteID) })
	wantDistinct(p, a, websites, func(w api.Website) string { return w.WebsiteID })
}

// Lists take no parameters, so none can be wrong.
func listsIgnoreParameters(p *probe) {
	const junk = "?dateFrom=nonsense&page=0&page=0&domain=&metrics%5B%5D=x"
	p.wantSame(p.get(api.RouteProducts+junk), p.get(api.RouteProducts))
	path := p.path(api.RouteWebsites)
	p.wantSame(p.get(path+junk), p.get(path))
}
