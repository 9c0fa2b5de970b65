package insight

import (
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
)

func TestPartialBucketsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to time.Time
		bucket   api.Interval
		want     string
	}{
		{"whole weeks", date("2026-03-02"), date("2026-03-16"), api.Week, ""},
		{"from a Wednesday", date("2026-03-04"), date("2026-03-16"), api.Week, "The first week is partial."},
		{"to a Saturday", date("2026-03-02"), date("2026-03-15"), api.Week, "The last week is partial."},
		{"from a Wednesday to a Tuesday", date("2026-03-04"), date("2026-03-18"), api.Week, "The first and the last week are partial."},
		{"within one week", date("2026-03-04"), date("2026-03-06"), api.Week, "The week is partial."},
		{"days", date("2026-03-04"), date("2026-03-06"), api.Day, ""},
		{"24 hours", date("2026-03-04").Add(time.Hour), date("2026-03-05").Add(time.Hour), api.Day, "The first and the last day are partial."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Partial(api.Window{From: c.from, To: c.to.Add(-time.Second)}, c.bucket); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
