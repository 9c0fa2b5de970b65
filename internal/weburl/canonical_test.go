package weburl

import (
	"net/url"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, raw, url, domain string }{
		{"already canonical", "https://acme.com/a?b=1", "https://acme.com/a?b=1", "acme.com"},
		{"scheme and host in lower case, path not", "HTTPS://WWW.Acme.com/Path", "https://www.acme.com/Path", "acme.com"},
		{"empty path stays empty", "https://acme.com", "https://acme.com", "acme.com"},
		{"root stays", "https://acme.com/", "https://acme.com/", "acme.com"},
		{"path untouched", "https://acme.com/a//./b/../index.html", "https://acme.com/a//./b/../index.html", "acme.com"},
		{"default port of https", "https://acme.com:443/a", "https://acme.com/a", "acme.com"},
		{"default port of http", "http://acme.com:80/a", "http://acme.com/a", "acme.com"},
		{"default port of the other scheme", "http://acme.com:443/a", "http://acme.com:443/a", "acme.com"},
		{"another port", "https://acme.com:08443/a", "https://acme.com:8443/a", "acme.com"},
		{"empty port", "https://acme.com:/a", "https://acme.com/a", "acme.com"},
		{"user", "https://me:pw@acme.com/a", "https://acme.com/a", "acme.com"},
		{"trailing dot of the host", "https://acme.com./a", "https://acme.com/a", "acme.com"},
		{"fragment", "https://acme.com/a#b?c", "https://acme.com/a", "acme.com"},
		{"text fragment", "https://acme.com/a#:~:text=b", "https://acme.com/a", "acme.com"},
		{"spaces around", " https://acme.com/a\n", "https://acme.com/a", "acme.com"},
		{"IPv4", "http://192.0.2.1/a", "http://192.0.2.1/a", "192.0.2.1"},
		{"IPv6", "http://[2001:DB8::1]:80/a", "http://[2001:db8::1]/a", "[2001:db8::1]"},
		{"host beyond ASCII", "https://www.Bücher.example/ü", "https://www.xn--bcher-kva.example/%C3%BC", "xn--bcher-kva.example"},

		{"one tracking parameter", "https://acme.com/?utm_source=chatgpt.com", "https://acme.com/", "acme.com"},
		{"all tracking parameters", "https://acme.com/?gclid=1&fbclid=2&msclkid=3&srsltid=4&utm_x=5", "https://acme.com/", "acme.com"},
		{"tracking in any case", "https://acme.com/?GCLID=1&Utm_Source=2&a=3", "https://acme.com/?a=3", "acme.com"},
		{"tracking spelled with escapes", "https://acme.com/?utm%5Fsource=1", "https://acme.com/", "acme.com"},
		{"tracking without value", "https://acme.com/?utm_source&a", "https://acme.com/?a", "acme.com"},
		{"others keep order and spelling", "https://acme.com/?b=%7e+x&utm_id=1&a=&&A=2", "https://acme.com/?b=%7e+x&a=&&A=2", "acme.com"},
		{"names that look like tracking", "https://acme.com/?utmsource=1&xgclid=2&gclids=3", "https://acme.com/?utmsource=1&xgclid=2&gclids=3", "acme.com"},
		{"nothing behind the question mark", "https://acme.com/a?", "https://acme.com/a", "acme.com"},
		{"query without path", "https://acme.com?utm_source=1&a=2", "https://acme.com?a=2", "acme.com"},
		{"question mark in the query", "https://acme.com/?a?b=1", "https://acme.com/?a?b=1", "acme.com"},

		{"escapes kept byte for byte", "https://acme.com/%7ea%2f%C3%a9", "https://acme.com/%7ea%2f%C3%a9", "acme.com"},
		{"stray percent", "https://acme.com/100%?q=50%zz", "https://acme.com/100%25?q=50%25zz", "acme.com"},
		{"space", "https://acme.com/a b?c d", "https://acme.com/a%20b?c%20d", "acme.com"},
		{"forbidden characters", "https://acme.com/\"<>\\^`{|}[]", "https://acme.com/%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D", "acme.com"},
		{"control characters", "https://acme.com/a\tb\x7f", "https://acme.com/a%09b%7F", "acme.com"},
		{"invalid UTF-8", "https://acme.com/\xff", "https://acme.com/%FF", "acme.com"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, domain, err := Canonical(c.raw)
			if err != nil || got != c.url || domain != c.domain {
				t.Errorf("Canonical(%q) = %q, %q, %v, want %q, %q", c.raw, got, domain, err, c.url, c.domain)
			}
			if again, _, err := Canonical(got); again != got {
				t.Errorf("Canonical(%q) = %q, %v, not the same again", got, again, err)
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"empty", "", "empty"},
		{"blank", " \n", "empty"},
		{"path", "/a", "not an http(s) URL"},
		{"no scheme", "acme.com/a", "not an http(s) URL"},
		{"another scheme", "mailto:me@acme.com", "not an http(s) URL"},
		{"file", "file:///a", "not an http(s) URL"},
		{"no host", "https:///a", "no valid host"},
		{"dots for a host", "https://.../a", "no valid host"},
		{"empty label", "https://a..com/", "no valid host"},
		{"escapes in the host", "https://acme%2Ecom/", "no valid host"},
		{"backslash behind the host", `https://acme.com\a`, "no valid host"},
		{"backslash before a user's sign", `https://acme.com\@evil.example/`, "no valid host"},
		{"space in the host", "https://acme com/", "no valid host"},
		{"broken IPv6", "http://[::1/", "no valid host"},
		{"IPv4 in brackets", "http://[192.0.2.1]/", "no valid host"},
		{"IPv6 with a zone", "http://[fe80::1%25eth0]/", "no valid host"},
		{"text behind IPv6", "http://[::1]x/", "no valid host"},
		{"port zero", "http://acme.com:0/", "no valid host"},
		{"signed port", "http://acme.com:+80/", "no valid host"},
		{"too long", "https://acme.com/" + strings.Repeat("a", MaxURL), "longer than 8192 bytes"},
		{"too long once escaped", "https://acme.com/" + strings.Repeat(" ", MaxURL/2) + "a", "longer than 8192 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, domain, err := Canonical(c.raw)
			if err == nil || err.Error() != c.want || got != "" || domain != "" {
				t.Errorf("Canonical(%.40q) = %.40q, %q, %v, want %q", c.raw, got, domain, err, c.want)
			}
		})
	}
}

func TestValidURL(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want bool
	}{
		{"https://www.acme.com", true},
		{"http://acme.com/", true},
		{"https://acme.com:8443/a%20b?c=d#e", true},
		{"HTTPS://ACME.com/", true},
		{"http://localhost:8080", true},
		{"http://192.0.2.1/", true},
		{"http://[::1]/", true},
		{"https://xn--bcher-kva.example/", true},
		{"https://bücher.example/", false},
		{"", false},
		{"acme.com", false},
		{"//acme.com", false},
		{"ftp://acme.com", false},
		{"https://", false},
		{"https://acme", false},
		{"https://my_shop.acme.com", false},
		{"https://me@acme.com", false},
		{"https://acme.com:99999", false},
		{"https://acme.com/a b", false},
		{"https://acme.com/ü", false},
		{"https://acme.com/100%", false},
		{"https://acme.com/#a#b", false},
		{" https://acme.com", false},
		{"https://acme.com/\n", false},
		{"https://acme.com/" + strings.Repeat("a", MaxURL), false},
	} {
		if got := ValidURL(c.raw); got != c.want {
			t.Errorf("ValidURL(%.60q) = %v, want %v", c.raw, got, c.want)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{
		"HTTPS://u:p@WWW.Acme.com.:443/a b?utm_x=1&b=%zz#c", "http://[::1]:81?&utm_a", "https://Bücher.example/ü",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, domain, err := Canonical(raw)
		if err != nil {
			return
		}
		again, sameDomain, err := Canonical(got)
		if again != got || sameDomain != domain {
			t.Errorf("Canonical(%q) = %q, %q, and of that %q, %q, %v", raw, got, domain, again, sameDomain, err)
		}
		u, err := url.Parse(got)
		if err != nil || u.User != nil || u.Fragment != "" || u.Host == "" {
			t.Errorf("Canonical(%q) = %q: parsed as %+v, %v", raw, got, u, err)
		}
		_, _, rest, _ := splitHTTP(got)
		if !isASCII(got) || !isURI(rest) || BareDomain(u.Host) != domain {
			t.Errorf("Canonical(%q) = %q, %q: not a URI or another domain", raw, got, domain)
		}
	})
}
