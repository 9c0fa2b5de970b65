package check

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// credential is what a request says about its caller, and how that is shown.
type credential struct {
	name   string // never the key
	header string // of Authorization; empty: none is sent
	secret string
}

func bearer(name, key string) credential { return credential{name, "Bearer " + key, key} }

var nobody = credential{name: "without a key"}

// request is one request. Equal requests get equal answers, so it is a key of
// the cache.
type request struct {
	method, target string
	as             credential
	etag           string // of If-None-Match
	accept         string // of Accept; empty: none is sent
}

// String shows a request as a person would write it.
func (r request) String() string {
	text := r.method + " " + strings.NewReplacer("%5B%5D", "[]", "%3A", ":", "%2F", "/").Replace(r.target)
	if r.as.name != "" {
		text += " (" + r.as.name + ")"
	}
	if r.etag != "" {
		text += " (If-None-Match: " + r.etag + ")"
	}
	if r.accept != "" {
		text += " (Accept: " + r.accept + ")"
	}
	return text
}

// on is the path of a route for a product.
func on(route string, id int64) string {
	return strings.Replace(route, "{productId}", strconv.FormatInt(id, 10), 1)
}

// query is a query string, in the order in which it was written. It is never
// changed in place.
type query []struct{ name, value string }

// with adds parameters: with("page", "2", "perPage", "5").
func (q query) with(pairs ...string) query {
	longer := slices.Clone(q)
	for i := 0; i+1 < len(pairs); i += 2 {
		longer = append(longer, struct{ name, value string }{pairs[i], pairs[i+1]})
	}
	return longer
}

// without drops a parameter.
func (q query) without(name string) query {
	return slices.DeleteFunc(slices.Clone(q), func(p struct{ name, value string }) bool { return p.name == name })
}

// set replaces a parameter.
func (q query) set(name, value string) query { return q.without(name).with(name, value) }

// within replaces the window.
func (q query) within(w api.Window) query {
	return q.set(api.ParamDateFrom, w.From.Format(time.RFC3339Nano)).set(api.ParamDateTo, w.To.Format(time.RFC3339Nano))
}

func (q query) String() string {
	parts := make([]string, len(q))
	for i, p := range q {
		parts[i] = url.QueryEscape(p.name) + "=" + url.QueryEscape(p.value)
	}
	return strings.Join(parts, "&")
}

// at puts a query behind a path.
func (q query) at(path string) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.String()
}

// answer is what came back.
type answer struct {
	request request
	status  int
	header  http.Header
	body    []byte
}

func (a answer) text() string { return strings.TrimSpace(string(a.body)) }
