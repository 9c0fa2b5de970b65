package duckdb

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Every second of a window that a file may have is in one stretch, stretches have
// no more than they may, no bucket is cut, and time without files costs nothing.
func TestStretchesCoverTheFilesOfAWindowAndNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &set{}
		week := facts.Week(1_700_000_000)
		for range rapid.IntRange(0, 6).Draw(t, "files") {
			week += rapid.SampledFrom([]int64{0, 0, 1, 3, 2500}).Draw(t, "weeks without a file") * facts.WeekSeconds
			weeks := rapid.Int64Range(1, 5).Draw(t, "weeks of the file")
			bytes := rapid.Int64Range(0, 4*stretchBytes).Draw(t, "bytes")
			s.files = append(s.files, file{kind: facts.KindVisits, firstWeek: week, lastWeek: week + (weeks-1)*facts.WeekSeconds, bytes: bytes})
			week += weeks * facts.WeekSeconds
		}
		first := rapid.Int64Range(1_690_000_000, week).Draw(t, "first")
		last := first + rapid.Int64Range(0, week-1_690_000_000).Draw(t, "length")
		stretches := s.Stretches(facts.Visits, first, last)
		if len(stretches) > 6*5+1 {
			t.Fatalf("%d stretches", len(stretches))
		}
		for i, one := range stretches {
			short := one.Last < facts.Week(one.First)+facts.WeekSeconds || bytesWithin(s.files, one) <= stretchBytes
			if one.First > one.Last || one.First < first || one.Last > last || !short || i > 0 && one.First <= stretches[i-1].Last {
				t.Fatalf("stretch %v after %v of %d to %d", one, stretches[:i], first, last)
			}
			if i > 0 && facts.Week(one.First) != one.First {
				t.Fatalf("%v cuts a week", one)
			}
		}
		for _, f := range s.files {
			for monday := f.firstWeek; monday <= f.lastWeek; monday += facts.WeekSeconds {
				for _, second := range []int64{monday, monday + facts.WeekSeconds - 1} {
					n := 0
					for _, one := range stretches {
						if one.First <= second && second <= one.Last {
							n++
						}
					}
					if want := map[bool]int{true: 1}[first <= second && second <= last]; n != want {
						t.Fatalf("second %d is in %d stretches, want %d", second, n, want)
					}
				}
			}
		}
	})
}

// bytesWithin is how many bytes the weeks of a stretch have.
func bytesWithin(files []file, s facts.Stretch) (n int64) {
	for _, f := range files {
		for monday := f.firstWeek; monday <= f.lastWeek; monday += facts.WeekSeconds {
			if monday <= s.Last && s.First < monday+facts.WeekSeconds {
				n += f.bytes / ((f.lastWeek-f.firstWeek)/facts.WeekSeconds + 1)
			}
		}
	}
	return n
}
