package mention

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func FuzzFind(f *testing.F) {
	for _, text := range []string{
		answer[:300], "[Acme](<https://acme.com/x y> \"Rocket\")", "Acme™ Ac\u00ADme ﺃﻛﻤﻲ STRAẞE ΟΔΥΣΣΕΎΣ", "애크미에서는 แอคมี アクメー",
		"a@acme.com acme.com.Next www.x-y.com/a(b[c])?d", "\xff\xfe\\", strings.Repeat("](", 40),
	} {
		f.Add(text, "애크미", "acme.com")
	}
	f.Fuzz(func(t *testing.T, text, name, domain string) {
		products := append([]Product{{ID: 100, Names: []string{name}, Domain: domain}}, acme...)
		finder := NewFinder(products)
		seen := make(map[int64]bool)
		for i, m := range finder.Find(text) {
			if m.Position != i+1 || seen[m.ProductID] {
				t.Fatalf("mention %d of %q is %+v", i, text, m)
			}
			seen[m.ProductID] = true
		}
		for _, m := range finder.Find(name) {
			seen[m.ProductID] = true
		}
		if len(nameSymbols(name)) > 0 && !seen[100] {
			t.Fatalf("the name %q is not found in itself", name)
		}
	})
}

func FuzzURLs(f *testing.F) {
	for _, text := range []string{
		answer[:300], "[x](https://a.example/A_(b)_c \"t\") <https://b.example/,>", "https://[::1]:80/?a[]=1\\_&amp;b",
		"http://http://https://", "見https://a.exampleを", "](<https://a b>)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seen := make(map[string]bool)
		for _, u := range URLs(text) {
			parsed, err := url.Parse(u)
			if err != nil || parsed.Host == "" || seen[u] || strings.ContainsAny(u, " \t\n<>") {
				t.Fatalf("URLs(%q) has %q: %v", text, u, err)
			}
			if s := strings.ToLower(parsed.Scheme); s != "http" && s != "https" {
				t.Fatalf("URLs(%q) has scheme %q", text, s)
			}
			seen[u] = true
		}
	})
}

// Texts made to be slow take time in proportion to their length.
func TestCraftedTextsAreReadInLinearTime(t *testing.T) {
	const size = 1 << 17
	f := NewFinder(append(crowd(100), acme...))
	for _, piece := range []string{"a.", "a-", "](", "](<", "](a", "http://", "<http://", "a@", "acme ", "Acme Rocket ", "[", "(", "\\", "_a", "이라", "́", "acme.com."} {
		text := strings.Repeat(piece, size/len(piece))
		start := time.Now()
		f.Find(text)
		URLs(text)
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%d bytes of %q took %v", len(text), piece, d)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1, 10, 500} {
		f := NewFinder(append(crowd(n-1), acme[2]))
		b.Run(map[int]string{1: "products=1", 10: "products=10", 500: "products=500"}[n], func(b *testing.B) {
			b.SetBytes(int64(len(answer)))
			b.ReportAllocs()
			for b.Loop() {
				f.Find(answer)
			}
		})
	}
}

func BenchmarkURLs(b *testing.B) {
	b.SetBytes(int64(len(answer)))
	for b.Loop() {
		URLs(answer)
	}
}
