package insight

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
)

func TestAPeriodBeforeThatIsPartlyCoveredIsKnown(t *testing.T) {
	before := api.Window{From: date("2026-03-01"), To: date("2026-03-11").Add(-time.Second)}
	daily := func(from string, n int) (all []time.Time) {
		for i := range n {
			all = append(all, date(from).AddDate(0, 0, i))
		}
		return all
	}
	for _, c := range []struct {
		name string
		data []time.Time
		want string
	}{
		{"every day", daily("2026-03-01", 20), ""},
		{"nothing at all", nil, ""},
		{"from the sixth day on", daily("2026-03-06", 15), "from 2026-03-06 only"},
		{"from the second day on", daily("2026-03-02", 19), "from 2026-03-02 only"},
		{"now alone", daily("2026-03-11", 10), "has no data"},
		{"every fifth day, and so at the start", []time.Time{date("2026-03-04"), date("2026-03-09"), date("2026-03-14")}, ""},
		{"in no order", []time.Time{date("2026-03-14"), date("2026-03-04"), date("2026-03-09")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Covered(before, api.Day, c.data).Note(); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	month := api.Window{From: date("2026-03-01"), To: date("2026-03-31").Add(-time.Second)}
	if got := Covered(month, api.Day, daily("2026-03-02", 50)); got.Partly {
		t.Errorf("a month without its first day: %+v", got)
	}
	week := api.Window{From: date("2026-03-04"), To: date("2026-03-18").Add(-time.Second)}
	if got := Covered(week, api.Week, []time.Time{date("2026-03-02"), date("2026-03-09"), date("2026-03-16")}); got.Partly {
		t.Errorf("weeks that begin before their period: %+v", got)
	}
}

func TestSmallCountsMayDifferByChance(t *testing.T) {
	for _, c := range []struct {
		now, before int64
		want        bool
	}{{5, 10, true}, {50, 100, false}, {0, 0, true}, {4, 0, true}, {5, 0, false}, {1_000_000, 1_001_000, true}, {math.MaxInt64, 0, false}} {
		if got := MayBeChance(c.now, c.before); got != c.want || MayBeChance(c.before, c.now) != got {
			t.Errorf("%d after %d: %v", c.now, c.before, got)
		}
	}
}

func TestPointsAreRoundedOnce(t *testing.T) {
	// 12.34 % and 12.26 % are shown as 12.3 % both, 12.36 % and 12.24 % as 12.4 % and 12.2 %.
	for want, pair := range map[float64][2]float64{0.1: {.1234, .1226}, -0.1: {.1224, .1236}} {
		if got := InPoints(*Difference(&pair[0], &pair[1])); got != want {
			t.Errorf("%v: %v points, want %v", pair, got, want)
		}
	}
}

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}
