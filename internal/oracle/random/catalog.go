package random

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

// The names sort differently by byte, by case and by language, on purpose.
var (
	brands = []struct{ name, domain string }{
		{"Acme Rocket", "acme.com"},
		{"Zoom Rockets", "zoomrockets.example"},
		{"orbit", "orbit.io"},
		{"Notacme", "notacme.com"},
		{"Ärial", "labs.acme.com"},
		{"Luna", "luna.co.uk"},
	}
	productIDs = []int64{101, 7, 201, 1, 5_000_000_000, 9_007_199_254_740_993}
	websiteIDs = []string{"w-%d", "W%d", "w_%d", "%d"}
	texts      = []string{
		"best rocket for schools", "Best rocket", "best rocket", "rocket's price, in €?",
		"ärgste Rakete", `"quoted" \ rocket 100%`, "zebra 🚀", "a",
	}
	platforms = []string{"openai", "gemini", "google", "perplexity", "google_ai_overviews", "claude"}
)

// teams manage later teams only, which makes chains but no circles.
func teams(t *rapid.T) (list []oracle.Team) {
	ids := []string{"acme", "agency", "zoom", "solo"}
	n := 1 + upTo(t, len(ids))
	for i, id := range ids[:n] {
		team := oracle.Team{ID: id, Name: "Team " + id}
		for j, later := range ids[i+1 : n] {
			if percent(t, []int{65, 25, 25}[j]) {
				team.Manages = append(team.Manages, later)
			}
		}
		list = append(list, team)
	}
	return list
}

func products(t *rapid.T, teams []oracle.Team) []oracle.Product {
	ids := shuffled(t, productIDs)
	list := make([]oracle.Product, 1+upTo(t, len(brands)))
	for i, brand := range shuffled(t, brands)[:len(list)] {
		list[i] = oracle.Product{
			ID: ids[i], Name: brand.name, Domain: brand.domain, Website: "https://www." + brand.domain,
		}
		if i > 0 && percent(t, 8) {
			list[i].Name = list[0].Name
		}
		// A world in which no product has a team has little to tell: keep it rare.
		teamless := 25
		if i == 0 {
			teamless = 4
		}
		if !percent(t, teamless) {
			list[i].Team = pick(t, teams).ID
			list[i].Labels = labels(t, i)
		}
	}
	number := 0
	for i := range list {
		for j := range list {
			if i != j && percent(t, 60) {
				list[i].Competitors = append(list[i].Competitors, list[j].ID)
			}
		}
		list[i].Websites = websites(t, list[i].Domain, &number)
	}
	addPrompts(t, list)
	return list
}

// labels may have the ids of another product's labels, with other names.
func labels(t *rapid.T, product int) (list []oracle.Label) {
	for _, id := range some(t, []int64{1, 2, 40}, 0) {
		list = append(list, oracle.Label{ID: id, Name: fmt.Sprintf("label %d of %d", id, product)})
	}
	return list
}

// websites may be none. A marketplace can be a partner of several products.
func websites(t *rapid.T, domain string, number *int) (list []oracle.Website) {
	if percent(t, 12) {
		return nil
	}
	for _, d := range some(t, []string{domain, "docs." + domain, "old." + domain, "shop.example"}, 1) {
		*number++
		list = append(list, oracle.Website{
			ID: fmt.Sprintf(pick(t, websiteIDs), *number), Domain: d,
			Partner: percent(t, 30), Untracked: percent(t, 20),
		})
	}
	return list
}

// addPrompts puts up to eight prompts on products that have a team. A text
// occurs once per product and domain, so that the order of rows is settled.
func addPrompts(t *rapid.T, list []oracle.Product) {
	var owners []*oracle.Product
	for i := range list {
		if list[i].Team != "" {
			owners = append(owners, &list[i])
		}
	}
	if len(owners) == 0 {
		return
	}
	taken := map[string]bool{}
	for i := range upTo(t, 9) {
		p := pick(t, owners)
		q := prompt(t, *p, int64(11+i))
		if key := fmt.Sprint(p.ID, q.Domain, q.Text); !taken[key] {
			taken[key] = true
			p.Prompts = append(p.Prompts, q)
		}
	}
}

func prompt(t *rapid.T, p oracle.Product, id int64) oracle.Prompt {
	q := oracle.Prompt{ID: id, Text: pick(t, texts), Domain: p.Domain, Platforms: some(t, platforms, 1)}
	if len(p.Websites) > 0 && percent(t, 35) {
		q.Domain = pick(t, p.Websites).Domain
	}
	for _, l := range p.Labels {
		if percent(t, 50) {
			q.Labels = append(q.Labels, l.ID)
		}
	}
	return q
}

func upper(s string) string { return strings.ToUpper(s) }
