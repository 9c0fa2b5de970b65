package ingest

import (
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRejectedLinesLoseTheirAddresses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`203.0.113.9 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200`, `0.0.0.0 - - [02/Mar/2026:09:15:00 +0000] "GET / HTTP/1.1" 200`},
		{`{"ip":"2001:db8:1:2::17","at":"2026-03-02T09:15:00Z"}`, `{"ip":"::","at":"2026-03-02T09:15:00Z"}`},
		{`[2001:DB8::1]:443, ::ffff:203.0.113.9, ::1, fe80::1%eth0`, `[::]:443, ::, ::, ::%eth0`},
		{`2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff 203.0.113.9:8080`, `:: 0.0.0.0:8080`},
		{`x-forwarded-for=203.0.113.9,198.51.100.7;face203.0.113.9`, `x-forwarded-for=0.0.0.0,0.0.0.0;face0.0.0.0`},
		{`09:15:00 10:20:30:40 a:b 1.2.3 Mozilla/5.0`, `09:15:00 10:20:30:40 a:b 1.2.3 Mozilla/5.0`},
		{`2001:db8:1:2:3:4:5:6:443 and 12:34:56:78:90:ab:cd`, `:::443 and 12:34:56:78:90:ab:cd`},
		{`Chrome/120.0.0.0`, `Chrome/0.0.0.0`},
		{``, ``},
	} {
		if got := string(withoutAddresses([]byte(c.text))); got != c.want {
			t.Errorf("%s\nbecame %s\nwant   %s", c.text, got, c.want)
		}
	}
}

func TestNoAddressIsLeftInAnyLine(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var address netip.Addr
		if rapid.Bool().Draw(r, "IPv4") {
			address = netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.ByteRange(1, 255), 4, 4).Draw(r, "bytes")))
		} else {
			address = netip.AddrFrom16([16]byte(rapid.SliceOfN(rapid.ByteRange(1, 255), 16, 16).Draw(r, "bytes")))
		}
		around := rapid.SampledFrom([]string{" ", `"`, ",", "[", "]", "(", ")", "\t", ";", "=", "|"})
		text := address.String()
		if rapid.Bool().Draw(r, "upper") {
			text = strings.ToUpper(text)
		}
		line := "GET" + around.Draw(r, "before") + text + around.Draw(r, "after") + "09:15:00"
		if got := string(withoutAddresses([]byte(line))); strings.Contains(got, text) || !strings.HasSuffix(got, "09:15:00") {
			r.Fatalf("%s became %s", line, got)
		}
	})
}

func TestVisitorsOfADayAreAnothersTheNext(t *testing.T) {
	daily, weekly := newVisitors(make([]byte, 32), SaltDay), newVisitors(make([]byte, 32), SaltWeek)
	id := func(v *visitors, second int64) uint64 {
		return v.id(&hit{second: second, websiteID: "w", ip: netip.MustParseAddr("203.0.113.9"), agent: &agent{}}, &desk{})
	}
	const midnight = 1772409600 // Monday, 2 March 2026
	for _, c := range []struct {
		name string
		v    *visitors
		a, b int64
		same bool
	}{
		{"a day", daily, midnight, midnight + 86399, true},
		{"the next day", daily, midnight + 86399, midnight + 86400, false},
		{"the next day of a week", weekly, midnight + 86399, midnight + 86400, true},
		{"the next week", weekly, midnight, midnight + 7*86400, false},
	} {
		if same := id(c.v, c.a) == id(c.v, c.b); same != c.same {
			t.Errorf("%s: the same visitor: %v", c.name, same)
		}
	}
	if id(daily, midnight) == id(weekly, midnight) {
		t.Error("the visitor of a Monday is that of the week")
	}
	if _, err := ParseSalt("month"); err == nil || err.Error() != `"month" is neither week nor day` {
		t.Errorf("got %v", err)
	}
}
