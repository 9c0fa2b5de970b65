package random

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

// drawn are requests over many worlds, always the same.
var drawn = sync.OnceValue(func() (requests []Request) {
	for seed := range 300 {
		requests = append(requests, rapid.Custom(func(t *rapid.T) []Request {
			w := World(t)
			list := make([]Request, 30)
			for i := range list {
				list[i] = NewRequest(t, w)
			}
			return list
		}).Example(seed)...)
	}
	return requests
})

// spellings are things that requests must be seen to contain.
var spellings = []string{
	`platforms\[\]=`, `platforms%5B%5D=`, `platforms%5b%5d=`, `platforms(\[\]|%5B%5D)=no(\+|%20)such`, `labelIds\[\]=1&`,
	`dateFrom=[^&]*%2B05`, `dateFrom=[^&]*t[0-9]`, `dateFrom=[^&]*z(&|$)`, `dateTo=[^&]*:60`, `dateTo=[^&]*:60%2B05`,
	`-00(:|%3A)00`, `dateFrom=[^&]*\.5`, `dateFrom=[^&]*\.0000000000001`, `dateFrom=0001-`, `dateTo=9999-`,
	`domain=WWW\.`, `domain=www\.`, `domain=[A-Z]+\.COM`, `domain=[a-z.]+\.(&|$)`, `domain=nosuch\.example`,
	`groupBy=byPage`, `groupBy=byProperty`, `groupBy=byProduct`, `groupBy=all`,
	`interval=week`, `interval=day`, `websiteId=nosuch`, `urlPath=[^&]*%25`, `urlPath=[^&]*(%3F|\?)a`, `urlPath=[^&]*%23top`,
	`[?&]page=1000`, `[?&]page=1099511627776`, `perPage=1(&|$)`, `perPage=1000(&|$)`, `topLimit=1(&|$)`,
	`botTypes[^&]*=none`, `[pP]age=0`, `[pP]age=-1`, `[pP]age=abc`, `[pP]age=1\.5`,
	`/products/0[0-9]+/`, `/products/\+[0-9]+/`, `/products/-1/`, `/products/abc/`, `/products/99999999999999999999/`,
}

func TestRequestsOccurInAllSpellings(t *testing.T) {
	var all strings.Builder
	for _, r := range drawn() {
		all.WriteString(r.Target + "\n")
	}
	for _, s := range spellings {
		if !regexp.MustCompile("(?m)" + s).MatchString(all.String()) {
			t.Errorf("no request contains %s", s)
		}
	}
}

// cases are the kinds of requests, beside the valid ones.
var cases = []string{
	"required parameter missing", "empty value", "sent twice", "malformed date", "dateFrom after dateTo", "label",
	"groupBy", "interval", "metrics[]", "groupBy[]", "number",
	"no key", "junk key", "spoiled key", "malformed product", "unknown product", "foreign team's product",
	"competitor-only product", "managed team of a managed team",
	"no key before a mistake", "spoiled key before a mistake", "malformed product before a mistake",
	"foreign team's product before a mistake", "competitor-only product before a mistake",
}

func TestRequestsAreOfAllKinds(t *testing.T) {
	requests := drawn()
	kinds, valid := map[string]int{}, 0
	for _, r := range requests {
		kinds[r.Case]++
		kinds[r.Method]++
		kinds[http.StatusText(r.Status)+" "+r.Route]++
		if r.Status == http.StatusOK {
			valid++
		}
	}
	for _, route := range api.Routes {
		want := []string{"OK", "Unauthorized", "Bad Request"}
		if route == api.RouteProducts || route == api.RouteWebsites {
			want = want[:2]
		}
		for _, status := range want {
			if kinds[status+" "+route] == 0 {
				t.Errorf("no %s of %s", status, route)
			}
		}
	}
	for _, kind := range append(cases, http.MethodGet, http.MethodHead) {
		if kinds[kind] == 0 {
			t.Errorf("no request of this kind: %s", kind)
		}
	}
	if share := float64(valid) / float64(len(requests)); share < 0.8 || share > 0.9 {
		t.Errorf("%.0f %% of the requests are valid", 100*share)
	}
}

// An answer of nothing agrees with too many servers.
func TestMostAnswersSaySomething(t *testing.T) {
	telling, all := map[string]int{}, map[string]int{}
	for _, r := range drawn() {
		if r.Status != http.StatusOK {
			continue
		}
		all[r.Route]++
		body, _ := json.Marshal(r.Answer)
		for _, empty := range []string{`[]`, `"visibility":null,"rank":null,"totalCompetitors":0`, `"byPage":[]`, `"byProperty":[]`, `"byProduct":[]`, `"items":[]`} {
			if string(body) == empty || empty != "[]" && strings.Contains(string(body), empty) {
				telling[r.Route]--
				break
			}
		}
		telling[r.Route]++
	}
	for _, route := range api.Routes {
		if share := float64(telling[route]) / float64(all[route]); share < 0.4 {
			t.Errorf("%s: only %.0f %% of %d answers say something", route, 100*share, all[route])
		}
	}
}

func TestEveryExpectationAgreesWithItself(t *testing.T) {
	types := map[string]reflect.Type{}
	for _, r := range drawn() {
		if err := Compare(r, r.Status, r.expected()); err != nil {
			t.Fatal(err)
		}
		if r.Status != http.StatusOK {
			continue
		}
		if known, ok := types[r.Route]; ok && known != reflect.TypeOf(r.Answer) {
			t.Fatalf("%s is answered with %T and %v", r.Route, r.Answer, known)
		}
		types[r.Route] = reflect.TypeOf(r.Answer)
	}
}

func TestCredentials(t *testing.T) {
	keys := map[string]string{"acme": "sl_123A", "zoom": "sl_456x"}
	for _, c := range []struct {
		name string
		r    Request
		want string
	}{
		{"none", Request{}, ""},
		{"junk", Request{Key: "junk"}, "junk"},
		{"a team's", Request{Team: "acme"}, "sl_123A"},
		{"spoiled", Request{Team: "zoom", Spoiled: true}, "sl_456A"},
		{"spoiled, though it ends so already", Request{Team: "acme", Spoiled: true}, "sl_123B"},
	} {
		if got := c.r.Credential(keys); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
