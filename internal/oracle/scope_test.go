package oracle

import "testing"

func TestProductsAreThoseOfTheTeamAndOfTheTeamsItManagesDirectly(t *testing.T) {
	w := small()
	for _, c := range []struct {
		team string
		want []int64
	}{
		{"acme", []int64{101}},
		{"agency", []int64{101, 301, 401}},
		{"holding", []int64{301, 401}}, // 101 is managed by a managed team: S26
	} {
		products, status := w.Products(c.team)
		if status != 200 || len(products) != len(c.want) {
			t.Errorf("%s: status %d, %v", c.team, status, products)
			continue
		}
		for i, id := range c.want {
			if products[i].ID != id {
				t.Errorf("%s: product %d is %d, want %d", c.team, i, products[i].ID, id)
			}
		}
	}
}

func TestPartnerWebsitesAreListedTrackedOrNot(t *testing.T) {
	products, status := small().Products("acme")
	expect(t, products, status, `
		{"id":101,"name":"Acme Rocket","website":"https://www.acme.com","domain":"acme.com","partnerWebsites":[{"domain":"gone.example","websiteId":"w-Gone"},{"domain":"shop.example","websiteId":"w-shop"}]}`)
}

func TestWebsitesAreTheTrackedOnes(t *testing.T) {
	websites, status := small().Websites("acme", 101)
	expect(t, websites, status, `
		{"domain":"acme.com","websiteId":"w-acme"}
		{"domain":"shop.example","websiteId":"w-shop"}`)
}

func TestListsAreEmptyAndNotNull(t *testing.T) {
	w := small()
	w.Catalog = w.Catalog[:1]
	products, _ := w.Products("acme")
	websites, _ := w.Websites("agency", 401)
	if products == nil || websites == nil {
		t.Errorf("products %v, websites %v", products, websites)
	}
}

func TestTheKeyOpensNothingElse(t *testing.T) {
	w := small()
	for _, c := range []struct {
		name, team string
		product    int64
	}{
		{"unknown team", "nobody", 101},
		{"foreign team's product", "acme", 401},
		{"competitor of another team", "acme", 301},
		{"competitor without a team", "acme", 201},
		{"competitor without a team, for the unknown team", "", 201},
		{"managed team of a managed team", "holding", 101},
		{"unknown product", "acme", 999},
	} {
		if _, status := w.Websites(c.team, c.product); status != 401 {
			t.Errorf("%s: status %d, want 401", c.name, status)
		}
		r := acme()
		r.LabelIDs = []int64{999} // a wrong label is not looked at
		if _, status := w.Prompts(c.team, c.product, r); status != 401 {
			t.Errorf("%s: prompts has status %d, want 401", c.name, status)
		}
	}
	if _, status := w.Products("nobody"); status != 401 {
		t.Errorf("products for an unknown team: status %d, want 401", status)
	}
}
