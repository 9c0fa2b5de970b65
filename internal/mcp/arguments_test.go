package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWrongArgumentsAreNamedWithWhatIsRight(t *testing.T) {
	s := connect(t, demoBase, agencyKey)
	cases := []struct{ name, tool, args, want string }{
		{"unknown metric", "get_agent_traffic", `{"productId":101,"metrics":["bot_visits","clicks"]}`, `metrics: "clicks" is not one of bot_visits, human_visits, referred_human_visits`},
		{"unknown dimension", "get_agent_traffic", `{"productId":101,"groupBy":["country"]}`, `groupBy: "country" is not one of platform, botType, urlPath, normalizedUrlPath, urlPathDirectory`},
		{"unknown interval", "get_agent_traffic", `{"productId":101,"interval":"month"}`, `interval: "month" is not one of day, week`},
		{"unknown grouping", "get_citations", `{"productId":101,"groupBy":"domain"}`, `groupBy: "domain" is not one of all, property, page, product`},
		{"a value instead of an array", "get_agent_traffic", `{"productId":101,"metrics":"bot_visits"}`, `metrics: must be an array, also for one value`},
		{"a number in quotes", "get_prompts", `{"productId":"101"}`, `productId: must be a whole number, not in quotes`},
		{"a fraction", "get_prompts", `{"productId":1.5}`, `productId: must be a whole number`},
		{"a product without end", "get_prompts", `{"productId":99999999999999999999}`, `productId: must be a whole number`},
		{"product 0", "get_prompts", `{"productId":0}`, `productId: must be at least 1`},
		{"page 0", "get_prompts", `{"productId":101,"page":0}`, `page: must be at least 1`},
		{"a page without end", "get_prompts", `{"productId":101,"perPage":501}`, `perPage: must be at most 500`},
		{"a number for a text", "get_prompts", `{"productId":101,"domain":7}`, `domain: must be a string`},
		{"an empty text", "get_agent_traffic", `{"productId":101,"websiteId":""}`, `websiteId: must not be empty; leave it out instead`},
		{"an empty platform", "get_prompts", `{"productId":101,"platforms":[""]}`, `platforms: must not be empty`},
		{"the contract's spelling", "get_agent_traffic", `{"productId":101,"metrics[]":["bot_visits"]}`, `unknown argument "metrics[]": this tool takes productId, dateFrom, dateTo, websiteId, interval, metrics, groupBy,`},
		{"an argument for none", "list_products", `{"productId":101}`, `unknown argument "productId": this tool takes none`},
		{"a list of arguments", "list_products", `[1]`, `must be a JSON object`},
		{"not a date", "get_prompts", `{"productId":101,"dateFrom":"last week"}`, `dateFrom: not an RFC 3339 date-time such as 2026-03-01T00:00:00Z; a bare date such as 2026-03-01 is right, too`},
		{"no such day", "get_prompts", `{"productId":101,"dateTo":"2026-02-30"}`, `dateTo: no such date or time`},
		{"no zone", "get_agent_traffic", `{"productId":101,"dateTo":"2026-02-03T10:00:00"}`, `dateTo: no time zone`},
		{"backwards", "get_agent_traffic", `{"productId":101,"dateFrom":"2026-03-05"}`, `dateFrom: 2026-03-05T00:00:00Z is after dateTo, 2026-03-04T23:59:59Z`},
		{"a label of others", "get_prompts", `{"productId":101,"labelIds":[31]}`, `(400): labelIds: 31 is not a label of this product. Call get_prompts without labelIds`},
		{"a negative label", "get_visibility_trend", `{"productId":101,"labelIds":[-1]}`, `(400): labelIds: `},
		{"no product named", "get_visibility_summary", `{}`, `productId: required, because this key sees 3 products: 101 (Taskharbor), 102 (Inkfern), 103 (Trailmoor)`},
		{"no arguments at all", "get_agent_traffic", `null`, `productId: required`},
		{"a competitor", "get_visibility_summary", `{"productId":201}`, `productId: 201 is not visible to this key, which sees 3 products: 101 (Taskharbor)`},
		{"a competitor, with its domain", "get_citations", `{"productId":201,"domain":"plankwise.example"}`, `productId: 201 is not visible to this key, which sees 3 products: 101 (Taskharbor)`},
		{"a competitor's traffic", "get_agent_traffic", `{"productId":201}`, `productId: 201 is not visible to this key`},
		{"a competitor's websites", "list_websites", `{"productId":201}`, `productId: 201 is not visible to this key`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := s.error(c.tool, json.RawMessage(c.args)); !strings.Contains(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAnUnknownToolIsAnErrorOfTheProtocol(t *testing.T) {
	s := connect(t, demoBase, agencyKey)
	if _, err := s.CallTool(t.Context(), call("delete_everything")); err == nil {
		t.Error("no error")
	}
}
