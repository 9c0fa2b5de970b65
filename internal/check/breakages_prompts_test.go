package check_test

import (
	"math"
	"net/url"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// toMidnight is a window that loses its last day.
func toMidnight(v url.Values) {
	v.Set("dateTo", strings.Replace(v.Get("dateTo"), "T23:59:59Z", "T00:00:00Z", 1))
}

func has(name string) func(url.Values) bool { return func(v url.Values) bool { return v.Has(name) } }

var brokenPrompts = []breakage{
	{name: "prompts in another order", caughtBy: "prompts/order", after: tell("/prompts", reversed[api.PromptMetric])},
	{name: "0 for no runs", caughtBy: "prompts/nulls", after: tell("/prompts", func(rows *[]api.PromptMetric) {
		(*rows)[0].RunCount, (*rows)[0].Visibility = new(int64), nil
	})},
	{name: "position 0 for no mention", caughtBy: "prompts/nulls", after: tell("/dates", func(rows *[]api.DailyPromptMetric) {
		(*rows)[0].Visibility, (*rows)[0].Position = new(float64), new(float64)
	})},
	{name: "prompts of all domains", caughtBy: "prompts/selection", after: tell("/prompts", func(rows *[]api.PromptMetric) {
		(*rows)[len(*rows)-1].Domain = "docs.taskharbor.example"
	})},
	{name: "days before the window", caughtBy: "prompts/selection", after: tell("/dates", func(rows *[]api.DailyPromptMetric) {
		(*rows)[0].Date = "2026-03-01T00:00:00Z"
	})},
	{name: "the case of a domain matters", caughtBy: "prompts/domain-spelling", before: ask("/citations", func(v url.Values) {
		if d := v.Get("domain"); d != strings.ToLower(d) {
			v.Set("domain", "none.example")
		}
	})},
	{name: "an unknown domain is the product's", caughtBy: "prompts/nothing", before: ask("/summary", func(v url.Values) {
		if strings.Contains(v.Get("domain"), "no-such") {
			v.Set("domain", "taskharbor.example")
		}
	})},
	{name: "prompts ignore platforms", caughtBy: "prompts/platform-filter", before: ignore("/prompts", "platforms[]")},
	{name: "dates ignore platforms", caughtBy: "prompts/platform-filter", before: ignore("/dates", "platforms[]")},
	{name: "prompts ignore labels", caughtBy: "prompts/label-filter", before: ignore("/prompts", "labelIds[]")},
	{name: "only one of two labels counts", caughtBy: "prompts/label-filter", before: ask("/prompts", func(v url.Values) {
		if len(v["labelIds[]"]) > 1 {
			v["labelIds[]"] = v["labelIds[]"][:1]
		}
	})},
	{name: "visibility is rounded", caughtBy: "prompts/visibility", after: tell("/prompts", func(rows *[]api.PromptMetric) {
		for _, r := range *rows {
			if r.Visibility != nil {
				*r.Visibility = math.Round(*r.Visibility*10)/10 + 0.01
			}
		}
	})},
	{name: "the last day of prompts is missing", caughtBy: "prompts/windows-add-up", before: ask("/prompts", toMidnight)},
	{name: "the last day of dates is missing", caughtBy: "prompts/windows-add-up", before: ask("/dates", toMidnight)},
	{name: "short windows count more", caughtBy: "prompts/narrower-window", after: tellIf("/prompts",
		func(v url.Values) bool { return strings.Contains(v.Get("dateFrom"), "T12:00:00Z") },
		func(rows *[]api.PromptMetric) {
			for _, r := range *rows {
				if r.RunCount != nil {
					*r.RunCount *= 3
				}
			}
		})},
	{name: "the summary is a little off", caughtBy: "summary/pools", after: tell("/summary", func(s *api.PromptSummary) {
		if s.Visibility != nil {
			*s.Visibility *= 0.99
		}
	})},
	{name: "the summary ignores labels", caughtBy: "summary/pools", before: ignore("/summary", "labelIds[]")},
	{name: "a rank beyond all competitors", caughtBy: "summary/pools", after: tell("/summary", func(s *api.PromptSummary) {
		if s.Rank != nil {
			*s.Rank = s.TotalCompetitors + 2
		}
	})},
	{name: "dates in another order", caughtBy: "dates/order", after: tell("/dates", reversed[api.DailyPromptMetric])},
	{name: "a day twice", caughtBy: "dates/order", after: tell("/dates", func(rows *[]api.DailyPromptMetric) {
		*rows = append((*rows)[:1:1], *rows...)
	})},
	{name: "another rank by day", caughtBy: "dates/summary", after: tell("/dates", func(rows *[]api.DailyPromptMetric) {
		for _, r := range *rows {
			if r.Rank != nil {
				*r.Rank++
			}
		}
	})},
	{name: "days ignore labels", caughtBy: "dates/summary", before: ignore("/dates", "labelIds[]")},
	{name: "days without a platform", caughtBy: "dates/runs", after: tell("/dates", func(rows *[]api.DailyPromptMetric) {
		var kept []api.DailyPromptMetric
		for _, r := range *rows {
			if r.Platform != "openai" {
				kept = append(kept, r)
			}
		}
		*rows = kept
	})},
}

var brokenCitations = []breakage{
	{name: "pages in another order", caughtBy: "citations/order", after: tell("/citations", func(c *api.CitationResponse) { reversed(&c.ByPage) })},
	{name: "products of a page in another order", caughtBy: "citations/order", after: tell("/citations", func(c *api.CitationResponse) {
		for i := range c.ByPage {
			reversed(&c.ByPage[i].Products)
		}
	})},
	{name: "a grouping with all fields", caughtBy: "citations/groupings", before: ask("/citations", func(v url.Values) {
		if v.Get("groupBy") == "page" {
			v.Set("groupBy", "all")
		}
	})},
	{name: "an alias that is not known", caughtBy: "citations/groupings", before: ask("/citations", func(v url.Values) {
		if v.Get("groupBy") == "byProduct" {
			v.Set("groupBy", "x")
		}
	})},
	{name: "a property with one citation more", caughtBy: "citations/properties", after: tell("/citations", func(c *api.CitationResponse) {
		if len(c.ByProperty) > 0 {
			c.ByProperty[0].Count++
		}
	})},
	{name: "a property that lost a product", caughtBy: "citations/properties", after: tell("/citations", func(c *api.CitationResponse) {
		if len(c.ByProperty) > 0 {
			c.ByProperty[0].Products = c.ByProperty[0].Products[1:]
		}
	})},
	{name: "a product without a row", caughtBy: "citations/products", after: tell("/citations", func(c *api.CitationResponse) {
		if len(c.ByProduct) > 0 {
			c.ByProduct = c.ByProduct[:len(c.ByProduct)-1]
		}
	})},
	{name: "citations ignore platforms", caughtBy: "citations/platforms-add-up", before: ignore("/citations", "platforms[]")},
	{name: "the last day of citations is missing", caughtBy: "citations/windows-add-up", before: ask("/citations", toMidnight)},
	{name: "citations ignore labels", caughtBy: "citations/label-filter", before: ignore("/citations", "labelIds[]")},
	{name: "labels add citations", caughtBy: "citations/label-filter", after: tellIf("/citations", has("labelIds[]"), func(c *api.CitationResponse) {
		c.ByPage[0].Count += 1000
	})},
}
