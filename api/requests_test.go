package api

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

const (
	day31  = "dateFrom=2026-03-01T00:00:00Z&dateTo=2026-03-31T23:59:59Z"
	window = day31 + "&"
	asked  = "domain=acme.example&" + day31
)

func march(t *testing.T) Window {
	t.Helper()
	return Window{From: at(t, "2026-03-01T00:00:00Z"), To: at(t, "2026-03-31T23:59:59Z")}
}

func TestDecodePromptsReads(t *testing.T) {
	cases := []struct {
		name, query string
		platforms   []string
		labels      []int64
	}{
		{"required parameters alone", asked, nil, nil},
		{"lists", asked + "&platforms[]=openai&platforms[]=claude&labelIds[]=3&labelIds[]=1", []string{"openai", "claude"}, []int64{1, 3}},
		{"escaped names", asked + "&platforms%5B%5D=openai&labelIds%5b%5d=1", []string{"openai"}, []int64{1}},
		{"repeated values once", asked + "&platforms[]=a&platforms[]=b&platforms[]=a&labelIds[]=7&labelIds[]=7", []string{"a", "b"}, []int64{7}},
		{"one label in two spellings", asked + "&labelIds[]=7&labelIds[]=007", nil, []int64{7}},
		{"platforms in either case", asked + "&platforms[]=OpenAI&platforms[]=openai", []string{"OpenAI", "openai"}, nil},
		{"unknown names are ignored", asked + "&platforms=x&labelIds=x&x=&x=&Domain=b&groupBy=nonsense", nil, nil},
		{"any order", day31 + "&labelIds[]=1&domain=acme.example", nil, []int64{1}},
		{"empty pairs", "&&" + asked + "&", nil, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := PromptsRequest{Domain: "acme.example", Window: march(t), Platforms: c.platforms, LabelIDs: c.labels}
			got, err := DecodePrompts(c.query)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("DecodePrompts(%q)\n got %+v, %v\nwant %+v", c.query, got, err, want)
			}
		})
	}
}

func TestDecodePromptsKeepsTheDomainAsSent(t *testing.T) {
	got, err := DecodePrompts("domain=WWW.Acme.example.&" + day31)
	if err != nil || got.Domain != "WWW.Acme.example." {
		t.Errorf("got %q, %v", got.Domain, err)
	}
}

func TestDecodePromptsRejects(t *testing.T) {
	cases := []struct{ name, query, want string }{
		{"nothing", "", "domain: required"},
		{"no domain", day31, "domain: required"},
		{"no dateFrom", "domain=a&dateTo=2026-03-31T23:59:59Z", "dateFrom: required"},
		{"no dateTo", "domain=a&dateFrom=2026-03-31T23:59:59Z", "dateTo: required"},
		{"empty domain", "domain=&" + day31, "domain: empty"},
		{"domain without value", "domain&" + day31, "domain: empty"},
		{"domain twice", asked + "&domain=b", "domain: sent more than once"},
		{"the same domain twice", asked + "&domain=acme.example", "domain: sent more than once"},
		{"dateFrom twice", asked + "&dateFrom=2026-03-01T00:00:00Z", "dateFrom: sent more than once"},
		{"dateTo twice", asked + "&dateTo=2026-03-01T00:00:00Z", "dateTo: sent more than once"},
		{"domain in Latin-1", "domain=m%FCller.example&" + day31, "domain: not valid UTF-8"},
		{"empty dateFrom", "domain=a&dateFrom=&dateTo=2026-03-31T23:59:59Z", "dateFrom: empty"},
		{"bare dateFrom", "domain=a&dateFrom=2026-03-01&dateTo=2026-03-31T23:59:59Z", "dateFrom: a date without a time: write 2026-03-01T00:00:00Z"},
		{"malformed dateTo", "domain=a&dateFrom=2026-03-01T00:00:00Z&dateTo=now", "dateTo: not an RFC 3339 date-time such as 2026-03-01T00:00:00Z"},
		{"plus of an offset unescaped", "domain=a&dateFrom=2026-03-01T00:00:00+01:00&dateTo=2026-03-31T23:59:59Z", "dateFrom: the + of a time zone must be sent as %2B"},
		{"dateFrom after dateTo", "domain=a&dateFrom=2026-03-01T00:00:01Z&dateTo=2026-03-01T00:00:00Z", "dateFrom: after dateTo"},
		{"after by a fraction", "domain=a&dateFrom=2026-03-01T00:00:00.1Z&dateTo=2026-03-01T00:00:00Z", "dateFrom: after dateTo"},
		{"after because of an offset", "domain=a&dateFrom=2026-03-01T00:00:00Z&dateTo=2026-03-01T00:30:00%2B01:00", "dateFrom: after dateTo"},
		{"empty platform", asked + "&platforms[]=", "platforms[]: empty"},
		{"empty platform among others", asked + "&platforms[]=a&platforms[]=", "platforms[]: empty"},
		{"platform not UTF-8", asked + "&platforms[]=%ff", "platforms[]: not valid UTF-8"},
		{"empty label", asked + "&labelIds[]=", "labelIds[]: empty"},
		{"label in words", asked + "&labelIds[]=brand", "labelIds[]: not a whole number"},
		{"labels in one value", asked + "&labelIds[]=1,2", "labelIds[]: not a whole number"},
		{"negative label", asked + "&labelIds[]=-1", "labelIds[]: not a whole number"},
		{"signed label", asked + "&labelIds[]=%2B1", "labelIds[]: not a whole number"},
		{"fractional label", asked + "&labelIds[]=1.0", "labelIds[]: not a whole number"},
		{"label past 64 bits", asked + "&labelIds[]=9223372036854775808", "labelIds[]: too large"},
		{"malformed escape", asked + "&x=%zz", "query string: malformed escape or separator"},
		{"semicolon", asked + ";x=1", "query string: malformed escape or separator"},
		{"first mistake is told", "domain=&labelIds[]=x&" + day31, "domain: empty"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, err := DecodePrompts(c.query); err == nil || err.Error() != c.want {
				t.Errorf("DecodePrompts(%q) = %+v, %v, want %q", c.query, got, err, c.want)
			}
			if _, err := DecodeCitations(c.query); err == nil || err.Error() != c.want {
				t.Errorf("DecodeCitations(%q): %v, want %q", c.query, err, c.want)
			}
		})
	}
}

func TestWindowsOfOneInstantAreRight(t *testing.T) {
	got, err := DecodePrompts("domain=a&dateFrom=2026-03-01T01:00:00%2B01:00&dateTo=2026-03-01T00:00:00Z")
	if err != nil || !got.From.Equal(got.To) {
		t.Errorf("got %s to %s, %v", got.From, got.To, err)
	}
}

func TestDecodeCitationsReadsGroupings(t *testing.T) {
	cases := map[string]CitationGrouping{
		"":            GroupAll,
		"&groupBy[]=": GroupAll, // another name, ignored
	}
	for _, g := range CitationGroupings {
		cases["&groupBy="+string(g)] = g
	}
	for alias, g := range CitationGroupingAliases {
		cases["&groupBy="+alias] = g
	}
	for query, want := range cases {
		got, err := DecodeCitations(asked + query)
		if err != nil || got.GroupBy != want || got.Domain != "acme.example" {
			t.Errorf("DecodeCitations(%q) = %+v, %v, want %s", query, got, err, want)
		}
	}
}

func TestDecodeCitationsRejectsGroupings(t *testing.T) {
	const list = "groupBy: must be one of all, property, page, product"
	for query, want := range map[string]string{
		"groupBy=":                     "groupBy: empty",
		"groupBy=url":                  list,
		"groupBy=ALL":                  list,
		"groupBy=byAll":                list,
		"groupBy=bypage":               list,
		"groupBy=page,product":         list,
		"groupBy=page&groupBy=product": "groupBy: sent more than once",
		"groupBy=byPage&groupBy=page":  "groupBy: sent more than once",
	} {
		if got, err := DecodeCitations(asked + "&" + query); err == nil || err.Error() != want {
			t.Errorf("DecodeCitations(%q) = %+v, %v, want %q", query, got, err, want)
		}
	}
}

func TestParseProductID(t *testing.T) {
	for s, want := range map[string]int64{"1": 1, "101": 101, "9223372036854775807": math.MaxInt64} {
		if id, ok := ParseProductID(s); !ok || id != want {
			t.Errorf("ParseProductID(%q) = %d, %v", s, id, ok)
		}
	}
	for _, s := range []string{
		"", "0", "00", "01", "0x1", "+1", "-1", " 1", "1 ", "1.0", "1e3", "1_000", "1,000", "١", "x", "1x", "..",
		"9223372036854775808", strings.Repeat("9", 1000),
	} {
		if id, ok := ParseProductID(s); ok {
			t.Errorf("ParseProductID(%q) = %d, want it refused", s, id)
		}
	}
}
