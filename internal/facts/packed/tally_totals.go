package packed

import "github.com/sightline-hq/sightline/internal/facts"

// Totals counts the whole days of a week that lie between two seconds. It
// counts nothing, and says so, if the query is about some of the prompts of a
// kind, and not about others. It says too whether it is about any.
func (t *Tallies) Totals(text []byte, first, last int64) (wanted, counted bool, err error) {
	r, err := t.readTotals(text)
	if err != nil || !r.some || !r.whole {
		return r.some, false, err
	}
	for range r.count() {
		kind, start, platform := r.number(), int64(r.number())*facts.DaySeconds, r.number()
		answers, positions, products := int64(r.number()), int64(r.number()), r.count()
		if r.bad || platform >= uint64(len(r.platforms)) || kind >= uint64(len(r.wanted)) {
			return true, false, errDamaged
		}
		var of *facts.Tally
		if r.wanted[kind] && first <= start && start+facts.DaySeconds-1 <= last && t.wantsPlatform(r.platforms[platform]) {
			key := start
			if t.by == facts.Together {
				key = 0
			}
			of = t.group(key, r.platforms[platform])
			of.Answers += answers
			of.Positions += positions
		}
		for range products {
			product, n := r.number(), int64(r.number())
			if product >= uint64(len(r.places)) {
				return true, false, errDamaged
			}
			if place := r.places[product]; of != nil && place != nowhere {
				of.Mentions[place] += n
			}
		}
	}
	return true, true, r.err()
}
