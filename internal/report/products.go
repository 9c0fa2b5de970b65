package report

import (
	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
)

// Products lists the primary products of a scope, by id.
func Products(scope catalog.Scope) []api.Product {
	products := []api.Product{}
	for _, primary := range scope.Products() {
		p := primary.Product()
		products = append(products, api.Product{
			ID: p.ID, Name: p.Name, Website: p.Website, Domain: p.Domain,
			PartnerWebsites: websites(p, func(w *catalog.Website) bool { return w.Partner }),
		})
	}
	return products
}

// Websites lists the websites that are tracked in agent analytics, by id.
func Websites(primary catalog.Primary) []api.Website {
	return websites(primary.Product(), tracked)
}

func tracked(w *catalog.Website) bool { return w.Tracked }

func websites(p *catalog.Product, wanted func(*catalog.Website) bool) []api.Website {
	list := []api.Website{}
	for _, w := range p.Websites {
		if wanted(w) {
			list = append(list, api.Website{Domain: w.Domain, WebsiteID: w.ID})
		}
	}
	return list
}
