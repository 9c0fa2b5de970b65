package insight

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

var noon = time.Date(2026, 3, 15, 12, 30, 15, 999, time.UTC)

func TestPeriodsAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct{ name, from, to, last, wantFrom, wantTo string }{
		{"nothing said", "", "", "", "2026-02-13T00:00:00Z", "2026-03-14T23:59:59Z"},
		{"last days end with yesterday", "", "", "7d", "2026-03-08T00:00:00Z", "2026-03-14T23:59:59Z"},
		{"last weeks", "", "", "2W", "2026-03-01T00:00:00Z", "2026-03-14T23:59:59Z"},
		{"last hours end now", "", "", "24h", "2026-03-14T12:30:16Z", "2026-03-15T12:30:15Z"},
		{"last days up to a date", "", "2026-02-28", "28d", "2026-02-01T00:00:00Z", "2026-02-28T23:59:59Z"},
		{"last days up to today", "", "today", "1d", "2026-03-15T00:00:00Z", "2026-03-15T23:59:59Z"},
		{"two dates", "2026-03-01", "2026-03-31", "", "2026-03-01T00:00:00Z", "2026-03-31T23:59:59Z"},
		{"one day", "2024-02-29", "2024-02-29", "", "2024-02-29T00:00:00Z", "2024-02-29T23:59:59Z"},
		{"a month", "2026-02", "2026-02", "", "2026-02-01T00:00:00Z", "2026-02-28T23:59:59Z"},
		{"since a date", "2026-03-10", "", "", "2026-03-10T00:00:00Z", "2026-03-15T23:59:59Z"},
		{"words", "Yesterday", "TODAY", "", "2026-03-14T00:00:00Z", "2026-03-15T23:59:59Z"},
		{"date-times", "2026-03-01T01:00:00+01:00", "2026-03-01T11:59:59Z", "", "2026-03-01T00:00:00Z", "2026-03-01T11:59:59Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := Period(c.from, c.to, c.last, noon)
			if err != nil {
				t.Fatal(err)
			}
			from, to := w.From.UTC().Format(time.RFC3339Nano), w.To.UTC().Format(time.RFC3339Nano)
			if from != c.wantFrom || to != c.wantTo {
				t.Errorf("%s to %s, want %s to %s", from, to, c.wantFrom, c.wantTo)
			}
		})
	}
}

func TestPeriodsThatAreNone(t *testing.T) {
	for _, c := range []struct{ name, from, to, last, want string }{
		{"both ways", "2026-03-01", "", "7d", "last: not together with from"},
		{"an end alone", "", "2026-03-01", "", "to: needs from or last"},
		{"back to front", "2026-03-02", "2026-03-01", "", "from: 2026-03-02 is after 2026-03-01T23:59:59Z"},
		{"a start in the future", "2026-03-16", "", "", "from: 2026-03-16 is after"},
		{"no such day", "2026-02-30", "2026-03-01", "", `from: "2026-02-30" is no date`},
		{"another order", "2026-03-01", "31.03.2026", "", `to: "31.03.2026" is no date`},
		{"no unit", "", "", "30", "last: must be a number of days, weeks or hours"},
		{"no number", "", "", "d", "last: must be"},
		{"an unknown unit", "", "", "3m", "last: must be"},
		{"nothing", "", "", "0d", "last: must be"},
		{"negative", "", "", "-3d", "last: must be"},
		{"a fraction", "", "", "1.5d", "last: must be"},
		{"centuries", "", "", "70000w", "last: must be"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := Period(c.from, c.to, c.last, noon)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, error %v, want %s", w, err, c.want)
			}
		})
	}
}

func TestThePeriodBeforeIsAsLongAndEndsWhereTheOtherBegins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := time.Unix(rapid.Int64Range(0, 2e9).Draw(t, "from"), 0)
		w := api.Window{From: from, To: from.Add(time.Duration(rapid.Int64Range(0, 1e8).Draw(t, "seconds")) * time.Second)}
		b := Before(w)
		if !b.To.Add(time.Second).Equal(w.From) || Length(b) != Length(w) {
			t.Fatalf("before %v is %v", w, b)
		}
	})
}

func TestOnlyWholeBucketsAreTold(t *testing.T) {
	for _, c := range []struct {
		last   string
		bucket api.Interval
		want   bool
	}{
		{"30d", api.Day, true}, {"36h", api.Day, false}, {"48h", api.Day, true},
		{"30d", api.Week, false}, {"28d", api.Week, true}, {"4w", api.Week, true},
	} {
		w, err := Period("", "", c.last, noon)
		if err != nil || Aligned(w, c.bucket) != c.want {
			t.Errorf("%s in buckets of a %s: %v %v, want %v", c.last, c.bucket, !c.want, err, c.want)
		}
	}
}

func TestTheUsualPeriodIsThirtyWholeDaysToYesterday(t *testing.T) {
	for _, now := range []time.Time{
		time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 31, 23, 59, 59, 999, time.UTC),
		time.Date(2026, 4, 1, 1, 0, 0, 0, time.FixedZone("", 2*3600)),
	} {
		w := Usual(now)
		none, err := Period("", "", "", now)
		if got := w.From.Format(time.RFC3339) + " " + w.To.Format(time.RFC3339); got != "2026-03-01T00:00:00Z 2026-03-30T23:59:59Z" || none != w || err != nil {
			t.Errorf("at %v: %s, and %v if nothing is said", now, got, none)
		}
	}
}
