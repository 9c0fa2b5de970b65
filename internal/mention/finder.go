package mention

import (
	"cmp"
	"slices"
	"strings"
)

// Product is what the finder knows of a product.
type Product struct {
	ID     int64
	Names  []string // the name and further names
	Domain string   // bare, such as acme.com
}

// Mention is a product that a text mentions.
type Mention struct {
	ProductID int64
	Position  int // 1: mentioned first
}

// Finder finds the products of one comparison in texts. It is built once, never
// changes, and may be used by many goroutines. Its cost per text does not
// depend on the number of products.
type Finder struct {
	ids     []int64 // ascending
	names   *trie
	domains map[string][]int // indexes into ids
}

// NewFinder builds a finder. Names that consist of nothing but markup, or
// that are URLs, are never found.
func NewFinder(products []Product) *Finder {
	f := &Finder{names: newTrie(), domains: make(map[string][]int)}
	for _, p := range products {
		f.ids = append(f.ids, p.ID)
	}
	slices.Sort(f.ids)
	f.ids = slices.Compact(f.ids)
	for _, p := range products {
		i, _ := slices.BinarySearch(f.ids, p.ID)
		for _, name := range p.Names {
			f.names.add(nameSymbols(name), i)
		}
		if d := normalizeDomain(p.Domain); d != "" {
			f.domains[d] = insert(f.domains[d], i)
			if !ascii(d) {
				f.names.add(nameSymbols(d), i)
			}
		}
	}
	return f
}

// nameSymbols returns a name as it looks in a text, or nothing.
func nameSymbols(name string) []symbol {
	list := read(strings.TrimSpace(name)).list
	if n := len(list); n > 0 && list[n-1].r == ' ' {
		list = list[:n-1]
	}
	for _, s := range list {
		if s.r == address {
			return nil
		}
	}
	return list
}

// insert adds a product to an ascending list of distinct products.
func insert(list []int, i int) []int {
	at, found := slices.BinarySearch(list, i)
	if found {
		return list
	}
	return slices.Insert(list, at, i)
}

func union(a, b []int) []int {
	a = slices.Clone(a)
	for _, i := range b {
		a = insert(a, i)
	}
	return a
}

// Find returns the products that a text mentions, in the order of their first
// mention, each once.
func (f *Finder) Find(text string) []Mention {
	s := read(text)
	hits := f.hits(s)
	if overlapping(hits) {
		hits = longestFirst(hits, len(s.list))
	}
	var mentions []Mention
	seen := make([]bool, len(f.ids))
	for _, h := range hits {
		for _, i := range h.products {
			if !seen[i] {
				seen[i] = true
				mentions = append(mentions, Mention{f.ids[i], len(mentions) + 1})
			}
		}
	}
	return mentions
}

// hit is a name or domain at symbols [start, end).
type hit struct {
	start, end int
	products   []int // ascending
}

// hits returns all names and domains in a text, also those inside others, by
// their start.
func (f *Finder) hits(s *symbols) (hits []hit) {
	for _, site := range s.sites {
		if products := f.owners(site.host); products != nil {
			hits = append(hits, hit{site.start, site.end, products})
		}
	}
	for i := range s.list {
		if s.list[i].border {
			hits = f.names.walk(s, i, hits)
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	return hits
}

// owners returns the products of the longest domain that a host belongs to.
func (f *Finder) owners(host string) []int {
	for {
		if products := f.domains[host]; products != nil {
			return products
		}
		_, parent, ok := strings.Cut(host, ".")
		if !ok {
			return nil
		}
		host = parent
	}
}

func overlapping(hits []hit) bool {
	for i := 1; i < len(hits); i++ {
		if hits[i].start < hits[i-1].end {
			return true
		}
	}
	return false
}

// longestFirst keeps the longest hits and drops those that overlap a longer one,
// or one of the same length before it. Hits at the very same place become one.
func longestFirst(hits []hit, symbols int) (kept []hit) {
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.end-b.start, a.end-a.start), cmp.Compare(a.start, b.start))
	})
	taken := make([]bool, symbols)
	for _, h := range hits {
		if n := len(kept); n > 0 && kept[n-1].start == h.start && kept[n-1].end == h.end {
			kept[n-1].products = union(kept[n-1].products, h.products)
			continue
		}
		if taken[h.start] || taken[h.end-1] {
			continue
		}
		kept = append(kept, h)
		for i := h.start; i < h.end; i++ {
			taken[i] = true
		}
	}
	slices.SortStableFunc(kept, func(a, b hit) int { return cmp.Compare(a.start, b.start) })
	return kept
}
