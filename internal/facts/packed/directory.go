package packed

import "slices"

// Directory says which kinds there are in a week.
type Directory struct {
	SourceBytes int // of the domains and URLs
	Kinds       []Kind
}

// Kind is what a directory says of a kind.
type Kind struct {
	Number int64
	Bytes  int // of the mentions and citations
	Totals []byte
}

// ReadDirectory reads a directory, but not the totals in it.
func ReadDirectory(text []byte) (d Directory, err error) {
	r := cursor{text: text}
	d.SourceBytes = int(r.number())
	d.Kinds = make([]Kind, r.count())
	for i := range d.Kinds {
		k := &d.Kinds[i]
		k.Number, k.Bytes, k.Totals = int64(r.number()), int(r.number()), r.bytes()
		r.bad = r.bad || k.Bytes < 0
	}
	if r.bad || r.at != len(text) || d.SourceBytes < 0 || len(d.Kinds) > maxKinds {
		return Directory{}, errDamaged
	}
	return d, nil
}

// Wants says whether a query is about prompts that totals are of, and whether it
// is about all of them.
func (c *chosen) Wants(totals []byte) (some, all bool, err error) {
	h, err := c.readTotals(totals)
	return h.some, h.some && h.whole && !slices.Contains(h.wanted, false), err
}

// totalsHead is what stands before the sums.
type totalsHead struct {
	cursor
	platforms   []string
	places      []int  // of the products among the query's
	wanted      []bool // kinds that the query is about
	some, whole bool   // it is about any; about all prompts or none of each
}

func (c *chosen) readTotals(text []byte) (h totalsHead, err error) {
	h.cursor = cursor{text: text}
	h.platforms = h.texts()
	products := h.numbers()
	h.wanted, h.whole = make([]bool, h.count()), true
	for kind := range h.wanted {
		prompts, chosen := c.countPrompts(&h.cursor)
		h.wanted[kind] = chosen > 0
		h.some = h.some || chosen > 0
		h.whole = h.whole && (chosen == 0 || chosen == prompts)
	}
	if h.some && h.whole {
		h.places = c.where(products)
	}
	return h, h.err()
}

// countPrompts reads the prompts of a kind, which are in order like those of the query.
func (c *chosen) countPrompts(r *cursor) (all, chosen int) {
	rest, before := c.PromptIDs, int64(-1)
	all = r.count()
	for range all {
		id := int64(r.number())
		if id <= before {
			r.bad = true
		}
		before = id
		for len(rest) > 0 && rest[0] < id {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0] == id {
			chosen++
		}
	}
	return all, chosen
}
