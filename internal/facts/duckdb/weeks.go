package duckdb

import "github.com/sightline-hq/sightline/internal/facts"

// weeksOf are the weeks of a file that have something of a window.
func weeksOf(f file, first, last int64) (all []int64) {
	for week := max(f.firstWeek, facts.Week(first)); week <= min(f.lastWeek, last); week += facts.WeekSeconds {
		all = append(all, week)
	}
	return all
}

// windowIf is what is to be read: all of a window, or nothing.
func windowIf(wanted bool, window facts.Stretch) []facts.Stretch {
	if !wanted {
		return nil
	}
	return []facts.Stretch{window}
}

// edges is what is to be read of a window if its whole days are known.
func edges(window facts.Stretch) (rest []facts.Stretch) {
	firstDay := (window.First + facts.DaySeconds - 1) / facts.DaySeconds * facts.DaySeconds
	lastDay := (window.Last + 1) / facts.DaySeconds * facts.DaySeconds // the end of the last whole day
	if firstDay > lastDay {                                            // both within one day
		return []facts.Stretch{window}
	}
	for _, s := range []facts.Stretch{{First: window.First, Last: firstDay - 1}, {First: lastDay, Last: window.Last}} {
		if s.First <= s.Last {
			rest = append(rest, s)
		}
	}
	return rest
}

// isWeek says whether a window is a whole week.
func isWeek(window facts.Stretch) bool {
	return window.First == facts.Week(window.First) && window.Last == window.First+facts.WeekSeconds-1
}
