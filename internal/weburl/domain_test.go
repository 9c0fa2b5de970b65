package weburl

import (
	"strings"
	"testing"
)

func TestBareDomainGivesEveryDomainOneForm(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"already bare", "acme.com", "acme.com"},
		{"upper case", "Acme.COM", "acme.com"},
		{"www", "www.acme.com", "acme.com"},
		{"www in upper case", "WWW.acme.com", "acme.com"},
		{"www twice", "www.www.acme.com", "acme.com"},
		{"www as the name itself", "www.com", "www.com"},
		{"www inside", "shop.www.acme.com", "shop.www.acme.com"},
		{"www without a dot", "wwwacme.com", "wwwacme.com"},
		{"trailing dot", "acme.com.", "acme.com"},
		{"trailing dots", "acme.com..", "acme.com"},
		{"port", "acme.com:8080", "acme.com"},
		{"dot and port", "www.acme.com.:443", "acme.com"},
		{"empty port", "acme.com:", "acme.com"},
		{"subdomain", "blog.acme.com", "blog.acme.com"},
		{"single label", "LOCALHOST:8080", "localhost"},
		{"IPv4", "192.0.2.1:80", "192.0.2.1"},
		{"IPv6 with port", "[2001:DB8::1]:443", "[2001:db8::1]"},
		{"IPv6 without brackets", "2001:db8::1", "2001:db8::1"},
		{"letters beyond ASCII", "www.Bücher.example", "xn--bcher-kva.example"},
		{"their ASCII form", "XN--BCHER-KVA.example", "xn--bcher-kva.example"},
		{"a URL is no domain and stays recognizable", "https://acme.com", "https://acme.com"},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := BareDomain(c.in); got != c.want {
				t.Errorf("BareDomain(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestValidDomain(t *testing.T) {
	label63 := strings.Repeat("a", 63)
	long := strings.Repeat(label63+".", 3) // 192 bytes
	for _, c := range []struct {
		name, in string
		want     bool
	}{
		{"two labels", "acme.com", true},
		{"many labels", "a.b.shop-1.acme.co.uk", true},
		{"upper case", "Acme.com", true},
		{"localhost", "localhost", true},
		{"IPv4", "127.0.0.1", true},
		{"letters beyond ASCII", "bücher.example", true},
		{"combining marks", "हिन्दी.भारत", true},
		{"ASCII form", "xn--bcher-kva.example", true},
		{"longest label", label63 + ".com", true},
		{"longest name", long + strings.Repeat("a", 61), true},
		{"empty", "", false},
		{"single label", "acme", false},
		{"label too long", label63 + "a.com", false},
		{"label too long once in ASCII", strings.Repeat("ü", 60) + ".com", false},
		{"name too long", long + strings.Repeat("a", 62), false},
		{"empty label", "acme..com", false},
		{"leading dot", ".acme.com", false},
		{"trailing dot", "acme.com.", false},
		{"leading hyphen", "-acme.com", false},
		{"trailing hyphen", "acme-.com", false},
		{"hyphen before other scripts", "-ü.com", false},
		{"underscore", "my_shop.acme.com", false},
		{"space", "acme .com", false},
		{"scheme", "https://acme.com", false},
		{"path", "acme.com/blog", false},
		{"port", "acme.com:8080", false},
		{"user", "me@acme.com", false},
		{"half an address", "10.0.1", false},
		{"IPv6", "[::1]", false},
		{"wildcard", "*.acme.com", false},
		{"invalid UTF-8", "acme\xff.com", false},
		{"emoji", "💩.example", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ValidDomain(c.in); got != c.want {
				t.Errorf("ValidDomain(%q) = %v, want %v", c.in, got, c.want)
			}
		})
	}
}

// The samples are registered names, and the first of RFC 3492, section 7.1.
func TestPunycode(t *testing.T) {
	for in, want := range map[string]string{
		"ليهمابتكلموشعربي؟": "egbpdaj6bu4bxfgehfvwxn",
		"bücher":            "bcher-kva",
		"münchen":           "mnchen-3ya",
		"россия":            "h1alffa9f",
		"рф":                "p1ai",
		"例え":                "r8jz45g",
		"💩":                 "ls8h",
		"ü":                 "tda",
	} {
		if got := punycode([]rune(in)); got != want {
			t.Errorf("punycode(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzBareDomain(f *testing.F) {
	for _, s := range []string{"www.acme.com.:80", "www.[::ffff:1.2.3.4]:80", "Bücher.example", "a:80.", "\xff.com"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		bare := BareDomain(s)
		if again := BareDomain(bare); again != bare {
			t.Errorf("BareDomain(%q) = %q, and of that %q", s, bare, again)
		}
		if ValidDomain(s) && !ValidDomain(bare) {
			t.Errorf("%q is valid, its bare form %q is not", s, bare)
		}
	})
}
