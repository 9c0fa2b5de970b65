package check

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

func routesUnknown(p *probe) {
	id := strconv.FormatInt(p.someProduct(), 10)
	for _, target := range []string{
		"/v1", "/v2/products", "/v1/product", "/v1/products/" + id, "/v1/products/" + id + "/prompts/" + noSuch,
		"/v1/products/" + id + "/analytics", "/V1/products",
	} {
		for _, as := range []credential{nobody, p.key} {
			p.wantError(p.send(request{method: http.MethodGet, target: target, as: as}), http.StatusNotFound, api.MessageNotFound)
		}
	}
}

func routesUnclean(p *probe) {
	id := strconv.FormatInt(p.someProduct(), 10)
	for _, target := range []string{
		"//v1/products", "/v1//products", "/v1/products/", "/v1/./products", "/v1/x/../products",
		"/v1/products/" + id + "/websites/", "/v1/products//websites",
	} {
		p.wantError(p.send(request{method: http.MethodGet, target: target, as: p.key}), http.StatusNotFound, api.MessageNotFound)
	}
}

// Other methods are sent without a key: a server that is broken should not be
// asked to delete anything by somebody who may.
func routesMethods(p *probe) {
	for i, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions} {
		for _, route := range []string{api.Routes[i%len(api.Routes)], api.Routes[(i+3)%len(api.Routes)]} {
			a := p.send(request{method: method, target: on(route, p.someProduct()), as: nobody})
			p.wantError(a, http.StatusMethodNotAllowed, api.MessageMethodNotAllowed)
			if allow := a.header.Get("Allow"); !p.ended && allow != "GET, HEAD" {
				p.failf(a, "Allow: %q, want GET, HEAD", allow)
			}
		}
	}
}

// HEAD has the status and the headers of GET, and no body.
func routesHead(p *probe) {
	id := strconv.FormatInt(p.someProduct(), 10)
	requests := []request{
		{as: nobody, target: api.RouteProducts},
		{as: p.key, target: p.targetOf(api.RouteWebsites, p.unknownProduct())},
		{as: p.key, target: "/v1/" + noSuch},
	}
	if len(p.subjects()) > 0 {
		requests = append(requests, request{as: p.key, target: on(api.RouteTimeseries, p.someProduct()) + "?page=0"})
		for _, route := range api.Routes {
			requests = append(requests, request{as: p.key, target: p.targetOf(route, id)})
		}
	}
	for _, r := range requests {
		r.method = http.MethodGet
		get := p.send(r)
		r.method = http.MethodHead
		p.wantHead(p.send(r), get)
	}
}

func (p *probe) wantHead(head, get answer) {
	if p.ended {
		return
	}
	if head.status != get.status || len(head.body) > 0 {
		p.failf(head, "status %d and %d bytes, but GET answers %d", head.status, len(head.body), get.status)
	}
	// A server need not know the length of a page that it streams.
	if length := head.header.Get("Content-Length"); length != "" && length != strconv.Itoa(len(get.body)) {
		p.failf(head, "Content-Length: %s, but GET has %d bytes", length, len(get.body))
	}
	if a, b := p.visible(withoutLength(head.header)), p.visible(withoutLength(get.header)); a != b {
		p.failf(head, "headers %s, but %s to GET", a, b)
	}
}

func withoutLength(h http.Header) http.Header {
	h = h.Clone()
	h.Del("Content-Length")
	return h
}

// Equal requests get equal bytes.
func answersRepeat(p *probe) {
	for _, route := range api.Routes {
		r := request{method: http.MethodGet, target: p.queryOf(route).at(p.path(route)), as: p.key}
		first := p.send(r)
		p.wantSame(p.sendAgain(r), first)
	}
}

// An answer that carries an ETag is not sent again to who has it.
func answersETag(p *probe) {
	tagged := 0
	for _, route := range api.Routes {
		r := request{method: http.MethodGet, target: p.queryOf(route).at(p.path(route)), as: p.key}
		r.etag = p.send(r).header.Get("ETag")
		if r.etag == "" || p.ended {
			continue
		}
		tagged++
		a := p.send(r)
		p.wantStatus(a, http.StatusNotModified)
		if !p.ended && (len(a.body) > 0 || a.header.Get("ETag") != r.etag) {
			p.failf(a, "%d bytes and ETag %q", len(a.body), a.header.Get("ETag"))
		}
		r.etag = `"` + strings.Repeat("0", 8) + `"`
		p.wantStatus(p.send(r), http.StatusOK)
	}
	if tagged == 0 {
		p.notApplicable("no answer has an ETag")
	}
}
