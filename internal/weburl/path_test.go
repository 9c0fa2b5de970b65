package weburl

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var pathCases = []struct{ name, raw, normalized, directory string }{
	{"empty", "", "/", "/"},
	{"root", "/", "/", "/"},
	{"only slashes", "//", "/", "/"},
	{"trailing slash", "/pricing/", "/pricing", "/"},
	{"query and fragment", "/pricing?utm_source=chatgpt.com#x", "/pricing", "/"},
	{"fragment before a question mark", "/pricing#a?b", "/pricing", "/"},
	{"case kept", "/Pricing", "/Pricing", "/"},
	{"slashes merged", "/blog//post/", "/blog/post", "/blog"},
	{"parent segment", "/blog/../pricing", "/pricing", "/"},
	{"above the root", "/../../pricing", "/pricing", "/"},
	{"three levels", "/docs/guides/start", "/docs/guides/start", "/docs/guides"},
	{"ids kept", "/p/12345", "/p/12345", "/p"},
	{"relative", "pricing", "/pricing", "/"},

	{"index file", "/blog/index.html", "/blog", "/"},
	{"index file at the root", "/index.php", "/", "/"},
	{"index file in upper case", "/blog/INDEX.HTM", "/blog", "/"},
	{"default file", "/blog/Default.aspx", "/blog", "/"},
	{"any short extension", "/blog/index.md", "/blog", "/"},
	{"index file and slash", "/blog/index.html/", "/blog", "/"},
	{"index file of an index file", "/index.html/index.html", "/", "/"},
	{"index file behind dots", "/blog/x/../index.html", "/blog", "/"},
	{"index file spelled with escapes", "/blog/%69ndex%2Ehtml", "/blog", "/"},
	{"index in the middle", "/index.html/post", "/index.html/post", "/index.html"},
	{"index without extension", "/blog/index", "/blog/index", "/blog"},
	{"index with an empty extension", "/blog/index.", "/blog/index.", "/blog"},
	{"index with two extensions", "/blog/index.min.js", "/blog/index.min.js", "/blog"},
	{"index with a long extension", "/blog/index.archive", "/blog/index.archive", "/blog"},
	{"a name that starts like one", "/blog/indexes.html", "/blog/indexes.html", "/blog"},

	{"unreserved decoded, backslash turned", `/%68ello//pa\th`, "/hello/pa/th", "/hello/pa"},
	{"UTF-8 decoded", "/caf%C3%A9/", "/café", "/"},
	{"UTF-8 as it is", "/café", "/café", "/"},
	{"UTF-8 half escaped", "/caf\xc3%A9", "/café", "/"},
	{"UTF-8 half escaped, the other half", "/caf%C3\xa9", "/café", "/"},
	{"four-byte character", "/%F0%9F%9A%80", "/🚀", "/"},
	{"reserved slash kept", "/a%2Fb", "/a%2Fb", "/"},
	{"escapes in upper case", "/a%2fb%3f%23%5c", "/a%2Fb%3F%23%5C", "/"},
	{"percent kept", "/100%25", "/100%25", "/"},
	{"an escaped escape is decoded once at most", "/a%2541", "/a%2541", "/"},
	{"stray percent", "/100%", "/100%25", "/"},
	{"stray percent before an escape", "/%%41", "/%25A", "/"},
	{"escape cut short", "/a%4", "/a%254", "/"},
	{"no escape", "/a%zz", "/a%25zz", "/"},
	{"space", "/a b", "/a%20b", "/"},
	{"escaped space", "/a%20b", "/a%20b", "/"},
	{"plus is no space", "/a+b", "/a+b", "/"},
	{"raw and escaped braces are one page", "/{id}", "/%7Bid%7D", "/"},
	{"brackets as browsers send them", "/[slug]", "/[slug]", "/"},
	{"sub-delimiters kept both ways", "/a!b%21", "/a!b%21", "/"},
	{"control character stays escaped", "/a%0a%00b", "/a%0A%00b", "/"},
	{"raw control character", "/a\nb\x7f", "/a%0Ab%7F", "/"},
	{"control character of Latin-1", "/a\u0085b%C2%85", "/a%C2%85b%C2%85", "/"},
	{"invalid UTF-8", "/a\xff", "/a%FF", "/"},
	{"escaped invalid UTF-8", "/a%ff%c3", "/a%FF%C3", "/"},
	{"surrogate half", "/%ed%a0%80", "/%ED%A0%80", "/"},
	{"escaped dots are dots", "/blog/%2e%2E/pricing", "/pricing", "/"},

	{"session", "/shop;jsessionid=1A2B", "/shop", "/"},
	{"session before a query", "/shop;jsessionid=1A2B?x=1", "/shop", "/"},
	{"session in the middle", "/shop;jsessionid=1/cart", "/shop/cart", "/shop"},
	{"session in any case", "/shop;JSessionID=1/cart;JSESSIONID=2", "/shop/cart", "/shop"},
	{"session behind an index file", "/shop/index.jsp;jsessionid=1", "/shop", "/"},
	{"session behind dots", "/shop/..;jsessionid=1/cart", "/cart", "/"},
	{"session alone", "/;jsessionid=1/cart", "/cart", "/"},
	{"session spelled with escapes", "/shop;%6asessionid=1", "/shop", "/"},
	{"session behind another parameter", "/shop;v=2;jsessionid=1", "/shop;v=2", "/"},
	{"no session without a value sign", "/shop;jsessionid", "/shop;jsessionid", "/"},
	{"an escaped semicolon is no separator", "/shop%3Bjsessionid=1", "/shop%3Bjsessionid=1", "/"},

	{"absolute form", "https://example.com/a/b?c=d", "/a/b", "/a"},
	{"absolute form without path", "HTTP://example.com", "/", "/"},
	{"absolute form with query alone", "http://example.com?a=/b", "/", "/"},
	{"another scheme is a path", "ftp://example.com/a", "/ftp:/example.com/a", "/ftp:/example.com"},
	{"URL inside a path", "/go/https://example.com/", "/go/https:/example.com", "/go/https:"},
}

func TestNormalizePathAndDirectory(t *testing.T) {
	for _, c := range pathCases {
		t.Run(c.name, func(t *testing.T) {
			got := NormalizePath(c.raw)
			if got != c.normalized {
				t.Errorf("NormalizePath(%q) = %q, want %q", c.raw, got, c.normalized)
			}
			if dir := Directory(got); dir != c.directory {
				t.Errorf("Directory(%q) = %q, want %q", got, dir, c.directory)
			}
			if again := NormalizePath(got); again != got {
				t.Errorf("NormalizePath(%q) = %q, not the same again", got, again)
			}
		})
	}
}

func FuzzNormalizePath(f *testing.F) {
	for _, c := range pathCases {
		f.Add(c.raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got := NormalizePath(raw)
		if again := NormalizePath(got); again != got {
			t.Errorf("NormalizePath(%q) = %q, and of that %q", raw, got, again)
		}
		switch {
		case !utf8.ValidString(got):
			t.Errorf("%q: invalid UTF-8", got)
		case !strings.HasPrefix(got, "/"), got != "/" && strings.HasSuffix(got, "/"), strings.Contains(got, "//"):
			t.Errorf("%q: slashes", got)
		case strings.ContainsAny(got, `\?# `), strings.ContainsFunc(got, unicode.IsControl):
			t.Errorf("%q: forbidden character", got)
		}
		if dir := Directory(got); got != "/" && !strings.HasPrefix(got, dir) {
			t.Errorf("Directory(%q) = %q", got, dir)
		}
	})
}

func BenchmarkNormalizePath(b *testing.B) {
	for _, c := range []struct{ name, path string }{
		{"clean", "/docs/guides/getting-started"},
		{"escapes", "/caf%C3%A9/men%C3%BC/index.html?x=1"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				NormalizePath(c.path)
			}
		})
	}
}
