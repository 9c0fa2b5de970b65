package accesslog

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const combinedLayout = "02/Jan/2006:15:04:05 -0700"

// times draws times of the years that logs can have, in any zone.
func times(t *rapid.T) time.Time {
	second := rapid.Int64Range(2*86400, maxSecond-2*86400).Draw(t, "second")
	minutes := rapid.IntRange(-23*60-59, 23*60+59).Draw(t, "offset")
	return time.Unix(second, 0).In(time.FixedZone("", minutes*60))
}

func TestCombinedTimesAreReadAsTheLibraryReadsThem(t *testing.T) {
	var c clock // one for all, to try what it remembers
	rapid.Check(t, func(t *rapid.T) {
		want := times(t)
		for _, near := range []time.Duration{0, time.Second, 59 * time.Second, -time.Minute, time.Hour} {
			want := want.Add(near)
			if got, ok := c.read([]byte(want.Format(combinedLayout))); !ok || got != want.Unix() {
				t.Fatalf("%s is %d, %v; want %d", want.Format(combinedLayout), got, ok, want.Unix())
			}
		}
	})
}

func TestDamagedCombinedTimesAreReadAsTheLibraryReadsThem(t *testing.T) {
	var c clock
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(times(t).Format(combinedLayout))
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("0123456789:/ +-JanFebx")).Draw(t, "byte")
		}
		got, ok := c.read(text)
		want, err := time.Parse(combinedLayout, string(text))
		if ok && (err != nil || got != want.Unix()) {
			t.Fatalf("%s is %d; the library says %v, %v", text, got, want, err)
		}
		_, offset := want.Zone()
		odd := want.Unix() < 0 || offset <= -86400 || offset >= 86400 || text[24] > '5' || want.Format(combinedLayout) != string(text)
		if !ok && err == nil && !odd {
			t.Fatalf("%s is not read; the library says %v", text, want)
		}
	})
}

func TestISOTimesAreReadAsTheLibraryReadsThem(t *testing.T) {
	var c clock
	rapid.Check(t, func(t *rapid.T) {
		want := times(t).Add(time.Duration(rapid.IntRange(0, 999_999_999).Draw(t, "nanoseconds")))
		for _, layout := range []string{
			time.RFC3339, time.RFC3339Nano, "2006-01-02T15:04:05.000Z0700", "2006-01-02 15:04:05 -0700", "2006/01/02 15:04:05.000000Z07:00",
		} {
			text := want.Format(layout)
			if got, ok := c.readTime([]byte(text)); !ok || got != want.Unix() {
				t.Fatalf("%s is %d, %v; want %d", text, got, ok, want.Unix())
			}
		}
		utc := want.UTC().Format("2006-01-02 15:04:05")
		if got, ok := c.readTime([]byte(utc)); !ok || got != want.Unix() {
			t.Fatalf("%s is %d, %v; want %d", utc, got, ok, want.Unix())
		}
	})
}

func TestUnixTimesAreReadInAnyUnit(t *testing.T) {
	var c clock
	rapid.Check(t, func(t *rapid.T) {
		// Milliseconds of 1970 to 1973 look like seconds of a far future.
		second := rapid.Int64Range(100_000_000, 9_000_000_000).Draw(t, "second")
		for _, text := range []string{
			fmt.Sprint(second), fmt.Sprintf("%d.75", second), fmt.Sprintf("%d999", second), fmt.Sprintf("%d.000", second*1e3),
			fmt.Sprintf("%d999999", second), fmt.Sprintf("%d999999999", second), fmt.Sprintf("%.10e", float64(second)),
		} {
			if got, ok := c.readTime([]byte(text)); !ok || got != second {
				t.Fatalf("%s is %d, %v; want %d", text, got, ok, second)
			}
		}
	})
}

func TestTheEdgesOfTheCalendarAreRead(t *testing.T) {
	for text, want := range map[string]int64{
		"01/Jan/1970:00:00:00 +0000": 0, "1970-01-01T00:00:00Z": 0, "0": 0,
		"9999-12-31T23:59:59Z": maxSecond, "31/Dec/9999:23:59:59 +0000": maxSecond,
		"29/Feb/2000:00:00:00 +0000": 951782400, "2400-02-29T00:00:00Z": 13574563200,
	} {
		var c clock
		if got, ok := c.readTime([]byte(text)); !ok || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, ok, want)
		}
	}
}

func TestNoTimesAreNotRead(t *testing.T) {
	for _, text := range []string{
		"", "-", ".5", "-1", "1.5x", "1772442900.x5", "yesterday", "1e400", "1e30", "NaN", "0x10", "99999999999999999999",
		"2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
		"2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+2500", "2026-01-01T00:00:00+0", "2026-01-01T00:00:00+010",
		"2026-01-01T00:00:00CET", "2026-01-01", "2026-01/01T00:00:00Z", "2026-01-01x00:00:00Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
		"00/Jan/2026:00:00:00 +0000", "01/Jan/2026:00:00:60 +0000", "01/Jan/2026:00:00:00 UTC+0", "\x00\x00/\x00\x00\x00\x00\x00",
	} {
		var c clock
		if got, ok := c.readTime([]byte(text)); ok {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
