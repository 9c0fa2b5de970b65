package peer_test

import (
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/sightline-hq/sightline/internal/peer"
)

func TestACallerIsBelievedAboutOnlyByListedProxies(t *testing.T) {
	proxies, err := peer.ParseProxies([]string{"10.1.0.0/16", "fd00::7"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, remote, noted, want string }{
		{"no proxy", "192.0.2.9:5", "192.0.2.1", "192.0.2.9"},
		{"a listed proxy", "10.1.2.3:5", "192.0.2.1", "192.0.2.1"},
		{"a listed proxy of IPv6", "[fd00::7]:5", "2001:db8::1", "2001:db8::1"},
		{"a listed proxy, written as IPv6", "[::ffff:10.1.2.3]:5", "192.0.2.1", "192.0.2.1"},
		{"two listed proxies", "10.1.2.3:5", "192.0.2.1, 10.1.9.9", "192.0.2.1"},
		{"what the caller wrote himself", "10.1.2.3:5", "198.51.100.7, 192.0.2.1", "192.0.2.1"},
		{"nothing noted", "10.1.2.3:5", "", "10.1.2.3"},
		{"nonsense", "10.1.2.3:5", "192.0.2.1, unknown", "10.1.2.3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.remote
			r.Header.Set("X-Forwarded-For", c.noted)
			if got := proxies.Caller(r); got != netip.MustParseAddr(c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestANetworkOfIPv6IsOneCaller(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"192.0.2.1", "192.0.2.2", false},
	} {
		a, b := peer.Network(netip.MustParseAddr(c.a)), peer.Network(netip.MustParseAddr(c.b))
		if (a == b) != c.same {
			t.Errorf("%s and %s: %s %s", c.a, c.b, a, b)
		}
	}
}

func TestProxiesThatAreNone(t *testing.T) {
	for _, s := range []string{"", "proxy.example", "10.0.0.0/33", "10.0.0"} {
		if all, err := peer.ParseProxies([]string{s}); err == nil {
			t.Errorf("%q: %v", s, all)
		}
	}
}
