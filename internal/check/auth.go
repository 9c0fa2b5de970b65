package check

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// unknownKey has the shape of a key and is nobody's.
var unknownKey = bearer("with an unknown key", "sl_"+strings.Repeat("0", 38))

// someProduct is a product to ask for: one of the key's if it has any.
func (s *session) someProduct() int64 {
	if all := s.subjects(); len(all) > 0 {
		return all[0].product.ID
	}
	return 1
}

// targetOf is a request that is right but for what a check makes wrong.
func (s *session) targetOf(route string, product string) string {
	path := strings.Replace(route, "{productId}", product, 1)
	if all := s.subjects(); len(all) > 0 {
		return all[0].queryOf(route).at(path)
	}
	return path
}

// refused wants the 401 on all routes of a product, or on all seven.
func (p *probe) refused(as credential, product string, routes []string) {
	for _, route := range routes {
		a := p.send(request{method: http.MethodGet, target: p.targetOf(route, product), as: as})
		p.wantError(a, http.StatusUnauthorized, api.MessageUnauthorized)
	}
}

func authMissing(p *probe) {
	p.refused(nobody, strconv.FormatInt(p.someProduct(), 10), api.Routes)
}

func authUnknown(p *probe) {
	p.refused(unknownKey, strconv.FormatInt(p.someProduct(), 10), api.Routes)
}

// malformed are headers that hold no key.
func (s *session) malformed() []credential {
	return []credential{
		{name: "Authorization: Bearer", header: "Bearer"},
		{name: "Authorization: Bearer and a word", header: "Bearer nonsense"},
		{name: "the key without Bearer", header: s.key.secret},
		{name: "Authorization: Basic", header: "Basic OnBhc3N3b3Jk"},
		{name: "the key and one character more", header: s.key.header + "0"},
		{name: "the key but for its last character", header: s.key.header[:len(s.key.header)-1]},
		{name: "the key in upper case", header: "Bearer " + strings.ToUpper(s.key.secret)},
	}
}

func authMalformed(p *probe) {
	for _, as := range p.malformed() {
		if as.header != p.key.header {
			p.refused(as, strconv.FormatInt(p.someProduct(), 10), []string{api.RouteProducts, api.RouteTimeseries})
		}
	}
}

var productRoutes = api.Routes[1:]

func authUnknownProduct(p *probe) { p.refused(p.key, p.unknownProduct(), productRoutes) }

// unknownProduct is an id that the key does not list.
func (s *session) unknownProduct() string {
	id := int64(987654321012345)
	for slices.ContainsFunc(s.listed(s.key), func(product api.Product) bool { return product.ID == id }) {
		id++
	}
	return strconv.FormatInt(id, 10)
}

func authMalformedProduct(p *probe) {
	id := strconv.FormatInt(p.someProduct(), 10)
	for i, wrong := range []string{"abc", "0" + id, "+" + id, "-" + id, id + ".0", id + "x", "0x1", "%20" + id, "99999999999999999999999999", "%00"} {
		// Every route once at least.
		p.refused(p.key, wrong, []string{productRoutes[i%len(productRoutes)]})
	}
}

// All 401 are the same: body, status, and headers but those that differ between
// two equal requests, such as dates and ids.
func authSame(p *probe) {
	want := p.send(request{method: http.MethodGet, target: api.RouteProducts, as: nobody})
	p.wantError(want, http.StatusUnauthorized, api.MessageUnauthorized)
	id := strconv.FormatInt(p.someProduct(), 10)
	for _, r := range []request{
		{as: nobody, target: p.targetOf(api.RoutePrompts, id)},
		{as: unknownKey, target: api.RouteProducts},
		{as: unknownKey, target: p.targetOf(api.RouteCitations, id)},
		{as: credential{name: "Authorization: Basic", header: "Basic OnBhc3N3b3Jk"}, target: api.RouteProducts},
		{as: p.key, target: p.targetOf(api.RouteWebsites, p.unknownProduct())},
		{as: p.key, target: p.targetOf(api.RouteTimeseries, p.unknownProduct())},
		{as: p.key, target: p.targetOf(api.RoutePromptSummary, "abc")},
		{as: p.key, target: p.targetOf(api.RoutePromptDates, "0"+id)},
	} {
		r.method = http.MethodGet
		p.wantIndistinguishable(p.send(r), want)
	}
	for _, target := range p.foreignTargets() {
		p.wantIndistinguishable(p.send(target), want)
	}
}

// wantIndistinguishable wants an answer that tells no more than another.
func (p *probe) wantIndistinguishable(got, want answer) {
	if p.ended {
		return
	}
	if got.status != want.status || !bytes.Equal(got.body, want.body) {
		p.failf(got, "status %d and %s, but %d and %s to %s", got.status, got.text(), want.status, want.text(), want.request)
	}
	if a, b := p.visible(got.header), p.visible(want.header); a != b {
		p.failf(got, "headers %s, but %s to %s", a, b, want.request)
	}
}

// visible writes headers; of those that change from one equal request to the
// next, such as dates and ids, only the names.
func (p *probe) visible(h http.Header) string {
	r := request{method: http.MethodGet, target: api.RouteProducts, as: nobody}
	one := p.send(r)
	if p.fickle == nil {
		two := p.sendAgain(r)
		p.fickle = map[string]bool{"Date": true}
		for name, values := range two.header {
			if !slices.Equal(values, one.header[name]) {
				p.fickle[name] = true
			}
		}
	}
	var lines []string
	for _, name := range sortedKeys(h) {
		value := strings.Join(h[name], ", ")
		if p.fickle[name] {
			value = "*"
		}
		lines = append(lines, name+": "+value)
	}
	return strings.Join(lines, "; ")
}

// Who may not see a product learns nothing about its parameters.
func authBeforeParameters(p *probe) {
	for _, route := range productRoutes[1:] {
		target := on(route, p.someProduct()) + "?dateFrom=nonsense&page=0"
		p.wantError(p.send(request{method: http.MethodGet, target: target, as: nobody}), http.StatusUnauthorized, api.MessageUnauthorized)
		target = strings.Replace(route, "{productId}", p.unknownProduct(), 1) + "?dateFrom=nonsense&page=0"
		p.wantError(p.send(request{method: http.MethodGet, target: target, as: p.key}), http.StatusUnauthorized, api.MessageUnauthorized)
	}
}

// foreignTargets are requests of each key for products that only the other has.
func (p *probe) foreignTargets() (targets []request) {
	if p.second.secret == "" {
		return nil
	}
	mine, theirs := ids(p.listed(p.key)), ids(p.listed(p.second))
	for i, pair := range []struct {
		as          credential
		own, others []int64
	}{{p.key, mine, theirs}, {p.second, theirs, mine}} {
		for _, id := range pair.others {
			if slices.Contains(pair.own, id) || len(targets) >= (i+1)*2*len(productRoutes) {
				continue
			}
			for _, route := range productRoutes {
				targets = append(targets, request{method: http.MethodGet, target: p.targetOf(route, strconv.FormatInt(id, 10)), as: pair.as})
			}
		}
	}
	return targets
}

func ids(products []api.Product) (all []int64) {
	for _, product := range products {
		all = append(all, product.ID)
	}
	return all
}

func authForeign(p *probe) {
	if p.second.secret == "" {
		p.notApplicable("no second key was given")
		return
	}
	second := p.send(request{method: http.MethodGet, target: api.RouteProducts, as: p.second})
	p.wantStatus(second, http.StatusOK)
	targets := p.foreignTargets()
	if len(targets) == 0 {
		p.notApplicable("both keys reach the same products")
	}
	for _, r := range targets {
		p.wantError(p.send(r), http.StatusUnauthorized, api.MessageUnauthorized)
	}
}

// Websites of others select nothing.
func foreignWebsites(p *probe) {
	if p.second.secret == "" {
		p.notApplicable("no second key was given")
		return
	}
	mine := ids(p.listed(p.key))
	asked := 0
	for _, id := range ids(p.listed(p.second)) {
		if slices.Contains(mine, id) || asked > 3 {
			continue
		}
		a := p.send(request{method: http.MethodGet, target: on(api.RouteWebsites, id), as: p.second})
		for _, website := range read[[]api.Website](p, a) {
			asked++
			answered, a := p.page(p.visitQuery().metrics(api.Metrics...).with(api.ParamWebsiteID, website.WebsiteID))
			if answered.TotalItems > 0 {
				p.failf(a, "%d rows of a website of product %d", answered.TotalItems, id)
			}
		}
	}
	if asked == 0 {
		p.notApplicable(fmt.Sprintf("the second key has no website that product %d's key does not reach", p.product.ID))
	}
}
