package packed

import (
	"maps"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Tallies counts mentions, group by group.
type Tallies struct {
	chosen
	by     facts.Grouping
	groups map[facts.Group]*facts.Tally
	slab   []int64 // room for the mentions of the next groups
}

// NewTallies counts for a query.
func NewTallies(q facts.AnswerQuery, by facts.Grouping) *Tallies {
	return &Tallies{chosen: choose(q), by: by, groups: make(map[facts.Group]*facts.Tally)}
}

// All returns what was counted.
func (t *Tallies) All() []*facts.Tally { return slices.Collect(maps.Values(t.groups)) }

// Add adds what another one counted for the same query.
func (t *Tallies) Add(other *Tallies) {
	for g, from := range other.groups {
		of := t.groups[g]
		if of == nil {
			t.groups[g] = from
			continue
		}
		of.Answers += from.Answers
		of.Positions += from.Positions
		for i, n := range from.Mentions {
			of.Mentions[i] += n
		}
	}
}

const slabGroups = 256

// group finds or makes a group.
func (t *Tallies) group(key int64, platform string) *facts.Tally {
	switch t.by {
	case facts.Together:
		key, platform = 0, ""
	case facts.ByDayAndPlatform:
		key -= key % facts.DaySeconds
	}
	g := facts.Group{Key: key, Platform: platform}
	of := t.groups[g]
	if of == nil {
		width := len(t.Products)
		if len(t.slab) < width {
			t.slab = make([]int64, width*slabGroups)
		}
		of = &facts.Tally{Group: g, Mentions: t.slab[:width:width]}
		t.slab = t.slab[width:]
		t.groups[g] = of
	}
	return of
}

// Answers counts the answers of a part that lie between two seconds.
func (t *Tallies) Answers(week int64, mentions []byte, first, last int64) error {
	h, err := t.readHead(mentions)
	if err != nil {
		return err
	}
	body := h.body
	for _, s := range h.sections {
		if t.wantsPrompt(int64(s.prompt)) {
			if err := t.section(&h, body[:s.bytes], s, week, first, last); err != nil {
				return err
			}
		}
		body = body[s.bytes:]
	}
	return nil
}

// section counts the answers to a prompt. Neighbours mostly share a platform,
// and so the group.
func (t *Tallies) section(h *head, text []byte, s sectionHead, week, first, last int64) error {
	r := cursor{text: text}
	var of *facts.Tally
	ofPlatform, ofDay := uint64(0), int64(0)
	for range s.answers {
		platform, second, n := r.number(), week+int64(r.number()), r.number()
		given, n := n&1 == 1, n>>1
		if r.bad || platform >= uint64(len(h.platforms)) {
			return errDamaged
		}
		if second < first || second > last || !h.wanted[platform] {
			of = nil
			r.skip(n, given)
			continue
		}
		if day := second / facts.DaySeconds; of == nil || platform != ofPlatform || (day != ofDay && t.by == facts.ByDayAndPlatform) {
			key := second
			if t.by == facts.ByPromptAndPlatform {
				key = int64(s.prompt)
			}
			of, ofPlatform, ofDay = t.group(key, h.platforms[platform]), platform, day
		}
		of.Answers++
		for i := range n {
			product, position := r.number(), int64(i+1)
			if given {
				position = int64(r.number())
			}
			if r.bad || product >= uint64(len(h.places)) {
				return errDamaged
			}
			place := h.places[product]
			if place == nowhere {
				continue
			}
			of.Mentions[place]++
			if place == t.own {
				of.Positions += position
			}
		}
	}
	return r.err()
}

// skip passes over the mentions of an answer.
func (c *cursor) skip(mentions uint64, given bool) {
	if given {
		mentions *= 2
	}
	for i := uint64(0); i < mentions && !c.bad; i++ {
		c.number()
	}
}
