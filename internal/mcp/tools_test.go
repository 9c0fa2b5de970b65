package mcp_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/api"
)

func TestToolsSayWhatTheyTakeAndOnlyRead(t *testing.T) {
	var names []string
	for _, tool := range connect(t, demoBase, agencyKey).tools() {
		names = append(names, tool.Name)
		a := tool.Annotations
		if !a.ReadOnlyHint || !a.IdempotentHint || *a.DestructiveHint || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		in, out := schema(t, tool.InputSchema), schema(t, tool.OutputSchema)
		if in.Type != "object" || out.Type != "object" || len(tool.Description) < 80 || tool.Title == "" {
			t.Errorf("%s: %s in, %s out, %q", tool.Name, in.Type, out.Type, tool.Description)
		}
		for name, p := range in.Properties {
			if len(p.Description) < 25 {
				t.Errorf("%s: %s is described as %q", tool.Name, name, p.Description)
			}
			if strings.HasPrefix(name, "date") && len(p.Examples) < 2 {
				t.Errorf("%s: %s has no examples", tool.Name, name)
			}
		}
	}
	want := []string{"get_agent_traffic", "get_citations", "get_prompts", "get_visibility_summary", "get_visibility_trend", "list_products", "list_websites"}
	if d := cmp.Diff(want, slices.Sorted(slices.Values(names))); d != "" {
		t.Error(d)
	}
}

func TestClosedListsAreThoseOfTheContract(t *testing.T) {
	want := map[string][]string{
		"get_agent_traffic interval": names(api.Intervals),
		"get_agent_traffic metrics":  names(api.Metrics),
		"get_agent_traffic groupBy":  names(api.Dimensions),
		"get_citations groupBy":      names(api.CitationGroupings),
	}
	got := make(map[string][]string)
	for _, tool := range connect(t, demoBase, agencyKey).tools() {
		for name, p := range schema(t, tool.InputSchema).Properties {
			if p.Items != nil && p.Items.Enum != nil {
				p = p.Items
			}
			for _, v := range p.Enum {
				got[tool.Name+" "+name] = append(got[tool.Name+" "+name], v.(string))
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func names[T ~string](list []T) (all []string) {
	for _, v := range list {
		all = append(all, string(v))
	}
	return all
}

// same fails unless a part of a structured answer is what the API answers.
func same(t *testing.T, what string, got json.RawMessage, want any, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var g, w any
	if json.Unmarshal(got, &g) != nil || json.Unmarshal(text, &w) != nil || len(text) < 60 || !reflect.DeepEqual(g, w) {
		t.Errorf("%s: got\n%.400s\nwant\n%.400s", what, got, text)
	}
}

func TestStructuredAnswersAreThoseOfTheAPI(t *testing.T) {
	s, c, ctx := connect(t, demoBase, agencyKey), dial(t, demoBase, agencyKey), t.Context()
	in := func(more args) args {
		a := args{"productId": 101, "domain": "taskharbor.example", "dateFrom": "2026-03-02", "dateTo": "2026-03-04T23:59:59Z", "platforms": []string{"openai", "claude"}, "labelIds": []int{13, 11}}
		for name, v := range more {
			a[name] = v
		}
		return a
	}
	r := api.PromptsRequest{Domain: "taskharbor.example", Window: demoWindow, Platforms: []string{"openai", "claude"}, LabelIDs: []int64{13, 11}}
	got := make(map[string]json.RawMessage)

	s.answer("list_products", nil, &got)
	products, err := c.Products(ctx)
	same(t, "products", got["products"], products, err)

	s.answer("list_websites", args{"productId": 101}, &got)
	websites, err := c.Websites(ctx, 101)
	same(t, "websites", got["websites"], websites, err)

	s.answer("get_prompts", in(nil), &got)
	prompts, err := c.Prompts(ctx, 101, r)
	same(t, "prompts", got["prompts"], prompts, err)

	s.answer("get_visibility_trend", in(nil), &got)
	days, err := c.PromptDates(ctx, 101, r)
	same(t, "days", got["days"], days, err)

	clear(got)
	raw := s.answer("get_visibility_summary", in(nil), &got).raw
	summary, err := c.PromptSummary(ctx, 101, r)
	for _, name := range []string{"productId", "domain", "dateFrom", "dateTo"} {
		delete(got, name)
	}
	rest, _ := json.Marshal(got)
	same(t, "summary "+string(raw), rest, summary, err)

	var lists map[string]json.RawMessage
	s.answer("get_citations", in(args{"groupBy": "page", "perPage": 500}), &lists)
	var page struct{ Items json.RawMessage }
	if err := json.Unmarshal(lists["byPage"], &page); err != nil || lists["byProperty"] != nil || lists["byProduct"] != nil {
		t.Fatalf("%v: %s", err, lists)
	}
	citations, err := c.Citations(ctx, 101, api.CitationsRequest{PromptsRequest: r, GroupBy: api.GroupPage})
	same(t, "citations", page.Items, citations.ByPage, err)

	s.answer("get_agent_traffic", args{"productId": 101, "dateFrom": "2026-03-02", "dateTo": "2026-03-04", "interval": "week", "websiteId": "w-taskharbor",
		"metrics": []string{"unique_pages", "bot_visits"}, "groupBy": []string{"botType", "platform"}, "platforms": []string{"openai", "claude"},
		"botTypes": []string{"gptbot", "claudebot"}, "urlPath": "/pricing/", "topLimit": 1, "perPage": 7}, &got)
	site, path := "w-taskharbor", "/pricing"
	visits, err := c.Timeseries(ctx, 101, api.TimeseriesRequest{
		Window: demoWindow, WebsiteID: &site, Interval: api.Week, Metrics: []api.Metric{api.UniquePages, api.BotVisits},
		GroupBy: []api.Dimension{api.ByBotType, api.ByPlatform}, Platforms: []string{"openai", "claude"},
		BotTypes: []string{"gptbot", "claudebot"}, URLPath: &path, TopLimit: 1, PerPage: 7,
	})
	same(t, "traffic", got["items"], visits.Items, err)
}

func TestTextsReadLikeTables(t *testing.T) {
	s := connect(t, demoBase, agencyKey)
	const period = "from 2026-03-02T00:00:00Z to 2026-03-04T23:59:59Z."
	in := args{"productId": 101, "dateFrom": "2026-03-02", "dateTo": "2026-03-04", "perPage": 2}
	summary := args{"productId": 101, "dateFrom": "2026-03-02", "dateTo": "2026-03-04"}
	cases := []struct {
		tool string
		args args
		want []string
	}{
		{"list_products", nil, []string{"| id | name |", "| 101 | Taskharbor | https://www.taskharbor.example | taskharbor.example | toolscout.example (w-toolscout) |"}},
		{"list_websites", args{"productId": 101}, []string{"websites of product 101", "| domain | websiteId |", "| docs.taskharbor.example | w-taskharbor-docs |"}},
		{"get_prompts", in, []string{"Product 101, domain taskharbor.example, " + period, "| promptText | platform | position | visibility | rank | runCount | labels |", "| 12 comparison |", "page=2."}},
		{"get_visibility_summary", summary, []string{period, "\nvisibility: 0.", "\nposition: ", "\nrank: ", "\ntotalCompetitors: 4\n"}},
		{"get_visibility_trend", in, []string{period, "| date | platform | visibility | position | rank |", "| 2026-03-02 | claude | 0.", "page=2."}},
		{"get_citations", in, []string{period, "By property:", "By page:", "By product:", "| url | products | count | isMentioned |", "page=2 and groupBy=property."}},
		{"get_agent_traffic", in, []string{"Product 101, " + period, "| timestamp | botVisits |\n|---|---|\n| 2026-03-02 | ", "page=2."}},
	}
	for _, c := range cases {
		t.Run(c.tool, func(t *testing.T) {
			var any map[string]any
			r := s.answer(c.tool, c.args, &any)
			for _, want := range c.want {
				if !strings.Contains(r.text, want) {
					t.Errorf("no %q in\n%s", want, r.text)
				}
			}
			if strings.Contains(r.text, "null") || strings.Contains(r.text, "<nil>") {
				t.Errorf("nulls in\n%s", r.text)
			}
		})
	}
}

func TestWhatIsLeftOutOfACallHasADefault(t *testing.T) {
	type asked struct {
		ProductID                int64
		Domain, DateFrom, DateTo string
		Page, PerPage            int64
	}
	cases := []struct {
		name, key, tool string
		args            args
		want            asked
	}{
		{"everything", soloKey, "get_prompts", args{}, asked{103, "trailmoor.example", "2026-02-02T00:00:00Z", "2026-03-03T23:59:59Z", 1, 100}},
		{"everything, as null", soloKey, "get_prompts", args{"productId": nil, "domain": nil, "dateFrom": nil, "platforms": nil}, asked{103, "trailmoor.example", "2026-02-02T00:00:00Z", "2026-03-03T23:59:59Z", 1, 100}},
		{"the product", soloKey, "get_visibility_trend", args{"domain": "journal.trailmoor.example", "dateFrom": "2026-03-01T10:00:00+01:00", "page": 2, "perPage": 3}, asked{103, "journal.trailmoor.example", "2026-03-01T09:00:00Z", "2026-03-04T23:59:59Z", 2, 3}},
		{"the domain", agencyKey, "get_visibility_summary", args{"productId": 102, "dateTo": "2026-02-28"}, asked{102, "inkfern.example", "2026-01-30T00:00:00Z", "2026-02-28T23:59:59Z", 0, 0}},
		{"the dates", agencyKey, "get_citations", args{"productId": 101, "domain": "docs.taskharbor.example"}, asked{101, "docs.taskharbor.example", "2026-02-02T00:00:00Z", "2026-03-03T23:59:59Z", 0, 0}},
		{"all of traffic", soloKey, "get_agent_traffic", args{}, asked{103, "", "2026-02-02T00:00:00Z", "2026-03-03T23:59:59Z", 1, 100}},
		{"the website's product", soloKey, "list_websites", args{}, asked{ProductID: 103}},
		{"all time", agencyKey, "get_agent_traffic", args{"productId": 101, "dateFrom": "0001-01-01"}, asked{101, "", "0001-01-01T00:00:00.000000001Z", "2026-03-04T23:59:59Z", 1, 100}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got asked
			connect(t, demoBase, c.key).answer(c.tool, c.args, &got)
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestAnEmptyAnswerSaysWhatToCheck(t *testing.T) {
	s := connect(t, demoBase, agencyKey)
	cases := []struct {
		name, tool string
		args       args
		want       string
	}{
		{"a domain of nobody", "get_prompts", args{"productId": 101, "domain": "nobody.example"}, "No tracked prompt matches. Check the domain"},
		{"a platform in capitals", "get_visibility_summary", args{"productId": 101, "platforms": []string{"OpenAI"}}, "visibility: -\nposition: -\nrank: -\ntotalCompetitors: 0\n\nNo AI answers match"},
		{"a period without runs", "get_visibility_trend", args{"productId": 101, "dateTo": "2020-01-31"}, "No AI answers match"},
		{"citations of then", "get_citations", args{"productId": 101, "dateTo": "2020-01-31", "groupBy": "product"}, "By product:\n\nNothing: no matching answer"},
		{"another's website", "get_agent_traffic", args{"productId": 101, "websiteId": "w-trailmoor"}, "No visits match. Check the period, websiteId"},
		{"past the last page", "get_prompts", args{"productId": 101, "page": 9}, "Page 9 is past the end: there are 1."},
		{"past the last page of traffic", "get_agent_traffic", args{"productId": 101, "page": 4}, "Page 4 is past the end: there are 1."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got any
			if r := s.answer(c.tool, c.args, &got); !strings.Contains(r.text, c.want) {
				t.Errorf("no %q in\n%s", c.want, r.text)
			} else if strings.Contains(r.text, "|---|") {
				t.Errorf("an empty table in\n%s", r.text)
			}
		})
	}
}
