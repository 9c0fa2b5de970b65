package duckdb

import (
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
	rest := edges(facts.Stretch{First: max(first, week), Last: min(last, week+facts.WeekSeconds-1)})
	for day := int64(week); day < week+facts.WeekSeconds; day += facts.DaySeconds {
		whole := first <= day && day+facts.DaySeconds-1 <= last
		for _, second := range []int64{day, day + 1, first, last, day + facts.DaySeconds - 1} {
			if second < day || second >= day+facts.DaySeconds {
				continue
			}
			read := 0
			for _, s := range rest {
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

func TestOfAFileTheWeeksOfAWindowAreRead(t *testing.T) {
	const monday = 1772409600
	f := file{firstWeek: monday, lastWeek: monday + 3*facts.WeekSeconds}
	for name, c := range map[string]struct{ first, last, weeks int64 }{
		"more than the file": {monday - 1, f.lastWeek + 2*facts.WeekSeconds, 4},
		"two weeks":          {monday + facts.WeekSeconds + 5, monday + 2*facts.WeekSeconds, 2},
		"one second":         {f.lastWeek + 5, f.lastWeek + 5, 1},
		"before":             {monday - 10, monday - 1, 0},
		"after":              {f.lastWeek + facts.WeekSeconds, f.lastWeek + facts.WeekSeconds + 5, 0},
	} {
		if read := weeksOf(f, c.first, c.last); int64(len(read)) != c.weeks {
			t.Errorf("%s: weeks %d are read, want %d", name, read, c.weeks)
		}
	}
}
