package duckdb

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Every second of a window is either in a whole day that is known, or is read.
func TestWhatIsLeftOfAWeekIsAllButItsWholeDays(t *testing.T) {
	const week = 1772409600
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			checkRest(t, week)
		}
	})
}

func checkRest(t *rapid.T, week int64) {
	first := rapid.Int64Range(week-facts.DaySeconds, week+facts.WeekSeconds-1).Draw(t, "first")
	last := rapid.Int64Range(max(first, week), week+facts.WeekSeconds+100).Draw(t, "last")
	w := newWeeks(first, last)
	w.edges(week)
	for day := int64(week); day < week+facts.WeekSeconds; day += facts.DaySeconds {
		whole := first <= day && day+facts.DaySeconds-1 <= last
		for _, second := range []int64{day, day + 1, first, last, day + facts.DaySeconds - 1} {
			if second < day || second >= day+facts.DaySeconds {
				continue
			}
			read := 0
			for _, s := range w.of(week) {
				if s.First <= second && second <= s.Last {
					read++
				}
			}
			want := 1
			if whole || second < first || second > last {
				want = 0
			}
			if read != want {
				t.Fatalf("window %d to %d: second %d is read %d times, want %d", first-week, last-week, second-week, read, want)
			}
		}
	}
}

func TestFilesAreReadOnlyForWeeksOfWhichSomethingIsLeft(t *testing.T) {
	const monday = 1772409600
	f := file{firstWeek: monday, lastWeek: monday + 3*facts.WeekSeconds}
	w := newWeeks(monday, monday+4*facts.WeekSeconds-10) // the last day is not whole
	for week := int64(monday); week <= f.lastWeek; week += facts.WeekSeconds {
		w.edges(week)
	}
	if read := w.within(f); !slices.Equal(read, []int64{f.lastWeek}) {
		t.Errorf("weeks %d are read, want only the last, %d", read, f.lastWeek)
	}
	f.lastWeek -= facts.WeekSeconds
	if read := w.within(f); len(read) > 0 {
		t.Error("a file is read of which all is known")
	}
}
