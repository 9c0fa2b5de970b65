package packed

import (
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Totals counts the whole days of a week that lie between two seconds. It
// counts nothing, and says so, if the query is about some of the prompts of a
// kind, and not about others.
func (t *Tallies) Totals(text []byte, first, last int64) (counted bool, err error) {
	r := cursor{text: text}
	platforms := r.texts()
	places := t.where(r.numbers())
	wanted, whole := t.wantedKinds(&r)
	if r.bad || !whole {
		return false, r.err()
	}
	for range r.count() {
		kind, start, platform := r.number(), int64(r.number())*facts.DaySeconds, r.number()
		answers, positions, products := int64(r.number()), int64(r.number()), r.count()
		if r.bad || platform >= uint64(len(platforms)) || kind >= uint64(len(wanted)) {
			return false, errDamaged
		}
		var of *facts.Tally
		if wanted[kind] && first <= start && start+facts.DaySeconds-1 <= last && t.wantsPlatform(platforms[platform]) {
			key := start
			if t.by == facts.Together {
				key = 0
			}
			of = t.group(key, platforms[platform])
			of.Answers += answers
			of.Positions += positions
		}
		for range products {
			product, n := r.number(), int64(r.number())
			if product >= uint64(len(places)) {
				return false, errDamaged
			}
			if place := places[product]; of != nil && place != nowhere {
				of.Mentions[place] += n
			}
		}
	}
	return true, r.err()
}

// wantedKinds says of which kinds the query is about the prompts, and whether it
// is about all of them or none for each.
func (t *Tallies) wantedKinds(r *cursor) (wanted []bool, whole bool) {
	wanted, whole = make([]bool, r.count()), true
	for kind := range wanted {
		prompts, chosen, next := r.numbers(), 0, 0
		for _, id := range prompts { // mostly in order, as the query's are
			at, ok := next, next < len(t.PromptIDs) && t.PromptIDs[next] == id
			if !ok {
				at, ok = slices.BinarySearch(t.PromptIDs, id)
			}
			if ok {
				chosen++
				next = at + 1
			}
		}
		wanted[kind] = chosen > 0
		whole = whole && (chosen == 0 || chosen == len(prompts))
	}
	return wanted, whole
}
