package demo

import (
	_ "embed"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// page is a page that answers cite.
type page struct {
	url    string
	owner  int64 // product whose page it is, or 0
	weight float64
	key    int64
}

//go:embed pages.txt
var pagesTable string

// pagesFor returns the pages that answers about a product may cite.
func pagesFor(product int64) (pages []page) {
	for line := range strings.Lines(pagesTable) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" || !slices.Contains(strings.Split(f[0], ","), strconv.FormatInt(product, 10)) {
			continue
		}
		owner, _ := strconv.ParseInt(f[1], 10, 64)
		weight, _ := strconv.ParseFloat(f[2], 64)
		pages = append(pages, page{url: f[3], owner: owner, weight: weight, key: key(f[3])})
	}
	return pages
}

// Shares of citations.
const tagged = 0.25 // of ChatGPT's, which marks its links

// cite picks two to six pages. A product's own pages are cited mostly by answers
// that mention it; a written answer cites no others, since a link to a product's
// domain would mention it.
func cite(pages []page, mentions []int64, platform string, written bool, r *rand.Rand) (urls []string) {
	on := key(platform)
	weights := make([]float64, len(pages))
	total := 0.0
	for i, p := range pages {
		weight := p.weight * (1 + 0.7*swing(on, p.key))
		switch {
		case p.owner == 0:
		case slices.Contains(mentions, p.owner):
			weight *= 1.6
		case written:
			weight = 0
		default:
			weight *= 0.2
		}
		weights[i] = weight
		total += weight
	}
	for range 2 + r.IntN(5) {
		at, rest := 0, r.Float64()*total
		for i, weight := range weights {
			if weight > 0 {
				at = i
				if rest -= weight; rest < 0 {
					break
				}
			}
		}
		total -= weights[at]
		weights[at] = 0
		url := pages[at].url
		if platform == "openai" && r.Float64() < tagged {
			url += "?utm_source=chatgpt.com"
		}
		urls = append(urls, url)
	}
	return urls
}
