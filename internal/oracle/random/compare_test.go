package random

import (
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

func summaryOf(visibility float64) Request {
	rank := int64(1)
	return Request{
		Method: "GET", Target: "/v1/products/101/prompts/summary", Team: "acme", Case: "valid", Status: 200,
		Answer: api.PromptSummary{Visibility: &visibility, Rank: &rank, TotalCompetitors: 2},
	}
}

func TestCompare(t *testing.T) {
	list := Request{Method: "GET", Status: 200, Answer: []api.Website{{Domain: "a", WebsiteID: "1"}, {Domain: "b", WebsiteID: "2"}}}
	big := Request{Method: "GET", Status: 200, Answer: []api.Product{{ID: 9_007_199_254_740_993, PartnerWebsites: []api.Website{}}}}
	denied := Request{Method: "GET", Status: 401}
	for _, c := range []struct {
		name   string
		r      Request
		status int
		body   string
		want   string // empty if they agree
	}{
		{"the same", summaryOf(0.5), 200, `{"position":null,"visibility":0.5,"rank":1,"totalCompetitors":2}`, ""},
		{"another order of fields, white space", summaryOf(0.5), 200, "{\"rank\":1, \"visibility\":0.50,\n\"totalCompetitors\":2,\"position\":null}\n", ""},
		{"the last digit of a division", summaryOf(2.0 / 3), 200, `{"position":null,"visibility":0.66666666666666674,"rank":1,"totalCompetitors":2}`, ""},
		{"another status", summaryOf(0.5), 500, `{"message":"Internal server error."}`, "another status"},
		{"a value", summaryOf(0.5), 200, `{"position":null,"visibility":0.51,"rank":1,"totalCompetitors":2}`, "$.visibility: want 0.5, got 0.51"},
		{"null for a value", summaryOf(0.5), 200, `{"position":null,"visibility":null,"rank":1,"totalCompetitors":2}`, "$.visibility: want 0.5, got null"},
		{"absent for null", summaryOf(0.5), 200, `{"visibility":0.5,"rank":1,"totalCompetitors":2}`, "$.position: want null, got nothing"},
		{"one more field", summaryOf(0.5), 200, `{"position":null,"visibility":0.5,"rank":1,"totalCompetitors":2,"x":1}`, "unknown field"},
		{"a string for a number", summaryOf(0.5), 200, `{"position":null,"visibility":0.5,"rank":"1","totalCompetitors":2}`, "no api.PromptSummary"},
		{"a fraction for an integer", summaryOf(0.5), 200, `{"position":null,"visibility":0.5,"rank":1.0,"totalCompetitors":2}`, "no api.PromptSummary"},
		{"two values", summaryOf(0.5), 200, `{"position":null,"visibility":0.5,"rank":1,"totalCompetitors":2}{}`, "something follows"},
		{"no JSON", summaryOf(0.5), 200, `oops`, "invalid character"},
		{"another order", list, 200, `[{"domain":"b","websiteId":"2"},{"domain":"a","websiteId":"1"}]`, `$[0].domain: want "a", got "b"`},
		{"one row less", list, 200, `[{"domain":"a","websiteId":"1"}]`, "$: want 2 elements, got 1"},
		{"null for a list", list, 200, `null`, "got null"},
		{"a large id", big, 200, `[{"id":9007199254740992,"name":"","website":"","domain":"","partnerWebsites":[]}]`, "$[0].id: want 9007199254740993"},
		{"the 401", denied, 401, `{"message":"Unauthorized."}`, ""},
		{"another 401", denied, 401, `{"message":"Unauthorized"}`, "$.message"},
		{"HEAD", Request{Method: "HEAD", Status: 200, Answer: 1}, 200, "", ""},
		{"HEAD with a body", Request{Method: "HEAD", Status: 200, Answer: 1}, 200, "{}", "a body in answer to HEAD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Compare(c.r, c.status, []byte(c.body))
			if c.want == "" && err != nil {
				t.Errorf("got %v", err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestADifferenceShowsRequestAndBothBodies(t *testing.T) {
	err := Compare(summaryOf(0.5), 200, []byte(`{"position":null,"visibility":0.4,"rank":1,"totalCompetitors":2}`))
	for _, part := range []string{
		"GET /v1/products/101/prompts/summary (key of acme; valid)", "$.visibility",
		`want 200 {"position":null,"visibility":0.5,`, `got  200 {"position":null,"visibility":0.4,`,
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("no %q in %v", part, err)
		}
	}
	long := Compare(summaryOf(0.5), 200, []byte(strings.Repeat(" ", 5_000)))
	if len(long.Error()) > 2_500 || !strings.Contains(long.Error(), "(5000 bytes)") {
		t.Errorf("a long body is shown whole: %v", long)
	}
}
