package data

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Page is a page of a website, as it is asked for and as it is reported.
type Page struct{ Path, Normalized, Directory string }

const pageCount = 20_000

// pages are those that every website has; some have several spellings.
type pages struct {
	root             [2]*Page
	articles, models []*Page
	slashed          []*Page
}

func newPages() *pages {
	p := &pages{root: [2]*Page{{"/", "/", "/"}, {"/index.html", "/", "/"}}}
	for i := range pageCount {
		directory := fmt.Sprintf("/blog/%d", i%12)
		article := fmt.Sprintf("%s/how-to-build-a-rocket-%d", directory, i)
		p.articles = append(p.articles, &Page{article, article, directory})
		p.slashed = append(p.slashed, &Page{article + "/", article, directory})
		model := fmt.Sprintf("/products/rockets/model-%d", i)
		p.models = append(p.models, &Page{model, model, "/products/rockets"})
	}
	return p
}

// pick takes a page: a few of them get most of the visits.
func (p *pages) pick(random *rand.Rand) *Page {
	n := random.IntN(100)
	if n < 8 {
		return p.root[n/6]
	}
	i := skewed(random, pageCount)
	switch {
	case n < 20:
		return p.slashed[i]
	case n < 65:
		return p.articles[i]
	}
	return p.models[i]
}

// skewed is a number below n; each power of ten is as likely as the next.
func skewed(random *rand.Rand, n int) int {
	return min(n, int(math.Exp(random.Float64()*math.Log(float64(n+1))))) - 1
}
