package duckdb

import "github.com/sightline-hq/sightline/internal/facts"

// stretch is a first and a last second.
type stretch struct{ first, last int64 }

// weeks are the weeks of a window, and what of each is still to be read.
type weeks struct {
	stretch
	done map[int64][]stretch // what is left of weeks whose whole days are known
}

func newWeeks(first, last int64) *weeks {
	return &weeks{stretch: stretch{first, last}, done: make(map[int64][]stretch)}
}

// of is what is to be read of a week.
func (w *weeks) of(week int64) []stretch {
	if rest, ok := w.done[week]; ok {
		return rest
	}
	return []stretch{{max(w.first, week), min(w.last, week+facts.WeekSeconds-1)}}
}

// edges notes that the whole days of a week need not be read any more.
func (w *weeks) edges(week int64) {
	all := w.of(week)[0]
	firstDay := (all.first + facts.DaySeconds - 1) / facts.DaySeconds * facts.DaySeconds
	lastDay := (all.last + 1) / facts.DaySeconds * facts.DaySeconds // the end of the last whole day
	rest := []stretch{}
	if firstDay > lastDay { // both within one day
		w.done[week] = append(rest, all)
		return
	}
	for _, s := range []stretch{{all.first, firstDay - 1}, {lastDay, all.last}} {
		if s.first <= s.last {
			rest = append(rest, s)
		}
	}
	w.done[week] = rest
}

// within is the first and the last week of a file of which something is to be read.
func (w *weeks) within(f file) (first, last int64, any bool) {
	for week := max(f.firstWeek, facts.Week(w.first)); week <= min(f.lastWeek, w.last); week += facts.WeekSeconds {
		if len(w.of(week)) == 0 {
			continue
		}
		if !any {
			first, any = week, true
		}
		last = week
	}
	return first, last, any
}
