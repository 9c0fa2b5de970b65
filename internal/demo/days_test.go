package demo

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"pgregory.net/rapid"
)

type generator func(io.Writer, time.Time, time.Time) (int, error)

var generators = map[string]generator{"answers": Answers, "pageviews": Pageviews}

func lines(t rapid.TB, g generator, from, to time.Time) string {
	t.Helper()
	var b bytes.Buffer
	n, err := g(&b, from, to)
	if err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(b.Bytes(), []byte("\n")); got != n {
		t.Fatalf("%d lines, reported as %d", got, n)
	}
	return b.String()
}

func TestTheSamePeriodGivesTheSameLines(t *testing.T) {
	for name, g := range generators {
		from := end.AddDate(0, 0, -3)
		if a, b := lines(t, g, from, end), lines(t, g, from, end); a != b || a == "" {
			t.Errorf("%s differ from one time to the next", name)
		}
		if a, b := lines(t, g, from, end), lines(t, g, from.AddDate(0, 0, 1), end.AddDate(0, 0, 1)); a == b {
			t.Errorf("%s do not depend on the date", name)
		}
	}
}

func TestThePartsOfAPeriodAddUp(t *testing.T) {
	for name, g := range generators {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			from := end.Add(-time.Duration(rapid.Int64Range(0, int64(36*time.Hour)).Draw(t, "length")))
			to := end
			cut := from.Add(time.Duration(rapid.Int64Range(0, int64(to.Sub(from))).Draw(t, "cut")))
			whole := lines(t, g, from, to)
			if parts := lines(t, g, from, cut) + lines(t, g, cut, to); parts != whole {
				t.Fatalf("cut at %v: %d bytes in two parts, %d in one", cut, len(parts), len(whole))
			}
		}))
	}
}

func TestAPeriodIsOpenAtItsStartAndClosedAtItsEnd(t *testing.T) {
	first := answersOf(t, end.AddDate(0, 0, -1), end)[0]
	for _, c := range []struct {
		name     string
		from, to time.Time
		in       bool
	}{
		{"ends with it", first.At.Add(-time.Second), first.At, true},
		{"begins with it", first.At, first.At.Add(time.Second), false},
		{"begins a moment before", first.At.Add(-1), first.At, true},
		{"ends a moment before", first.At.Add(-time.Second), first.At.Add(-1), false},
		{"is empty", first.At, first.At, false},
		{"is turned round", first.At.Add(time.Hour), first.At, false},
	} {
		in := false
		for _, a := range answersOf(t, c.from, c.to) {
			in = in || a.ID == first.ID
		}
		if in != c.in {
			t.Errorf("a period that %s: event inside is %v", c.name, in)
		}
	}
}

func TestOldDatesWorkToo(t *testing.T) {
	for _, year := range []int{1, 1969, 1970, 2100} {
		from := time.Date(year, 5, 1, 0, 0, 0, 0, time.UTC)
		for name, g := range generators {
			if lines(t, g, from, from.AddDate(0, 0, 1)) == "" {
				t.Errorf("no %s in the year %d", name, year)
			}
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestAWriteErrorIsReturned(t *testing.T) {
	for name, g := range generators {
		if _, err := g(fullDisk{}, start, end); !errors.Is(err, errFull) {
			t.Errorf("%s on a full disk: %v", name, err)
		}
	}
}

func TestWeekdays(t *testing.T) {
	for offset := range 8 {
		at := time.Date(1969, 12, 29+offset, 12, 0, 0, 0, time.UTC) // a Monday and on
		if got, want := dayOf(at).weekday(), offset%7; got != want {
			t.Errorf("%v is weekday %d, want %d", at, got, want)
		}
		if got, want := dayOf(at).date(), at.Format(time.DateOnly); got != want {
			t.Errorf("date %s, want %s", got, want)
		}
	}
}

func BenchmarkNinetyDays(b *testing.B) {
	for name, g := range generators {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				n, err := g(io.Discard, start, end)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(n), "lines")
			}
		})
	}
}
