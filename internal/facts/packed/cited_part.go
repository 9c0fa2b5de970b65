package packed

import (
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// partCount is what is counted in one part, by its own numbers.
type partCount struct {
	sources
	products  int
	words     int        // of the bits of a page
	cited     []uint32   // citations of each domain
	mentions  []uint32   // of each domain and product; small, to fit into the processor's cache
	pages     []uint32   // citations of each page, if they are asked for
	mentioned facts.Bits // of each page
	places    []int      // of the products that an answer mentions
	bits      facts.Bits // the same
}

func newPartCount(products int) *partCount {
	return &partCount{products: products, words: len(facts.NewBits(products))}
}

// reset makes it ready for the sources that were read. What reports keep is new.
func (n *partCount) reset(pages bool) {
	n.cited, n.mentions = zeros(n.cited, len(n.domains)), zeros(n.mentions, len(n.domains)*n.products)
	n.bits = make(facts.Bits, n.words)
	if pages {
		n.pages = zeros(n.pages, len(n.domainOf))
		n.mentioned = make(facts.Bits, n.words*len(n.domainOf))
	}
}

// zeros uses the room of a slice again.
func zeros(all []uint32, n int) []uint32 {
	all = slices.Grow(all[:0], n)[:n]
	clear(all)
	return all
}

// section counts the citations in the answers to a prompt.
func (n *partCount) section(h *head, s sectionHead, text, citations []byte, week, first, last int64) error {
	r, cited := cursor{text: text}, cursor{text: citations}
	for range s.answers {
		platform, second, m := r.number(), week+int64(r.number()), r.number()
		given, m := m&1 == 1, m>>1
		if r.bad || platform >= uint64(len(h.platforms)) {
			return errDamaged
		}
		pages := cited.number()
		if second < first || second > last || !h.wanted[platform] || pages == 0 {
			r.skip(m, given)
			cited.skip(pages, false)
			continue
		}
		if !n.mention(&r, h.places, m, given) || !n.cite(&cited, pages) {
			return errDamaged
		}
	}
	if r.bad || cited.bad {
		return errDamaged
	}
	return nil
}

// mention reads which products an answer mentions.
func (n *partCount) mention(r *cursor, places []int, m uint64, given bool) bool {
	n.places = n.places[:0]
	clear(n.bits)
	i := uint64(0)
	if !given && m <= uint64(len(r.text)-r.at) { // most have products of one byte, and nothing else
		for _, product := range r.text[r.at : r.at+int(m)] {
			if product >= 0x80 || int(product) >= len(places) {
				break
			}
			i++
			n.mentionOf(places[product])
		}
		r.at += int(i)
	}
	for ; i < m; i++ {
		product := r.number()
		if given {
			r.number()
		}
		if r.bad || product >= uint64(len(places)) {
			return false
		}
		n.mentionOf(places[product])
	}
	return true
}

func (n *partCount) mentionOf(place int) {
	if place != nowhere {
		n.places = append(n.places, place)
		n.bits[place>>6] |= 1 << (place & 63)
	}
}

// cite counts the citations of an answer.
func (n *partCount) cite(cited *cursor, pages uint64) bool {
	for range pages {
		page := cited.number()
		if cited.bad || page >= uint64(len(n.domainOf)) {
			return false
		}
		domain := int(n.domainOf[page])
		n.cited[domain]++
		if n.mentioned != nil {
			n.citePage(int(page))
		}
		row := n.mentions[domain*n.products : (domain+1)*n.products]
		for _, place := range n.places {
			row[place]++
		}
	}
	return true
}

func (n *partCount) citePage(page int) {
	n.pages[page]++
	of := n.mentioned[page*n.words:]
	for i, word := range n.bits {
		of[i] |= word
	}
}
