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
	cited     []int64    // citations of each domain
	mentions  []int64    // of each domain and product
	pages     []int64    // citations of each page, if they are asked for
	mentioned facts.Bits // of each page
	places    []int      // of the products that an answer mentions
	bits      facts.Bits // the same
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
func zeros(all []int64, n int) []int64 {
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
	for range m {
		product := r.number()
		if given {
			r.number()
		}
		if r.bad || product >= uint64(len(places)) {
			return false
		}
		if place := places[product]; place != nowhere {
			n.places = append(n.places, place)
			n.bits.Add(place)
		}
	}
	return true
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
			n.pages[page]++
			of := n.mentioned[int(page)*n.words:]
			for i, word := range n.bits {
				of[i] |= word
			}
		}
		row := n.mentions[domain*n.products:]
		for _, place := range n.places {
			row[place]++
		}
	}
	return true
}
