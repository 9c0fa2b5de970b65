package api

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func FuzzParseTime(f *testing.F) {
	for _, s := range []string{
		"1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1990-12-31T23:59:60Z", "1937-01-01T12:00:27.87+00:20",
		"2026-03-01", "2026-03-01T1:00:00Z", "2026-03-01T10:00:00,5Z", "2026-02-29T00:00:00Z", "2026-03-01T10:00:00 01:00",
		"2026-03-01t10:00:00.00000000000001z", "9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseTime(s)
		if err != nil {
			return
		}
		again, err := ParseTime(got.Format(time.RFC3339Nano))
		if year := got.Year(); year >= 0 && year <= 9999 && (err != nil || !again.Equal(got)) {
			t.Errorf("ParseTime(%q) = %s, which reads back as %s, %v", s, got, again, err)
		}
		std, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return
		}
		// Where digits beyond the ninth are all that is left, ours keeps one nanosecond.
		if d := got.Sub(std); d != 0 && (d != 1 || std.Nanosecond() != 0) {
			t.Errorf("ParseTime(%q) = %s, time.Parse says %s", s, got, std)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		asked, day31, asked + "&groupBy=byPage&labelIds[]=1&platforms[]=openai",
		window + "metrics[]=bot_visits&metrics[]=unique_pages&groupBy[]=platform&page=2&perPage=5&topLimit=3&interval=week",
		window + "urlPath=%2Fblog&websiteId=w&botTypes[]=gptbot", "domain=%ff", "a;b", "%zz",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		if r, err := DecodePrompts(query); err == nil {
			checkPrompts(t, r)
		} else {
			checkDetail(t, err)
		}
		if r, err := DecodeCitations(query); err == nil {
			checkPrompts(t, r.PromptsRequest)
			if !slices.Contains(CitationGroupings, r.GroupBy) {
				t.Errorf("grouping %q", r.GroupBy)
			}
		} else {
			checkDetail(t, err)
		}
		if r, err := DecodeTimeseries(query); err == nil {
			checkTimeseries(t, r)
		} else {
			checkDetail(t, err)
		}
	})
}

// checkDetail makes sure that a reason can be sent as a header and repeats
// nothing of what the caller sent.
func checkDetail(t *testing.T, err error) {
	if s := err.Error(); len(s) > 300 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		t.Errorf("detail %q", s)
	}
}

func checkWindow(t *testing.T, w Window) {
	if w.From.After(w.To) {
		t.Errorf("window from %s to %s", w.From, w.To)
	}
}

func checkPrompts(t *testing.T, r PromptsRequest) {
	checkWindow(t, r.Window)
	checkDistinct(t, r.Platforms)
	checkDistinct(t, r.LabelIDs)
	if r.Domain == "" || slices.Contains(r.Platforms, "") || !slices.IsSorted(r.LabelIDs) {
		t.Errorf("request %+v", r)
	}
}

func checkTimeseries(t *testing.T, r TimeseriesRequest) {
	checkWindow(t, r.Window)
	checkDistinct(t, r.Metrics)
	checkDistinct(t, r.GroupBy)
	checkDistinct(t, r.Platforms)
	checkDistinct(t, r.BotTypes)
	for _, m := range r.Metrics {
		if !slices.Contains(Metrics, m) {
			t.Errorf("metric %q", m)
		}
	}
	for _, d := range r.GroupBy {
		if !slices.Contains(Dimensions, d) {
			t.Errorf("dimension %q", d)
		}
	}
	if len(r.Metrics) == 0 || !slices.Contains(Intervals, r.Interval) || r.Page < 1 || r.PerPage < 1 || r.TopLimit < 0 {
		t.Errorf("request %+v", r)
	}
}

func checkDistinct[T comparable](t *testing.T, values []T) {
	seen := make(map[T]bool)
	for _, v := range values {
		if seen[v] {
			t.Errorf("%v twice in %v", v, values)
		}
		seen[v] = true
	}
}
