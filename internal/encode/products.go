package encode

import (
	"encoding/binary"
	"slices"

	"github.com/sightline-hq/sightline/api"
)

// products are those that were written lately, and how: the same few dozen stand
// beside every page, and make nearly all of the text.
type products [1024]struct {
	product api.CitationProduct
	text    []byte // with a comma behind it
	share   int    // in whose gist it is
}

// Kinds of lists in a gist.
const (
	listNil = iota
	listEmpty
	listSame // as that of the row before
	listLong // plus the number of products
)

// writeProducts writes a field with the products of a citation; before are those
// of the row before.
func (p *pen) writeProducts(name string, before, list []api.CitationProduct) {
	p.text = append(p.text, name...)
	switch {
	case list == nil:
		p.text, p.gist = append(p.text, "null"...), append(p.gist, listNil)
	case len(list) == 0:
		p.text, p.gist = append(p.text, "[]"...), append(p.gist, listEmpty)
	case sameList(before, list):
		from := len(p.text)
		p.text = append(p.text, p.text[p.list.from:p.list.to]...)
		p.list.from, p.list.to = from, len(p.text)
		p.gist = append(p.gist, listSame)
	default:
		p.list.from = len(p.text)
		p.gist = binary.AppendUvarint(p.gist, listLong+uint64(len(list)))
		p.end('[')
		if p.products == nil {
			p.products = new(products)
		}
		for i := range list {
			p.writeProduct(&list[i])
		}
		p.text[len(p.text)-1] = ']'
		p.list.to = len(p.text)
	}
}

// sameList says whether lists are equal. Most that are, are one and the same.
func sameList(a, b []api.CitationProduct) bool {
	return len(a) == len(b) && (&a[0] == &b[0] || slices.Equal(a, b))
}

// writeProduct writes a product of a list, with a comma behind it. In the gist it
// is its place among the products, which follows from its name, once it was there.
func (p *pen) writeProduct(product *api.CitationProduct) {
	place := placeOf(product.Name)
	known := &p.products[place]
	if known.text == nil || known.product != *product {
		text := appendText(append(known.text[:0], `{"name":`...), product.Name)
		text = appendText(append(text, `,"domain":`...), product.Domain)
		known.product, known.text, known.share = *product, append(text, "},"...), 0
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
