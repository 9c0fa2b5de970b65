package duckdb

import "github.com/sightline-hq/sightline/internal/facts"

// weeks are the weeks of a window, and what of each is still to be read.
type weeks struct {
	facts.Stretch
	done map[int64][]facts.Stretch // what is left of weeks whose whole days are known
}

func newWeeks(first, last int64) *weeks {
	return &weeks{Stretch: facts.Stretch{First: first, Last: last}, done: make(map[int64][]facts.Stretch)}
}

// of is what is to be read of a week.
func (w *weeks) of(week int64) []facts.Stretch {
	if rest, ok := w.done[week]; ok {
		return rest
	}
	return []facts.Stretch{{First: max(w.First, week), Last: min(w.Last, week+facts.WeekSeconds-1)}}
}

// edges notes that the whole days of a week need not be read any more.
func (w *weeks) edges(week int64) {
	all := w.of(week)[0]
	firstDay := (all.First + facts.DaySeconds - 1) / facts.DaySeconds * facts.DaySeconds
	lastDay := (all.Last + 1) / facts.DaySeconds * facts.DaySeconds // the end of the last whole day
	rest := []facts.Stretch{}
	if firstDay > lastDay { // both within one day
		w.done[week] = append(rest, all)
		return
	}
	for _, s := range []facts.Stretch{{First: all.First, Last: firstDay - 1}, {First: lastDay, Last: all.Last}} {
		if s.First <= s.Last {
			rest = append(rest, s)
		}
	}
	w.done[week] = rest
}

// within are the weeks of a file of which something is to be read.
func (w *weeks) within(f file) (all []int64) {
	for week := max(f.firstWeek, facts.Week(w.First)); week <= min(f.lastWeek, w.Last); week += facts.WeekSeconds {
		if len(w.of(week)) > 0 {
			all = append(all, week)
		}
	}
	return all
}
