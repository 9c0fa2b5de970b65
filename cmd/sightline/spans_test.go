package main

import (
	"testing"
	"time"
)

func TestWhenAKeyExpires(t *testing.T) {
	now := time.Date(2026, 3, 12, 10, 30, 15, 0, time.UTC)
	const forms = `, a day such as 2027-01-31, a moment such as 2027-01-31T18:00:00Z, or never`
	for _, c := range []struct{ text, want string }{
		{"never", "0001-01-01T00:00:00Z"},
		{"90d", "2026-06-10T10:30:15Z"},
		{"2w", "2026-03-26T10:30:15Z"},
		{"12h", "2026-03-12T22:30:15Z"},
		{"2s", "2026-03-12T10:30:17Z"},
		{"2027-01-31", "2027-01-31T00:00:00Z"},
		{"2027-01-31T18:00:00+02:00", "2027-01-31T16:00:00Z"},
		{"2026-03-12", "--expires 2026-03-12 is past: it is 2026-03-12 10:30 UTC now"},
		{"2026-03-12T10:30:15Z", "--expires 2026-03-12T10:30:15Z is past: it is 2026-03-12 10:30 UTC now"},
		{"2027-02-30", `--expires 2027-02-30: there is no such day`},
		{"99999999d", "--expires 99999999d is more than 100 years ahead: leave it out for a key that never expires"},
		{"", `--expires "" is no time such as 90d, 2w, 24h or 30m` + forms},
		{"d", `--expires "d" is no time such as 90d, 2w, 24h or 30m` + forms},
		{"90", `--expires "90" is no time such as 90d, 2w, 24h or 30m` + forms},
		{"-90d", `--expires "-90d" is no time ahead: write one such as 24h` + forms},
		{"0d", `--expires "0d" is no time ahead: write one such as 24h` + forms},
		{"99999999999d", "--expires 99999999999d is more than 100 years ahead: leave it out for a key that never expires"},
		{"9999-01-01", "--expires 9999-01-01 is more than 100 years ahead: leave it out for a key that never expires"},
	} {
		at, err := parseExpiry(c.text, now)
		got := at.Format(time.RFC3339)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}
