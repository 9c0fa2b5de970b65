package accesslog

import (
	"math"
	"strconv"
)

// maxSecond is the end of the year 9999, the last that RFC 3339 can write.
const maxSecond = 253402300799

// readTime reads a time in any of the forms that logs in JSON use: RFC 3339 and
// its relatives, Unix time in any unit, and the form of web servers.
func (c *clock) readTime(t []byte) (int64, bool) {
	switch {
	case len(t) == combinedTime && t[2] == '/':
		return c.read(t)
	case len(t) >= 19 && (t[4] == '-' || t[4] == '/'):
		return isoTime(t)
	}
	return unixTime(t)
}

// isoTime reads "2006-01-02T15:04:05" with or without fraction and zone, and
// with a space for the T, slashes for the hyphens or no colon in the zone, as
// some logs have it. Without a zone it is UTC.
func isoTime(t []byte) (int64, bool) {
	if len(t) < 19 || t[13] != ':' || t[16] != ':' || t[10] != 'T' && t[10] != ' ' && t[10] != 't' {
		return 0, false
	}
	day, ok := isoDay(t[:10])
	if !ok {
		return 0, false
	}
	clock, ok := secondOfDay(two(t, 11), two(t, 14), two(t, 17))
	if !ok {
		return 0, false
	}
	zone, ok := isoZone(t[19:])
	second := day*86400 + clock - zone
	return second, ok && second >= 0 && second <= maxSecond
}

// isoDay reads "2006-01-02".
func isoDay(t []byte) (int64, bool) {
	if len(t) != 10 || t[4] != t[7] || t[4] != '-' && t[4] != '/' {
		return 0, false
	}
	return days(four(t, 0), two(t, 5), two(t, 8))
}

// isoZone reads what follows the seconds: a fraction, which is dropped, and a zone.
func isoZone(t []byte) (int64, bool) {
	if len(t) > 0 && (t[0] == '.' || t[0] == ',') {
		n := 1
		for n < len(t) && t[n] >= '0' && t[n] <= '9' {
			n++
		}
		if n == 1 {
			return 0, false
		}
		t = t[n:]
	}
	if len(t) > 0 && t[0] == ' ' {
		t = t[1:]
	}
	switch string(t) {
	case "", "Z", "z", "UTC", "GMT":
		return 0, true
	}
	return offset(t)
}

// offset reads "-0700", "-07:00" or "-07".
func offset(t []byte) (int64, bool) {
	if len(t) < 3 || t[0] != '+' && t[0] != '-' {
		return 0, false
	}
	hours, minutes := two(t, 1), 0
	switch {
	case len(t) == 5:
		minutes = two(t, 3)
	case len(t) == 6 && t[3] == ':':
		minutes = two(t, 4)
	case len(t) != 3:
		return 0, false
	}
	seconds, ok := secondOfDay(hours, minutes, 0)
	if t[0] == '-' {
		seconds = -seconds
	}
	return seconds, ok
}

// unixTime reads Unix time in seconds, milli-, micro- or nanoseconds; the size
// of the number tells which, from the year 1973 on. Fractions are dropped.
func unixTime(t []byte) (int64, bool) {
	var n int64
	for i, c := range t {
		switch {
		case c >= '0' && c <= '9' && n <= (math.MaxInt64-9)/10:
			n = n*10 + int64(c-'0')
		case c == '.' && i > 0 && allDigits(t[i+1:]):
			return inSeconds(n), inSeconds(n) <= maxSecond
		default:
			return floatTime(t)
		}
	}
	return inSeconds(n), len(t) > 0 && inSeconds(n) <= maxSecond
}

func inSeconds(n int64) int64 {
	switch {
	case n < 1e11:
		return n
	case n < 1e14:
		return n / 1e3
	case n < 1e17:
		return n / 1e6
	}
	return n / 1e9
}

// floatTime reads Unix time that is written with an exponent.
func floatTime(t []byte) (int64, bool) {
	if len(t) == 0 || t[0] < '0' || t[0] > '9' {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(t), 64)
	if err != nil || f >= math.MaxInt64 {
		return 0, false
	}
	return inSeconds(int64(f)), inSeconds(int64(f)) <= maxSecond
}
