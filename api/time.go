package api

import (
	"errors"
	"strings"
	"time"
)

// Window is the period of a report; both ends belong to it.
type Window struct {
	From, To time.Time
}

// Seconds returns the first and the last whole second inside the window.
// Events have whole seconds, so an event is inside exactly if it lies between
// the two. A window that covers no whole second returns first > last.
func (w Window) Seconds() (first, last int64) {
	first = w.From.Unix()
	if w.From.Nanosecond() > 0 {
		first++
	}
	return first, w.To.Unix()
}

// FormatTime writes a bucket's start as the contract's date-time.
func FormatTime(unix int64) string {
	return time.Unix(unix, 0).UTC().Format(time.RFC3339)
}

var (
	errTimeForm   = errors.New("not an RFC 3339 date-time such as 2026-03-01T00:00:00Z")
	errTimeZone   = errors.New("no time zone: end it with Z or an offset such as +01:00")
	errTimePlus   = errors.New("the + of a time zone must be sent as %2B")
	errTimeRange  = errors.New("no such date or time")
	errTimeNoTime = errors.New("a date without a time: write 2026-03-01T00:00:00Z")
)

// ParseTime reads an RFC 3339 date-time: any offset, any number of fractional
// digits, T and Z in either case, -00:00, and a leap second, which counts as the
// second before it so that it stays within its day.
//
// time.Parse is both too strict (lower case, :60) and too lenient (one-digit
// hours, a comma before the fraction) for this.
func ParseTime(s string) (time.Time, error) {
	if len(s) == len("2026-03-01") && digits(s[0:4]) && s[4] == '-' {
		return time.Time{}, errTimeNoTime
	}
	if len(s) < len("2026-03-01T00:00:00") || s[4] != '-' || s[7] != '-' ||
		(s[10] != 'T' && s[10] != 't') || s[13] != ':' || s[16] != ':' {
		return time.Time{}, errTimeForm
	}
	var f [6]int
	for i, part := range []string{s[0:4], s[5:7], s[8:10], s[11:13], s[14:16], s[17:19]} {
		if !digits(part) {
			return time.Time{}, errTimeForm
		}
		f[i] = number(part)
	}
	nanos, zone, err := fraction(s[19:])
	if err != nil {
		return time.Time{}, err
	}
	offset, err := zoneOffset(zone)
	if err != nil {
		return time.Time{}, err
	}
	return civil(f[0], f[1], f[2], f[3], f[4], f[5], nanos, offset)
}

// fraction splits ".25Z" into nanoseconds and the rest. Digits beyond the
// ninth are cut, but a fraction that is not zero never becomes zero.
func fraction(s string) (nanos int, rest string, err error) {
	if !strings.HasPrefix(s, ".") {
		return 0, s, nil
	}
	end := 1
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end == 1 {
		return 0, "", errTimeForm
	}
	d := s[1:end]
	nanos = number((d + "000000000")[:9])
	if nanos == 0 && strings.Trim(d, "0") != "" {
		nanos = 1
	}
	return nanos, s[end:], nil
}

func zoneOffset(s string) (seconds int, err error) {
	switch {
	case s == "Z" || s == "z":
		return 0, nil
	case s == "":
		return 0, errTimeZone
	case s[0] == ' ' && len(s) == len(" 01:00"):
		return 0, errTimePlus
	case len(s) != len("+01:00") || (s[0] != '+' && s[0] != '-') || s[3] != ':' || !digits(s[1:3]) || !digits(s[4:6]):
		return 0, errTimeForm
	}
	hours, minutes := number(s[1:3]), number(s[4:6])
	if hours > 23 || minutes > 59 {
		return 0, errTimeRange
	}
	seconds = hours*3600 + minutes*60
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, nil
}

func civil(year, month, day, hour, minute, second, nanos, offset int) (time.Time, error) {
	leap := second == 60
	if leap {
		second, nanos = 59, 0
	}
	if hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, errTimeRange
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC)
	if t.Year() != year || t.Month() != time.Month(month) || t.Day() != day {
		return time.Time{}, errTimeRange
	}
	t = t.Add(-time.Duration(offset) * time.Second)
	// Leap seconds end a month, at midnight UTC.
	if next := t.Add(time.Second); leap && (next.Day() != 1 || next.Hour() != 0 || next.Minute() != 0 || next.Second() != 0) {
		return time.Time{}, errTimeRange
	}
	return t, nil
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0
}

// number reads a short string of digits.
func number(s string) (n int) {
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
