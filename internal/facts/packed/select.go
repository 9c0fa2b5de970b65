package packed

import (
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// chosen is a query, made ready for finding things in it.
type chosen struct {
	facts.AnswerQuery
	own    int // place of the product among the products
	places map[int64]int
}

func choose(q facts.AnswerQuery) chosen {
	c := chosen{AnswerQuery: q, own: slices.Index(q.Products, q.ProductID), places: make(map[int64]int, len(q.Products))}
	for i, id := range q.Products {
		c.places[id] = i
	}
	return c
}

func (c *chosen) wantsPrompt(id int64) bool {
	_, ok := slices.BinarySearch(c.PromptIDs, id)
	return ok
}

func (c *chosen) wantsPlatform(name string) bool {
	return len(c.Platforms) == 0 || slices.Contains(c.Platforms, name)
}

// nowhere is the place of what the query is not about.
const nowhere = -1

// where finds the places of a part's products among the query's.
func (c *chosen) where(products []int64) []int {
	places := make([]int, len(products))
	for i, id := range products {
		places[i] = nowhere
		if place, ok := c.places[id]; ok {
			places[i] = place
		}
	}
	return places
}

// head is what stands before the answers of a part.
type head struct {
	platforms []string
	wanted    []bool // platforms
	products  []int64
	places    []int // of the products among the query's
	sections  []sectionHead
	body      []byte
}

type sectionHead struct {
	prompt, answers, bytes, citationBytes int
}

// readHead reads the head of a part's mentions, and makes sure that its
// sections are within it.
func (c *chosen) readHead(mentions []byte) (head, error) {
	r := cursor{text: mentions}
	h := head{platforms: r.texts(), products: r.numbers()}
	h.sections = make([]sectionHead, r.count())
	total := 0
	for i := range h.sections {
		s := &h.sections[i]
		s.prompt, s.answers, s.bytes, s.citationBytes = int(r.number()), int(r.number()), int(r.number()), int(r.number())
		if s.answers < 0 || s.bytes < 0 || s.citationBytes < 0 || s.bytes > len(mentions) {
			return h, errDamaged
		}
		total += s.bytes
	}
	if r.bad || total != len(mentions)-r.at {
		return h, errDamaged
	}
	h.body = mentions[r.at:]
	h.places = c.where(h.products)
	for _, name := range h.platforms {
		h.wanted = append(h.wanted, c.wantsPlatform(name))
	}
	return h, nil
}
