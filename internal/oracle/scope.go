package oracle

import (
	"net/http"
	"slices"
	"sort"

	"github.com/sightline-hq/sightline/api"
)

// reaches says whether a key of the team opens the product: its own products
// and those of the teams that it manages directly (S26).
func (w *World) reaches(teamID string, p Product) bool {
	team, ok := w.team(teamID)
	if !ok || p.Team == "" {
		return false
	}
	return p.Team == team.ID || slices.Contains(team.Manages, p.Team)
}

// authorize returns the product, with 200 or 401.
func (w *World) authorize(teamID string, productID int64) (Product, int) {
	p, ok := w.product(productID)
	if !ok || !w.reaches(teamID, p) {
		return Product{}, http.StatusUnauthorized
	}
	return p, http.StatusOK
}

// Products answers GET /v1/products. An unknown team is a key that opens nothing.
func (w *World) Products(teamID string) ([]api.Product, int) {
	if _, ok := w.team(teamID); !ok {
		return nil, http.StatusUnauthorized
	}
	answer := []api.Product{}
	for _, p := range w.Catalog {
		if w.reaches(teamID, p) {
			answer = append(answer, api.Product{
				ID: p.ID, Name: p.Name, Website: p.Website, Domain: p.Domain,
				PartnerWebsites: listWebsites(p, func(s Website) bool { return s.Partner }),
			})
		}
	}
	sort.Slice(answer, func(i, j int) bool { return answer[i].ID < answer[j].ID })
	return answer, http.StatusOK
}

// Websites answers GET /v1/products/{productId}/websites.
func (w *World) Websites(teamID string, productID int64) ([]api.Website, int) {
	p, status := w.authorize(teamID, productID)
	if status != http.StatusOK {
		return nil, status
	}
	return listWebsites(p, Website.active), http.StatusOK
}

func (s Website) active() bool { return !s.Untracked }

func listWebsites(p Product, wanted func(Website) bool) []api.Website {
	list := []api.Website{}
	for _, s := range p.Websites {
		if wanted(s) {
			list = append(list, api.Website{Domain: s.Domain, WebsiteID: s.ID})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].WebsiteID < list[j].WebsiteID })
	return list
}
