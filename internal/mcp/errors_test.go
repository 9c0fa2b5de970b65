package mcp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

// fake is a server that always answers in the same way.
func fake(t *testing.T, status int, body string, headers ...string) (url string) {
	t.Helper()
	return faking(t, func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
}

func faking(t *testing.T, handle http.HandlerFunc) (url string) {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

// Whatever the server does, every tool says what that means and what to do.
func TestFailuresAreExplained(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	cases := []struct{ name, base, key, want string }{
		{"a wrong key", demoBase, agencyKey + "x", "does not accept the API key (401): it is wrong, was revoked, or belongs to another server."},
		{"nobody there", gone.URL, agencyKey, "No answer from the Sightline server (" + gone.URL + "): "},
		{"an error", fake(t, 500, `{"message":"Internal server error."}`, api.HeaderRequestID, "r-17"), agencyKey, "The Sightline server failed (500, request id r-17)."},
		{"too much to do", fake(t, 503, `{"message":"Service unavailable."}`), agencyKey, "has too much to do (503). Wait some seconds and try again"},
		{"arguments without end", fake(t, 431, ``), agencyKey, "The arguments are too long for the Sightline server (431)."},
		{"an address without end", fake(t, 414, ``), agencyKey, "The arguments are too long for the Sightline server (414)."},
		{"another server", fake(t, 404, `<html>Not here`), agencyKey, "not how a Sightline server answers"},
		{"another answer", fake(t, 200, `<html>Welcome`), agencyKey, "not how a Sightline server answers"},
		{"a redirect", fake(t, 302, ``, "Location", "http://127.0.0.1:1/"), agencyKey, "not how a Sightline server answers"},
		{"a refusal", fake(t, 400, `{}`, api.HeaderErrorDetail, "platforms[]: too many"), agencyKey, "(400): platforms: too many. Correct it and call again."},
		{"a refusal without a reason", fake(t, 400, `{}`), agencyKey, "(400): it does not say why."},
		{"an echo of the key", fake(t, 400, `{}`, api.HeaderErrorDetail, "domain: "+agencyKey), agencyKey, "(400): domain: [key]."},
	}
	in := args{"productId": 101, "domain": "taskharbor.example"}
	calls := map[string]args{
		"list_products": nil, "list_websites": {"productId": 101}, "get_prompts": in, "get_visibility_summary": in,
		"get_visibility_trend": in, "get_citations": in, "get_agent_traffic": {"productId": 101},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := connect(t, c.base, c.key)
			for tool, a := range calls {
				if got := s.error(tool, a); !strings.Contains(got, c.want) {
					t.Errorf("%s: got  %s\nwant %s", tool, got, c.want)
				}
			}
			if got := s.error("get_prompts", args{}); !strings.Contains(got, c.want) {
				t.Errorf("without a product: got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A product is refused, and then the list of products cannot be had.
func TestARefusalThatCannotBeLookedInto(t *testing.T) {
	url := faking(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == api.RouteProducts {
			w.WriteHeader(500)
			return
		}
		w.WriteHeader(401)
	})
	got := connect(t, url, agencyKey).error("list_websites", args{"productId": 7})
	if !strings.Contains(got, "either the API key is wrong or revoked, or the product is not visible to it") {
		t.Error(got)
	}
}

func TestAKeyWithoutProducts(t *testing.T) {
	s := connect(t, fake(t, 200, `[]`), agencyKey)
	var got any
	if r := s.answer("list_products", nil, &got); !strings.Contains(r.text, "This key sees no product at all") {
		t.Error(r.text)
	}
	if text := s.error("get_agent_traffic", nil); !strings.Contains(text, "this key sees no product at all") {
		t.Error(text)
	}
	if r := s.answer("list_websites", args{"productId": 1}, &got); !strings.Contains(r.text, "No website of this product is tracked") {
		t.Error(r.text)
	}
}

func TestManyProductsAreNotAllNamed(t *testing.T) {
	one := `{"id":7,"name":"Name","website":"https://a.example","domain":"a.example","partnerWebsites":[]},`
	s := connect(t, fake(t, 200, "["+strings.Repeat(one, 999)+strings.TrimSuffix(one, ",")+"]"), agencyKey)
	if text := s.error("list_websites", nil); !strings.Contains(text, "sees 1000 products: 7 (Name), ") || !strings.Contains(text, "and 980 more (see list_products)") {
		t.Error(text)
	}
	var got struct{ Products []any }
	if r := s.answer("list_products", nil, &got); len(got.Products) > 600 || !strings.Contains(r.text, "more products are left out") {
		t.Errorf("%d products", len(got.Products))
	}
}

// waiting is a server that answers no request before it is released.
func waiting(t *testing.T, arrived chan<- bool, release <-chan bool) (url string) {
	return faking(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- true
		select {
		case <-release:
		case <-r.Context().Done():
		}
		io.WriteString(w, `[]`)
	})
}
