package e2e

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/ingest"
)

// Five teams: alpha manages beta, beta manages gamma, and everybody competes
// with everybody, which authorises nobody.
var tenants = []struct {
	team    string
	manages string
	product int64
}{
	{"alpha", "beta", 1}, {"beta", "gamma", 2}, {"gamma", "", 3}, {"delta", "", 4}, {"", "", 5},
}

func maySee(team string, product int64) bool {
	owner := tenants[product-1].team
	for _, t := range tenants {
		if t.team == team {
			return owner != "" && (owner == team || owner == t.manages)
		}
	}
	return false
}

func tenantWorkspace() string {
	var teams, products strings.Builder
	for _, t := range tenants {
		if t.team != "" {
			fmt.Fprintf(&teams, "  - {id: %s, name: %s, manages: [%s]}\n", t.team, t.team, t.manages)
		}
		fmt.Fprintf(&products, "  - id: %d\n    name: Product %d\n    website: https://p%d.example\n    domain: p%d.example\n", t.product, t.product, t.product, t.product)
		if t.team != "" {
			fmt.Fprintf(&products, "    team: %s\n", t.team)
		}
		var rivals []string
		for _, other := range tenants {
			if other.product != t.product {
				rivals = append(rivals, strconv.FormatInt(other.product, 10))
			}
		}
		fmt.Fprintf(&products, "    competitors: [%s]\n", strings.Join(rivals, ", "))
		fmt.Fprintf(&products, "    websites: [{websiteId: w%d, domain: p%d.example}, {websiteId: q%d, domain: q%d.example, partner: true}]\n", t.product, t.product, t.product, t.product)
		fmt.Fprintf(&products, "    labels: [{id: %d, name: label of %d}]\n", 10+t.product, t.product)
		fmt.Fprintf(&products, "    prompts: [{id: %d, text: prompt of %d, platforms: [openai], labels: [%d]}]\n", 100+t.product, t.product, 10+t.product)
	}
	return "teams:\n" + teams.String() + "products:\n" + products.String()
}

// tenantFacts gives every product one answer and one visit that nobody else
// has: product N has N answers, and N visits to /secret-of-N.
func tenantFacts() (answers, visits string) {
	var a, v strings.Builder
	for _, t := range tenants {
		for i := range t.product {
			fmt.Fprintf(&a, `{"id":"%d-%d","promptId":%d,"platform":"openai","at":"2026-03-02T09:00:00Z","mentions":[{"productId":%d,"position":1}],"citations":["https://secret-of-%d.example/"]}`+"\n",
				t.product, i, 100+t.product, t.product, t.product)
			fmt.Fprintf(&v, `{"at":"2026-03-02T09:00:00Z","websiteId":"w%d","url":"/secret-of-%d","userAgent":"curl/8.5.0"}`+"\n", t.product, t.product)
		}
	}
	return a.String(), v.String()
}

// Every key, every product, every route: nothing but the key's own scope.
func TestAKeySeesItsScopeAndNothingElse(t *testing.T) {
	s := start(t)
	s.must(s.apply([]byte(tenantWorkspace())))
	answers, visits := tenantFacts()
	s.must(s.loadPart(ingest.Answers, []byte(answers)))
	s.must(s.loadPart(ingest.Pageviews, []byte(visits)))
	asked := 0
	for _, tenant := range tenants {
		if tenant.team == "" {
			continue
		}
		key, err := s.key(tenant.team)
		s.must(err)
		s.checkProducts(tenant.team, key)
		for _, other := range tenants {
			for _, route := range api.Routes[1:] {
				s.checkRoute(tenant.team, key, route, other.product)
				asked++
			}
		}
	}
	if asked != 4*5*6 {
		t.Errorf("%d requests, want every key × every product × every route of a product", asked)
	}
}

func (s *system) checkProducts(team, key string) {
	_, _, body, err := s.Do("GET", "/v1/products", key)
	s.must(err)
	for _, other := range tenants {
		listed := strings.Contains(string(body), fmt.Sprintf(`{"id":%d,`, other.product))
		if listed != maySee(team, other.product) {
			s.t.Errorf("%s lists product %d: %t: %s", team, other.product, listed, body)
		}
	}
}

func (s *system) checkRoute(team, key, route string, product int64) {
	id := strconv.FormatInt(product, 10)
	target := strings.Replace(route, "{productId}", id, 1) + "?dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T00:00:00Z" +
		"&domain=p" + id + ".example&groupBy[]=urlPath"
	status, _, body, err := s.Do("GET", target, key)
	s.must(err)
	if !maySee(team, product) {
		if status != http.StatusUnauthorized || string(body) != `{"message":"Unauthorized."}`+"\n" {
			s.t.Errorf("%s asks for %s: %d %s", team, target, status, body)
		}
		return
	}
	if status != http.StatusOK {
		s.t.Errorf("%s asks for its own %s: %d %s", team, target, status, body)
	}
	for _, other := range tenants {
		secrets := []string{fmt.Sprintf("secret-of-%d", other.product), fmt.Sprintf("prompt of %d", other.product),
			fmt.Sprintf("label of %d", other.product), fmt.Sprintf(`"w%d"`, other.product)}
		for _, secret := range secrets {
			if other.product != product && strings.Contains(string(body), secret) {
				s.t.Errorf("%s learns %q from %s: %s", team, secret, target, body)
			}
		}
	}
	s.checkForeignFilters(key, product)
}

// checkForeignFilters asks for one's own product with filters of others: their
// websites select nothing, their labels are refused.
func (s *system) checkForeignFilters(key string, product int64) {
	for _, other := range tenants {
		if other.product == product {
			continue
		}
		base := fmt.Sprintf("/v1/products/%d/", product)
		window := "?dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T00:00:00Z"
		status, _, body, err := s.Do("GET", fmt.Sprintf("%sanalytics/timeseries%s&websiteId=w%d", base, window, other.product), key)
		s.must(err)
		if status != http.StatusOK || !strings.Contains(string(body), `"totalItems":0`) {
			s.t.Errorf("product %d with a website of %d: %d %s", product, other.product, status, body)
		}
		status, _, body, err = s.Do("GET", fmt.Sprintf("%sprompts%s&domain=p%d.example&labelIds[]=%d", base, window, product, 10+other.product), key)
		s.must(err)
		if status != http.StatusBadRequest {
			s.t.Errorf("product %d with a label of %d: %d %s", product, other.product, status, body)
		}
		status, _, body, err = s.Do("GET", fmt.Sprintf("%sprompts%s&domain=p%d.example", base, window, other.product), key)
		s.must(err)
		if status != http.StatusOK || string(body) != "[]\n" {
			s.t.Errorf("product %d with the domain of %d: %d %s", product, other.product, status, body)
		}
	}
}
