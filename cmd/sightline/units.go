package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// size is a number of bytes for people: 512 B, 1.3 MiB.
func size(bytes int64) string {
	if bytes < 1024 {
		return fmt.Sprintf("%d B", bytes)
	}
	value := float64(bytes) / 1024
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for value >= 1023.95 && len(units) > 1 { // what would be printed as 1024.0
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.1f %s", value, units[0])
}

// age is how long ago something was, in words, rounded down.
func age(d time.Duration) string {
	format := "%s ago"
	if d < 0 {
		d, format = -d, "in %s"
	}
	const oneDay = 24 * time.Hour
	for _, unit := range []struct {
		name   string
		length time.Duration
	}{
		{"year", 365 * oneDay}, {"month", 30 * oneDay}, {"day", oneDay}, {"hour", time.Hour}, {"minute", time.Minute},
	} {
		if n := int(d / unit.length); n > 0 {
			return fmt.Sprintf(format, plural(n, unit.name))
		}
	}
	return "just now"
}

func day(t time.Time) string    { return t.UTC().Format("2006-01-02") }
func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// given is a time, or nil where there is none.
func given(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// nextSweep says what removes files that may leave the disk from a time on.
func nextSweep(from, now time.Time) string {
	const next = "the next load or prune"
	if !from.After(now) {
		return next
	}
	return next + " from " + minute(from.Add(time.Minute-1)) + " on" // never a minute too early
}

// byteSize is a flag: a number of bytes, such as 512MiB or 2GiB.
type byteSize int64

func (b *byteSize) String() string { return size(int64(*b)) }

// Type implements pflag.Value.
func (b *byteSize) Type() string { return "size" }

// Set implements pflag.Value.
func (b *byteSize) Set(text string) error {
	number := strings.TrimRight(text, "KMGTiB ")
	n, err := strconv.ParseFloat(number, 64)
	shift, ok := map[string]int{"": 0, "B": 0, "K": 10, "KB": 10, "KIB": 10, "M": 20, "MB": 20, "MIB": 20, "G": 30, "GB": 30, "GIB": 30,
		"T": 40, "TB": 40, "TIB": 40}[strings.ToUpper(strings.TrimSpace(text[len(number):]))]
	if err != nil || !ok || !(n >= 0 && n*float64(int64(1)<<shift) < 1<<60) {
		return fmt.Errorf("%q is no size: write one such as 512MiB or 2GiB", text)
	}
	*b = byteSize(n * float64(int64(1)<<shift))
	return nil
}
