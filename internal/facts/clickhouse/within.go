package clickhouse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// among is the condition for rows of editions, one by one.
func among(editions []edition) string {
	if len(editions) == 0 {
		return "1 = 0"
	}
	var list strings.Builder
	for i, e := range editions {
		if i > 0 {
			list.WriteString(", ")
		}
		fmt.Fprintf(&list, "(%d, %d)", e.week, e.version)
	}
	return "(week, version) in (" + list.String() + ")"
}

// within is the condition for rows of the current editions of a kind that may
// have rows between two seconds: the same as among, but short where it can be,
// because servers look at the text of a statement again and again. It takes runs
// of versions of which it knows that all they have written in those weeks is
// current. Of a version that was not published it knows nothing: a load that died
// may have left rows.
func (s *state) within(kind facts.Kind, first, last int64) string {
	current := s.of(kind, first, last)
	if len(current) == 0 {
		return "1 = 0"
	}
	runs := s.runs(kind, current)
	return fmt.Sprintf("week between %d and %d and (%s)", runs.weeks[0], runs.weeks[1], runs)
}

// runs are editions, by ranges of their versions where that says the same.
type runs struct {
	weeks    [2]int64   // the first and the last
	versions [][2]int64 // likewise
	single   []edition  // of versions with others in these weeks that are replaced
}

// runs gathers current editions of a kind.
func (s *state) runs(kind facts.Kind, current []edition) (r runs) {
	r.weeks = [2]int64{current[0].week, current[0].week}
	for _, e := range current {
		r.weeks = [2]int64{min(r.weeks[0], e.week), max(r.weeks[1], e.week)}
	}
	breaks := slices.Clone(s.dead)
	gone := make(map[int64]bool)
	for _, e := range touching(s.replaced, kind, r.weeks[0], r.weeks[1]) {
		gone[e.version] = true
		breaks = append(breaks, e.version)
	}
	slices.Sort(breaks)
	var whole []int64
	for _, e := range current {
		if gone[e.version] {
			r.single = append(r.single, e)
		} else {
			whole = append(whole, e.version)
		}
	}
	slices.Sort(whole)
	for i, v := range slices.Compact(whole) {
		if i > 0 {
			last := &r.versions[len(r.versions)-1]
			if at, _ := slices.BinarySearch(breaks, last[1]); at == len(breaks) || breaks[at] > v {
				last[1] = v
				continue
			}
		}
		r.versions = append(r.versions, [2]int64{v, v})
	}
	return r
}

// String is the condition on versions.
func (r runs) String() string {
	var parts []string
	for _, v := range r.versions {
		if v[0] == v[1] {
			parts = append(parts, fmt.Sprintf("version = %d", v[0]))
		} else {
			parts = append(parts, fmt.Sprintf("version between %d and %d", v[0], v[1]))
		}
	}
	if len(r.single) > 0 {
		parts = append(parts, among(r.single))
	}
	return strings.Join(parts, " or ")
}
