package encode

import "github.com/sightline-hq/sightline/api"

// products are those that were written lately, and how: the same few dozen stand
// beside every page, and make nearly all of the text.
type products [1024]struct {
	product api.CitationProduct
	text    []byte
	share   int // in whose gist it is
}

// writeProduct writes a product of a list. In the gist it is its place among the
// products, which follows from its name, once it was there.
func (p *pen) writeProduct(product *api.CitationProduct) {
	if p.products == nil {
		p.products = new(products)
	}
	place := placeOf(product.Name)
	known := &p.products[place]
	if known.text == nil || known.product != *product {
		text := appendText(append(known.text[:0], `{"name":`...), product.Name)
		text = appendText(append(text, `,"domain":`...), product.Domain)
		known.product, known.text, known.share = *product, append(text, '}'), 0
	}
	p.text = append(p.text, known.text...)
	if known.share == p.share {
		p.gist = append(p.gist, byte(1+place>>8), byte(place))
		return
	}
	known.share = p.share
	p.gist = append(p.gist, 0)
	p.noteText(product.Name)
	p.noteText(product.Domain)
}

// placeOf is where a product is known. It must be the same on every server.
func placeOf(name string) int {
	const prime = 0x9e3779b97f4a7c15
	sum := uint64(len(name))
	for ; len(name) >= 8; name = name[8:] {
		sum = (sum ^ word(name)) * prime
		sum ^= sum >> 32
	}
	for i := range len(name) {
		sum = (sum ^ uint64(name[i])) * prime
	}
	return int(sum * prime >> (64 - 10))
}
