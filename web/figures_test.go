package web

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

func ref[T any](v T) *T { return &v }

func TestChangesAreWords(t *testing.T) {
	of := func(v float64, runs int64) standing { return standing{Visibility: &v, Runs: &runs} }
	for _, c := range []struct {
		name string
		got  change
		want change
	}{
		{"more visible", visibilityChange(of(.6, 1000), of(.5, 1000)), change{"▲", "10.0 points more", better}},
		{"less visible", visibilityChange(of(.5, 1000), of(.6, 1000)), change{"▼", "10.0 points less", worse}},
		{"few answers", visibilityChange(of(.6, 10), of(.5, 10)), change{"▲", "10.0 points more, may be chance", even}},
		{"the same on the page", visibilityChange(of(.50001, 10), of(.5, 10)), hardly},
		{"the same", visibilityChange(of(.5, 10), of(.5, 20)), change{"=", "as before", even}},
		{"nothing before", visibilityChange(of(.5, 10), standing{}), unknown},
		{"nothing now", visibilityChange(standing{}, of(.5, 10)), unknown},
		{"a smaller position is better", placesChange(ref(1.5), ref(2.0), 1), change{"▲", "0.5 places higher up", better}},
		{"a larger position is worse", placesChange(ref(2.0), ref(1.5), 1), change{"▼", "0.5 places further down", worse}},
		{"rounded once", placesChange(ref(1.26), ref(1.24), 1), hardly},
		{"points that are rounded once", visibilityChange(of(.50149, 1e6), of(.50051, 1e6)), change{"▲", "0.1 points more, may be chance", even}},
		{"hundredths of a place", placesChange(ref(1.76), ref(1.75), 2), change{"▼", "0.01 places further down", even}},
		{"one rank", placesChange(ref(2.0), ref(3.0), 0), change{"▲", "1 place higher up", better}},
		{"no rank", placesChange(nil, ref(3.0), 0), unknown},
		{"more agents", countChange(150, 100, false), change{"▲", "50.0 % more", even}},
		{"fewer people", countChange(50, 100, true), change{"▼", "50.0 % less", worse}},
		{"few people", countChange(5, 10, true), change{"▼", "50.0 % less, may be chance", even}},
		{"from nothing", countChange(5, 0, true), change{"▲", "none before", better}},
		{"still nothing", countChange(0, 0, true), change{"=", "none before either", even}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%+v, want %+v", c.got, c.want)
			}
		})
	}
}

// Pooling rows is the same as counting their answers together.
func TestPoolingCountsAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []api.PromptMetric
		var runs, hits, places int64
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			n := rapid.Int64Range(0, 500).Draw(t, "runs")
			if n == 0 {
				rows = append(rows, api.PromptMetric{})
				continue
			}
			h := rapid.Int64Range(0, n).Draw(t, "hits")
			r := api.PromptMetric{RunCount: &n, Visibility: ref(float64(h) / float64(n))}
			runs, hits = runs+n, hits+h
			if h > 0 {
				sum := rapid.Int64Range(h, 9*h).Draw(t, "places")
				places += sum
				r.Position = ref(float64(sum) / float64(h))
			}
			rows = append(rows, r)
		}
		s := pool(rows)
		if runs == 0 {
			if s != (standing{}) {
				t.Fatalf("%+v without runs", s)
			}
			return
		}
		if *s.Runs != runs || *s.Visibility != float64(hits)/float64(runs) {
			t.Fatalf("%d runs, visibility %v", *s.Runs, *s.Visibility)
		}
		if hits == 0 && s.Position != nil || hits > 0 && math.Abs(*s.Position-float64(places)/float64(hits)) > 1e-9 {
			t.Fatalf("position %v", s.Position)
		}
	})
}

// The steps of a prompt's trend cover its period without gaps, and are few.
func TestStepsCoverThePeriod(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.Int64Range(0, 1e6).Draw(t, "from")) * time.Second)
		w := api.Window{From: from, To: from.Add(time.Duration(rapid.Int64Range(0, 2e8).Draw(t, "length")) * time.Second)}
		steps := stepsOf(w)
		if len(steps) == 0 || len(steps) > maxSteps+1 || !steps[0].From.Equal(w.From) || !steps[len(steps)-1].To.Equal(w.To) {
			t.Fatalf("%v in %v", w, steps)
		}
		for i := 1; i < len(steps); i++ {
			if !steps[i-1].To.Add(time.Second).Equal(steps[i].From) {
				t.Fatalf("a gap between %v and %v", steps[i-1], steps[i])
			}
		}
	})
}

func TestBucketsAreDaysOrMondays(t *testing.T) {
	for _, interval := range api.Intervals {
		to := time.Date(2026, 3, 31, 23, 59, 59, 0, time.UTC)
		long := buckets(api.Window{From: time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC), To: to}, interval)
		if newest := long[len(long)-1]; len(long) != maxBuckets || newest.After(to) || to.Sub(newest) > 7*24*time.Hour || long[0].Weekday() != time.Monday && interval == api.Week {
			t.Errorf("%d %ss of centuries, to %v", len(long), interval, newest)
		}
	}
	w := api.Window{From: time.Date(2026, 3, 4, 5, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 16, 0, 0, 0, 0, time.UTC)}
	days, weeks := buckets(w, api.Day), buckets(w, api.Week)
	if len(days) != 13 || days[0].Format(time.DateOnly) != "2026-03-04" {
		t.Errorf("days %v", days)
	}
	var got []string
	for _, d := range weeks {
		got = append(got, d.Format(time.DateOnly))
	}
	if strings.Join(got, " ") != "2026-03-02 2026-03-09 2026-03-16" {
		t.Errorf("weeks %v", got)
	}
}

func TestFiguresAsPeopleReadThem(t *testing.T) {
	for got, want := range map[string]string{
		count(0): "0", count(999): "999", count(1000): "1,000", count(1234567): "1,234,567", count(-1000): "-1,000", count(-100): "-100",
		percent(ref(0.4167)): "41.7 %", percent(nil): none, decimal(ref(1.25)): "1.25", countOf(nil): none,
		shortURL("https://www.a.example/b/"): "a.example/b", webLink("javascript:x"): "", webLink("https://a.example"): "https://a.example",
		platformName("google_ai_overviews"): "Google AI Overviews", platformName("new_one"): "new_one",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSpreadsheetsRunNothing(t *testing.T) {
	got, err := encodeCSV(table{Header: []string{"a"}, Rows: [][]string{{`=HYPERLINK("http://evil.example")`}, {"x,y"}}})
	if err != nil || string(got) != "a\r\n\"'=HYPERLINK(\"\"http://evil.example\"\")\"\r\n\"x,y\"\r\n" {
		t.Errorf("%q", got)
	}
}

func TestPartialWeeksAreNamed(t *testing.T) {
	d := dashboardOf(t, usual())
	get(t, d, "/traffic?interval=week&from=2026-03-04&to=2026-03-17").shows(t, 200, "The first and the last week are partial.")
	get(t, d, "/traffic?interval=week&from=2026-03-02&to=2026-03-15").hides(t, "partial")
}

// More people than in a part of a period, or than in no period, are no success.
func TestFiguresAgainstAPeriodWithoutDataAreNotPraised(t *testing.T) {
	d := dashboardOf(t, usual()) // whose data are all of one day of the period
	for _, target := range everyPage {
		get(t, d, target).shows(t, 200, "The period before has no data")
	}
	s := stateOf(t, "/traffic?from=2026-03-11&to=2026-03-20")
	item := func(day string) api.TimeseriesItem {
		return api.TimeseriesItem{Timestamp: day + "T00:00:00Z", AIReferredHumanVisits: ref(int64(1000))}
	}
	var now []api.TimeseriesItem
	for i := range 9 {
		now = append(now, item(time.Date(2026, 3, 11+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)))
	}
	half := newTraffic(now, []api.TimeseriesItem{item("2026-03-09"), item("2026-03-10")}, s, api.Day)
	if half.PeopleTile.Change.Tone != even || half.Covered.Note() == "" {
		t.Errorf("%+v, %q", half.PeopleTile.Change, half.Covered.Note())
	}
	whole := newTraffic(now, []api.TimeseriesItem{item("2026-03-01"), item("2026-03-02"), item("2026-03-10")}, s, api.Day)
	if whole.PeopleTile.Change.Tone != better || whole.Covered.Note() != "" {
		t.Errorf("%+v, %q", whole.PeopleTile.Change, whole.Covered.Note())
	}
}

func TestOddFiguresAreDrawnAllTheSame(t *testing.T) {
	for v, want := range map[float64]string{math.Inf(1): "100.0", math.Inf(-1): "0.0", -1: "0.0", .5: "50.0", 2: "100.0"} {
		if got := drawn(v); got != want {
			t.Errorf("%v is drawn as %s, want %s", v, got, want)
		}
	}
	if got := drawn(math.NaN()) + drawn(share(0, 0)) + drawn(share(3, -1)); got != "0.00.00.0" {
		t.Errorf("what is no number is drawn as %s", got)
	}
	a := usual()
	a["/citations"] = strings.ReplaceAll(strings.ReplaceAll(a["/citations"], `"count":9`, `"count":0`), `"count":3`, `"count":0`)
	for _, target := range []string{"/", "/citations"} {
		get(t, dashboardOf(t, a), target).hides(t, "NaN", "Inf")
	}
}
