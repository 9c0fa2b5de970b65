// Package world makes workspaces and data for servers under stress: several
// teams whose names, domains, paths and ids are marked, so that an answer that
// shows what belongs to another team gives itself away, and events whose sums
// are known beforehand.
package world

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// World is a workspace.
type World struct {
	Teams []*Team
}

// Team owns products. All that is its own carries its marks.
type Team struct {
	ID string
	// Marks are texts that only answers to those who may see this team contain.
	Marks    []string
	Reach    []*Team // it and the teams that it manages
	Products []*Product

	word  string // in names, domains and paths
	first int64  // its ids follow this one
}

// Product is tracked, and has two prompts for each of its domains.
type Product struct {
	ID       int64
	Domains  []string
	Websites []string
	Labels   []int64
	Prompts  []int64
	Paths    []string
	Rivals   []int64
	team     *Team
}

const (
	teams    = 4
	products = 2 // of a team
)

// Shared is a domain that everybody cites. It is a website of one team, which
// no other team's answers may tell.
const Shared = "shared.example"

// common is a further name of that team's product, which all texts mention.
const common = "Commonplace"

// New makes the world of a seed. The last team manages the first two.
func New(seed uint64) *World {
	random := rand.New(rand.NewPCG(seed, 1))
	w := &World{}
	for i := range teams {
		t := &Team{ID: fmt.Sprintf("team-%d", i), word: word(random), first: (100_000_000 + random.Int64N(900_000_000)) * 1000}
		t.Marks = []string{t.word, fmt.Sprint(t.first / 1000)}
		t.Reach = []*Team{t}
		for n := range products {
			t.Products = append(t.Products, t.product(int64(n)))
		}
		w.Teams = append(w.Teams, t)
	}
	agency := w.Teams[teams-1]
	agency.Reach = append(agency.Reach, w.Teams[0], w.Teams[1])
	return w
}

// word makes a word that occurs nowhere else.
func word(random *rand.Rand) string {
	const letters = "bcdfghjklmnpqrstvwxz"
	text := make([]byte, 10)
	for i := range text {
		text[i] = letters[random.IntN(len(letters))]
	}
	return string(text)
}

func (t *Team) product(n int64) *Product {
	first := t.first + n*100
	p := &Product{ID: first, team: t}
	for i := range int64(2) {
		p.Domains = append(p.Domains, fmt.Sprintf("%s%d%d.example", t.word, n, i))
		p.Websites = append(p.Websites, fmt.Sprintf("w-%s-%d-%d", t.word, n, i))
		p.Labels = append(p.Labels, first+10+i)
		p.Prompts = append(p.Prompts, first+20+2*i, first+21+2*i)
		p.Rivals = append(p.Rivals, first+30+i)
	}
	for i := range 12 {
		p.Paths = append(p.Paths, fmt.Sprintf("/%s/section-%d/page-%d", t.word, i%3, i))
	}
	return p
}

// MayNotSee are the marks that an answer to a team's key must not contain. A
// nil team has no key.
func (w *World) MayNotSee(team *Team) (marks []string) {
	for _, t := range w.Teams {
		if !team.sees(t) {
			marks = append(marks, t.Marks...)
		}
	}
	return marks
}

func (t *Team) sees(other *Team) bool {
	if t == nil {
		return false
	}
	for _, r := range t.Reach {
		if r == other {
			return true
		}
	}
	return false
}

// Reachable are the products of a team and of those that it manages.
func (t *Team) Reachable() (all []*Product) {
	for _, r := range t.Reach {
		all = append(all, r.Products...)
	}
	return all
}

// Foreign are the products that a team does not reach.
func (w *World) Foreign(team *Team) (all []*Product) {
	for _, t := range w.Teams {
		if !team.sees(t) {
			all = append(all, t.Products...)
		}
	}
	return all
}

// Workspace is the file to apply. Another edition differs in a team that has
// nothing: applying it changes the catalog, but no report.
func (w *World) Workspace(edition int) []byte {
	var b strings.Builder
	b.WriteString("teams:\n")
	for i, t := range w.Teams {
		fmt.Fprintf(&b, "  - {id: %s, name: Team %s", t.ID, t.word)
		if i == teams-1 {
			fmt.Fprintf(&b, ", manages: [%s, %s]", w.Teams[0].ID, w.Teams[1].ID)
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "  - {id: bystander, name: Edition %d}\nproducts:\n", edition)
	for i, t := range w.Teams {
		for n, p := range t.Products {
			p.describe(&b, n, i == 1 && n == 0)
		}
	}
	return []byte(b.String())
}

func (p *Product) describe(b *strings.Builder, n int, shares bool) {
	word := p.team.word
	fmt.Fprintf(b, "  - id: %d\n    team: %s\n    name: Kiln %s %d\n    website: https://www.%s\n    domain: %s\n", p.ID, p.team.ID, word, n, p.Domains[0], p.Domains[0])
	if shares {
		fmt.Fprintf(b, "    names: [%s]\n", common)
	}
	fmt.Fprintf(b, "    competitors: [%d, %d]\n    websites:\n", p.Rivals[0], p.Rivals[1])
	for i, id := range p.Websites {
		fmt.Fprintf(b, "      - {websiteId: %s, domain: %s}\n", id, p.Domains[i])
	}
	if shares {
		fmt.Fprintf(b, "      - {websiteId: w-%s-partner, domain: %s, partner: true, tracked: false}\n", word, Shared)
	}
	b.WriteString("    labels:\n")
	for i, id := range p.Labels {
		fmt.Fprintf(b, "      - {id: %d, name: label %s %d}\n", id, word, i)
	}
	b.WriteString("    prompts:\n")
	for i, id := range p.Prompts {
		fmt.Fprintf(b, "      - {id: %d, text: best %s tool %d, domain: %s, platforms: [openai, perplexity], labels: [%d]}\n", id, word, i, p.Domains[i/2], p.Labels[i%2])
	}
	for i, id := range p.Rivals {
		fmt.Fprintf(b, "  - {id: %d, name: Rival %s %d, website: 'https://rival%d-%s%d.example', domain: rival%d-%s%d.example}\n", id, word, id, i, word, n, i, word, n)
	}
}
