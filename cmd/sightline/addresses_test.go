package main

import (
	"net"
	"testing"
)

func TestTwoFlagsMayNotNameOneAddress(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"127.0.0.1:8080", "127.0.0.1:8080", true},
		{"127.0.0.1:8080", "127.0.0.1:9081", false},
		{"127.0.0.1:8080", "127.0.0.2:8080", false},
		{"127.0.0.1:8080", "0.0.0.0:8080", true},
		{":8080", "127.0.0.1:8080", true},
		{"[::]:8080", "[::1]:8080", true},
		{"127.0.0.1:0", "127.0.0.1:0", false},
	} {
		if got := sameAddress(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

func TestAddressesAreShownAsTheyWereGiven(t *testing.T) {
	all := &net.TCPAddr{IP: net.IPv6zero, Port: 9081}
	for given, want := range map[string]string{
		"0.0.0.0:9081": "0.0.0.0:9081", "0.0.0.0:0": "0.0.0.0:9081", ":9081": "[::]:9081", "localhost:9081": "localhost:9081", "[::1]:9081": "[::1]:9081",
	} {
		if got := shownAddress(given, all); got != want {
			t.Errorf("%s is shown as %s", given, got)
		}
	}
}
