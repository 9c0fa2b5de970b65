package api

import (
	"testing"
	"time"
)

func TestParseTimeAcceptsRFC3339(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"RFC example: fraction", "1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.52Z"},
		{"RFC example: offset", "1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"},
		{"RFC example: leap second", "1990-12-31T23:59:60Z", "1990-12-31T23:59:59Z"},
		{"RFC example: leap second elsewhere", "1990-12-31T15:59:60-08:00", "1990-12-31T23:59:59Z"},
		{"RFC example: offset of Amsterdam time", "1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.87Z"},
		{"lower-case t and z", "2026-03-01t10:00:00z", "2026-03-01T10:00:00Z"},
		{"unknown local offset", "2026-03-01T10:00:00-00:00", "2026-03-01T10:00:00Z"},
		{"positive zero offset", "2026-03-01T10:00:00+00:00", "2026-03-01T10:00:00Z"},
		{"largest offset", "2026-03-01T10:00:00+23:59", "2026-02-28T10:01:00Z"},
		{"smallest offset", "2026-03-01T10:00:00-23:59", "2026-03-02T09:59:00Z"},
		{"nine digits", "2026-03-01T10:00:00.123456789Z", "2026-03-01T10:00:00.123456789Z"},
		{"more digits are cut", "2026-03-01T10:00:00.1234567899999Z", "2026-03-01T10:00:00.123456789Z"},
		{"a fraction never becomes zero", "2026-03-01T10:00:00.00000000000001Z", "2026-03-01T10:00:00.000000001Z"},
		{"a fraction of zeros is zero", "2026-03-01T10:00:00.000000000000Z", "2026-03-01T10:00:00Z"},
		{"leap day", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"leap day of a century", "2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"},
		{"leap second in June", "2015-06-30T23:59:60Z", "2015-06-30T23:59:59Z"},
		{"leap second with a fraction", "2016-12-31T23:59:60.9Z", "2016-12-31T23:59:59Z"},
		{"first year", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
		{"last second", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseTime(c.in)
			if err != nil {
				t.Fatalf("ParseTime(%q): %v", c.in, err)
			}
			if s := got.Format(time.RFC3339Nano); s != c.want {
				t.Errorf("ParseTime(%q) = %s, want %s", c.in, s, c.want)
			}
		})
	}
}

func TestParseTimeRejects(t *testing.T) {
	const (
		form  = "not an RFC 3339 date-time such as 2026-03-01T00:00:00Z"
		zone  = "no time zone: end it with Z or an offset such as +01:00"
		plus  = "the + of a time zone must be sent as %2B"
		none  = "no such date or time"
		aDate = "a date without a time: write 2026-03-01T00:00:00Z"
	)
	cases := []struct{ name, in, want string }{
		{"nothing", "", form},
		{"words", "yesterday", form},
		{"Unix time", "1772323200", form},
		{"bare date", "2026-03-01", aDate},
		{"date with a T", "2026-03-01T", form},
		{"no seconds", "2026-03-01T10:00Z", form},
		{"one-digit hour", "2026-03-01T1:00:00Z", form},
		{"one-digit month", "2026-3-01T10:00:00Z", form},
		{"two-digit year", "26-03-01T10:00:00Z", form},
		{"five-digit year", "12026-03-01T10:00:00Z", form},
		{"negative year", "-026-03-01T10:00:00Z", form},
		{"signed day", "2026-03-+1T10:00:00Z", form},
		{"Arabic digits", "٢٠٢٦-03-01T10:00:00Z", form},
		{"slashes", "2026/03/01T10:00:00Z", form},
		{"space separator", "2026-03-01 10:00:00Z", form},
		{"underscore separator", "2026-03-01_10:00:00Z", form},
		{"basic format", "20260301T100000Z", form},
		{"ordinal date", "2026-060T10:00:00Z", form},
		{"week date", "2026-W09-7T10:00:00Z", form},
		{"leading space", " 2026-03-01T10:00:00Z", form},
		{"trailing space", "2026-03-01T10:00:00Z ", form},
		{"trailing newline", "2026-03-01T10:00:00Z\n", form},
		{"comma fraction", "2026-03-01T10:00:00,5Z", form},
		{"empty fraction", "2026-03-01T10:00:00.Z", form},
		{"two fractions", "2026-03-01T10:00:00.5.5Z", form},
		{"missing zone", "2026-03-01T10:00:00", zone},
		{"missing zone after a fraction", "2026-03-01T10:00:00.5", zone},
		{"zone name", "2026-03-01T10:00:00 CET", form},
		{"zone without colon", "2026-03-01T10:00:00+0100", form},
		{"zone of hours", "2026-03-01T10:00:00+01", form},
		{"zone with seconds", "2026-03-01T10:00:00+01:00:00", form},
		{"zone with one digit", "2026-03-01T10:00:00+1:000", form},
		{"Unicode minus", "2026-03-01T10:00:00−01:00", form},
		{"space where + was meant", "2026-03-01T10:00:00 01:00", plus},
		{"space where + was meant, with fraction", "2026-03-01T10:00:00.5 01:00", plus},
		{"hour 24", "2026-03-01T24:00:00Z", none},
		{"minute 60", "2026-03-01T10:60:00Z", none},
		{"second 61", "2016-12-31T23:59:61Z", none},
		{"month 13", "2026-13-01T10:00:00Z", none},
		{"month 0", "2026-00-01T10:00:00Z", none},
		{"day 0", "2026-03-00T10:00:00Z", none},
		{"day 32", "2026-03-32T10:00:00Z", none},
		{"April 31", "2026-04-31T10:00:00Z", none},
		{"February 29 of a common year", "2026-02-29T10:00:00Z", none},
		{"February 29 of a common century", "1900-02-29T10:00:00Z", none},
		{"leap second at noon", "2016-12-31T12:00:60Z", none},
		{"leap second inside a month", "2016-12-30T23:59:60Z", none},
		{"leap second at local midnight", "2016-12-31T23:59:60+01:00", none},
		{"offset of 24 hours", "2026-03-01T10:00:00+24:00", none},
		{"offset of 60 minutes", "2026-03-01T10:00:00+01:60", none},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseTime(c.in)
			if err == nil {
				t.Fatalf("ParseTime(%q) = %s, want an error", c.in, got)
			}
			if err.Error() != c.want {
				t.Errorf("ParseTime(%q): %q, want %q", c.in, err, c.want)
			}
		})
	}
}

func TestWindowSeconds(t *testing.T) {
	cases := []struct {
		name, from, to string
		first, last    int64
	}{
		{"whole seconds belong to it", "1970-01-01T00:00:10Z", "1970-01-01T00:00:20Z", 10, 20},
		{"one second", "1970-01-01T00:00:10Z", "1970-01-01T00:00:10Z", 10, 10},
		{"a fraction of the start leaves its second out", "1970-01-01T00:00:10.001Z", "1970-01-01T00:00:20Z", 11, 20},
		{"the smallest fraction does too", "1970-01-01T00:00:10.0000000000001Z", "1970-01-01T00:00:20Z", 11, 20},
		{"a fraction of the end keeps its second", "1970-01-01T00:00:10Z", "1970-01-01T00:00:20.999Z", 10, 20},
		{"no whole second inside", "1970-01-01T00:00:10.2Z", "1970-01-01T00:00:10.8Z", 11, 10},
		{"before 1970", "1969-12-31T23:59:58.5Z", "1969-12-31T23:59:59.5Z", -1, -1},
		{"a leap second at the end stays in its day", "2016-12-31T00:00:00Z", "2016-12-31T23:59:60Z", 1483142400, 1483228799},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := Window{From: at(t, c.from), To: at(t, c.to)}
			if first, last := w.Seconds(); first != c.first || last != c.last {
				t.Errorf("%s to %s: seconds %d to %d, want %d to %d", c.from, c.to, first, last, c.first, c.last)
			}
		})
	}
}

func TestFormatTimeWritesUTC(t *testing.T) {
	for unix, want := range map[int64]string{
		0: "1970-01-01T00:00:00Z", 1772409600: "2026-03-02T00:00:00Z", 4102444800: "2100-01-01T00:00:00Z",
	} {
		if got := FormatTime(unix); got != want {
			t.Errorf("FormatTime(%d) = %s, want %s", unix, got, want)
		}
	}
}

func at(t *testing.T, s string) time.Time {
	t.Helper()
	parsed, err := ParseTime(s)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
