package report

import (
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/facts"
)

// lists makes the lists of products that belong to citations. There may be a
// million products in them: equal lists are often one, and others share memory.
type lists struct {
	*citations
	places facts.Bits // of the products of the next list
	known  [256]struct {
		places facts.Bits
		list   []api.CitationProduct
	}
	room []api.CitationProduct
}

// listRoom is for how many products room is made at once.
const listRoom = 1024

func (c *citations) newLists() *lists { return &lists{citations: c} }

// begin begins the next list with the products at some places.
func (l *lists) begin(places facts.Bits) { l.places = append(l.places[:0], places...) }

// associated lists the products by name and domain. Nobody may change the list.
func (l *lists) associated() []api.CitationProduct {
	var sum uint64
	for _, word := range l.places {
		sum = (sum ^ word) * 0x9e3779b97f4a7c15
	}
	k := &l.known[sum>>56]
	if k.list == nil || !slices.Equal(k.places, l.places) {
		k.places, k.list = append(k.places[:0], l.places...), l.list()
	}
	return k.list
}

func (l *lists) list() []api.CitationProduct {
	if n := int(l.places.Count()); cap(l.room)-len(l.room) < n || l.room == nil {
		l.room = make([]api.CitationProduct, 0, max(n, listRoom))
	}
	from := len(l.room)
	for _, p := range l.products {
		if l.places.Has(p.place) {
			l.room = append(l.room, api.CitationProduct{Name: p.Name, Domain: p.Domain})
		}
	}
	return l.room[from:len(l.room):len(l.room)]
}
