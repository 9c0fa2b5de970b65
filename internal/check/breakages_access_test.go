package check_test

import (
	"net/http"
	"path"
	"strings"
	"sync/atomic"

	"github.com/sightline-hq/sightline/api"
)

var brokenAccess = []breakage{
	{name: "403 without a key", caughtBy: "auth/missing-key", after: func(r *http.Request, a *reply) {
		if a.status == 401 && r.Header.Get("Authorization") == "" {
			a.status = 403
		}
	}},
	{name: "another message without a key", caughtBy: "auth/missing-key", after: func(r *http.Request, a *reply) {
		if a.status == 401 && r.Header.Get("Authorization") == "" {
			say(a, 401, "Key required.")
		}
	}},
	{name: "a key with more behind it", caughtBy: "auth/malformed-key", before: func(r *http.Request) {
		if rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "+world.northwind); ok && rest != "" {
			r.Header.Set("Authorization", "Bearer "+world.northwind)
		}
	}},
	{name: "any key lists websites", caughtBy: "auth/unknown-key", before: func(r *http.Request) {
		if on(r, "/websites") && r.Header.Get("Authorization") != "" {
			r.Header.Set("Authorization", "Bearer "+world.northwind)
		}
	}},
	{name: "404 for an unknown product", caughtBy: "auth/unknown-product", after: func(r *http.Request, a *reply) {
		if a.status == 401 && strings.Contains(r.URL.Path, "987654321") {
			say(a, 404, "Not found.")
		}
	}},
	{name: "400 for a malformed product", caughtBy: "auth/malformed-product", after: func(r *http.Request, a *reply) {
		if a.status == 401 && strings.Contains(r.URL.Path, "/abc/") {
			say(a, 400, "Invalid request parameters.")
		}
	}},
	{name: "leading zeros of a product", caughtBy: "auth/malformed-product", before: func(r *http.Request) {
		r.URL.Path = strings.Replace(r.URL.Path, "/0101/", "/101/", 1)
	}},
	{name: "a product of others", caughtBy: "auth/foreign-product", before: func(r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+world.northwind && on(r, "/103/prompts/summary") {
			r.Header.Set("Authorization", "Bearer "+world.solstice)
		}
	}},
	{name: "a website of others", caughtBy: "auth/foreign-website", before: func(r *http.Request) {
		if strings.Contains(r.URL.Query().Get("websiteId"), "trailmoor") {
			r.URL.Path, r.URL.RawQuery = strings.Replace(r.URL.Path, "101", "103", 1), strings.Replace(r.URL.RawQuery, "northwind", "", 1)
			r.Header.Set("Authorization", "Bearer "+world.solstice)
		}
	}},
	{name: "a 401 with a space for an unknown product", caughtBy: "auth/same-answer", after: func(r *http.Request, a *reply) {
		if a.status == 401 && strings.Contains(r.URL.Path, "987654321") {
			a.body = []byte(`{"message": "Unauthorized."}`)
		}
	}},
	{name: "a 401 with a reason in a header", caughtBy: "auth/same-answer", after: func(r *http.Request, a *reply) {
		if a.status == 401 && strings.Contains(r.URL.Path, "/103/") {
			a.header.Set("X-Reason", "product of another team")
		}
	}},
	{name: "parameters before the key", caughtBy: "auth/before-parameters", after: func(r *http.Request, a *reply) {
		if a.status == 401 && strings.Contains(r.URL.RawQuery, "nonsense") {
			say(a, 400, "Invalid request parameters.")
		}
	}},

	{name: "a 404 in plain text", caughtBy: "routes/not-found", after: func(_ *http.Request, a *reply) {
		if a.status == 404 {
			a.body = []byte("404 page not found\n")
		}
	}},
	{name: "unclean paths are cleaned", caughtBy: "routes/unclean-path", before: func(r *http.Request) { r.URL.Path = path.Clean(r.URL.Path) }},
	{name: "a trailing slash redirects", caughtBy: "answers/no-redirects", after: func(r *http.Request, a *reply) {
		if on(r, "/") {
			a.status = 301
			a.header.Set("Location", path.Clean(r.URL.Path))
		}
	}},
	{name: "POST reads too", caughtBy: "routes/methods", before: func(r *http.Request) {
		if r.Method == http.MethodPost {
			r.Method = http.MethodGet
		}
	}},
	{name: "405 without Allow", caughtBy: "routes/methods", after: func(_ *http.Request, a *reply) { a.header.Del("Allow") }},
	{name: "HEAD with another length", caughtBy: "routes/head", after: func(r *http.Request, a *reply) {
		if r.Method == http.MethodHead && on(r, "/prompts") {
			a.header.Set("Content-Length", "7")
		}
	}},
	{name: "HEAD is a 405", caughtBy: "routes/head", after: func(r *http.Request, a *reply) {
		if r.Method == http.MethodHead {
			a.status = 405
		}
	}},
	{name: "HEAD without a header", caughtBy: "routes/head", after: func(r *http.Request, a *reply) {
		if r.Method == http.MethodHead {
			a.header.Del("Vary")
		}
	}},
	{name: "answers change", caughtBy: "routes/repeatable", after: changing()},
	{name: "an ETag that is not honoured", caughtBy: "routes/etag", after: func(r *http.Request, a *reply) {
		if a.status == 200 {
			a.header.Set("ETag", `"v1"`)
		}
	}},

	{name: "a product twice", caughtBy: "products/listed", after: tell("/products", func(all *[]api.Product) {
		*all = append(*all, (*all)[0])
	})},
	{name: "products in another order", caughtBy: "products/order", after: tell("/products", reversed[api.Product])},
	{name: "websites in another order", caughtBy: "products/websites-order", after: tell("/websites", reversed[api.Website])},
	{name: "a list that looks at parameters", caughtBy: "products/no-parameters", after: func(r *http.Request, a *reply) {
		if on(r, "/websites") && r.URL.RawQuery != "" {
			say(a, 400, "Invalid request parameters.")
		}
	}},
}

// changing makes every answer of a route a new one.
func changing() func(*http.Request, *reply) {
	var n atomic.Int64
	return func(r *http.Request, a *reply) {
		if on(r, "/citations") && n.Add(1)%2 == 0 {
			a.body = append(a.body, ' ')
		}
	}
}

func reversed[T any](rows *[]T) {
	all := *rows
	for i := range len(all) / 2 {
		all[i], all[len(all)-1-i] = all[len(all)-1-i], all[i]
	}
}
