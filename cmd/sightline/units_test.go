package main

import (
	"math"
	"testing"
	"time"
)

func TestSizesAreForPeople(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 1<<20 - 1: "1.0 MiB", 1 << 20: "1.0 MiB",
		1847296: "1.8 MiB", 5 << 30: "5.0 GiB", math.MaxInt64: "8.0 EiB",
	} {
		if got := size(bytes); got != want {
			t.Errorf("%d bytes are %s, want %s", bytes, got, want)
		}
	}
}

func TestAgesAreInWords(t *testing.T) {
	const oneDay = 24 * time.Hour
	for passed, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 119 * time.Minute: "1 hour ago",
		23 * time.Hour: "23 hours ago", 29 * oneDay: "29 days ago", 60 * oneDay: "2 months ago", 800 * oneDay: "2 years ago",
		-time.Second: "just now", -3 * oneDay: "in 3 days",
	} {
		if got := age(passed); got != want {
			t.Errorf("%s is %q, want %q", passed, got, want)
		}
	}
}

func TestTheNextSweepIsNeverPromisedTooEarly(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 30, 0, time.UTC)
	for name, c := range map[string]struct {
		from time.Time
		want string
	}{
		"past":            {now.Add(-time.Second), "the next load or prune"},
		"now":             {now, "the next load or prune"},
		"within a minute": {now.Add(10 * time.Second), "the next load or prune from 2026-03-02 09:01 UTC on"},
		"on the minute":   {now.Add(30 * time.Second), "the next load or prune from 2026-03-02 09:01 UTC on"},
		"just after it":   {now.Add(31 * time.Second), "the next load or prune from 2026-03-02 09:02 UTC on"},
	} {
		if got := nextSweep(c.from, now); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSizesAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int64{
		"1024": 1024, "1B": 1, "2k": -1, "2K": 2048, "512MiB": 512 << 20, "512 MB": 512 << 20, "1.5GiB": 3 << 29, "1T": 1 << 40,
		"": -1, "MiB": -1, "-1": -1, "1 apple": -1, "1XB": -1, "NaN": -1,
	} {
		var b byteSize
		err := b.Set(text)
		if (err == nil) != (want >= 0) || err == nil && int64(b) != want {
			t.Errorf("%q: %d, %v", text, b, err)
		}
	}
}
