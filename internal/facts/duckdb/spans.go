package duckdb

import (
	"cmp"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// span is a run of weeks that one new file covers, with the files it replaces.
type span struct {
	firstWeek, lastWeek int64
	olds                []file // by week; they do not overlap
}

// Merging says which weeks are put together into one file. Each file that a
// report touches costs it a little, so a year should be a handful; but a late
// event rewrites its whole file, so weeks are left alone while events still
// come.
type Merging struct {
	Weeks int64 // that go together at most, counted from the first Monday of Unix time
	Rest  int64 // weeks that must have passed since the last of them
	Bytes int64 // of files that together are too large to be rewritten
}

// DefaultMerging makes files of a quarter, about a month after it has ended.
var DefaultMerging = Merging{Weeks: 13, Rest: 4, Bytes: 4 << 30}

// group is the number of the run of weeks that a week belongs to.
func (m Merging) group(week int64) int64 {
	return (week + 3*facts.DaySeconds) / facts.WeekSeconds / m.Weeks
}

// rests says whether a group has come to rest when the newest week is this one.
func (m Merging) rests(group, newest int64) bool {
	end := (group+1)*m.Weeks*facts.WeekSeconds - 3*facts.DaySeconds // of its last week
	return end+m.Rest*facts.WeekSeconds <= newest
}

// unit is a file, or a week that has none yet.
type unit struct {
	span
	touched bool
}

// spans plans the files of a publish: the touched units, each on its own while
// its weeks are young, and all units of a group that has come to rest together.
func (m Merging) spans(units []unit, newest int64) (spans []span) {
	slices.SortFunc(units, func(a, b unit) int { return cmp.Compare(a.firstWeek, b.firstWeek) })
	for len(units) > 0 {
		group, n := m.group(units[0].firstWeek), 1
		for n < len(units) && m.group(units[n].firstWeek) == group {
			n++
		}
		if m.rests(group, newest) && m.mergeable(units[:n]) {
			spans = append(spans, merged(units[:n]))
		} else {
			for _, u := range units[:n] {
				if u.touched {
					spans = append(spans, u.span)
				}
			}
		}
		units = units[n:]
	}
	return spans
}

// mergeable says whether there is something to merge, and not too much.
func (m Merging) mergeable(units []unit) bool {
	var bytes int64
	for _, u := range units {
		for _, f := range u.olds {
			bytes += f.bytes
		}
	}
	return len(units) > 1 && bytes <= m.Bytes
}

func merged(units []unit) span {
	all := span{firstWeek: units[0].firstWeek}
	for _, u := range units {
		all.lastWeek = u.lastWeek
		all.olds = append(all.olds, u.olds...)
	}
	return all
}

// mondays lists the weeks of a span.
func (sp span) mondays() (all []int64) {
	for week := sp.firstWeek; week <= sp.lastWeek; week += facts.WeekSeconds {
		all = append(all, week)
	}
	return all
}

// oldOf finds the file that a week is in now, if there is one.
func (sp span) oldOf(week int64) (i int, ok bool) {
	i = slices.IndexFunc(sp.olds, func(f file) bool { return f.firstWeek <= week && week <= f.lastWeek })
	return i, i >= 0
}

// outdated says whether what was counted of a week is in an old file, but not as
// it is counted now.
func (sp span) outdated(week int64) bool {
	i, ok := sp.oldOf(week)
	return ok && sp.olds[i].tables < tablesNow
}
