package catalog

import (
	"cmp"
	"slices"
)

// Product is something that AI answers mention. It, and all that hangs on it,
// belongs to a Snapshot and must not be changed.
type Product struct {
	ID          int64
	TeamID      string // "" if it is known only as a competitor
	Name        string
	Names       []string // further names to find in answers
	Website     string   // a URL
	Domain      string   // bare
	Competitors []*Product
	Websites    []*Website // by id
	Labels      []*Label   // by id
	Prompts     []*Prompt  // by text, then id
}

// Comparison returns the products that this one is compared with in answers:
// itself and its competitors, by id.
func (p *Product) Comparison() []*Product {
	all := append([]*Product{p}, p.Competitors...)
	slices.SortFunc(all, func(a, b *Product) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(all)
}

// Website is a site whose traffic is loaded.
type Website struct {
	ID      string
	Domain  string // bare
	Partner bool   // listed as a partner website of the product
	Tracked bool   // part of agent analytics
	Product *Product
}

// Label groups prompts of one product; its id means nothing outside of it.
type Label struct {
	ID   int64
	Name string
}

// Prompt is a question that AI platforms are asked again and again.
type Prompt struct {
	ID        int64
	Text      string
	Domain    string   // bare
	Platforms []string // sorted, distinct
	Labels    []*Label // by id
	Product   *Product
}
