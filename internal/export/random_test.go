package export

import (
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

// texts are those that formats have trouble with, and any others.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", " ", "null", "=1+1", "-5", "a;=b", "x\n@y", "\r\n", "\t", `"`, `a,"b"`, "'", "é😀", "a\xffb", "\x00", "＝1", `[{"a":1}]`, "\u2028",
	}))
}

func integers() *rapid.Generator[int64] { return rapid.Int64() }
func shares() *rapid.Generator[float64] { return rapid.Float64() }
func moment() *rapid.Generator[string] {
	return rapid.Map(rapid.Int64Range(-1<<35, 1<<36), func(s int64) string { return time.Unix(s, 0).UTC().Format(time.RFC3339) })
}

func maybe[T any](g *rapid.Generator[T]) *rapid.Generator[*T] { return rapid.Ptr(g, true) }
func some[T any](g *rapid.Generator[T]) *rapid.Generator[[]T] { return rapid.SliceOfN(g, 0, 5) }

func websites() *rapid.Generator[api.Website] {
	return rapid.Custom(func(t *rapid.T) api.Website {
		return api.Website{Domain: texts().Draw(t, "domain"), WebsiteID: texts().Draw(t, "websiteId")}
	})
}

func citedProducts() *rapid.Generator[[]api.CitationProduct] {
	return some(rapid.Custom(func(t *rapid.T) api.CitationProduct {
		return api.CitationProduct{Name: texts().Draw(t, "name"), Domain: texts().Draw(t, "domain")}
	}))
}

// answers are the seven answers but the timeseries, with anything in them that
// their types allow.
var answers = map[string]func(t *rapid.T) any{
	"products": func(t *rapid.T) any {
		return some(rapid.Custom(func(t *rapid.T) api.Product {
			return api.Product{ID: integers().Draw(t, "id"), Name: texts().Draw(t, "name"), Website: texts().Draw(t, "website"),
				Domain: texts().Draw(t, "domain"), PartnerWebsites: some(websites()).Draw(t, "partners")}
		})).Draw(t, "products")
	},
	"websites": func(t *rapid.T) any { return some(websites()).Draw(t, "websites") },
	"prompts": func(t *rapid.T) any {
		return some(rapid.Custom(func(t *rapid.T) api.PromptMetric {
			return api.PromptMetric{PromptText: texts().Draw(t, "text"), Platform: texts().Draw(t, "platform"), Domain: texts().Draw(t, "domain"),
				Position: maybe(shares()).Draw(t, "position"), Visibility: maybe(shares()).Draw(t, "visibility"),
				Rank: maybe(integers()).Draw(t, "rank"), RunCount: maybe(integers()).Draw(t, "runs"),
				Labels: some(rapid.Custom(func(t *rapid.T) api.PromptLabel {
					return api.PromptLabel{ID: integers().Draw(t, "id"), Name: texts().Draw(t, "name")}
				})).Draw(t, "labels")}
		})).Draw(t, "prompts")
	},
	"summary": func(t *rapid.T) any {
		return api.PromptSummary{Position: maybe(shares()).Draw(t, "position"), Visibility: maybe(shares()).Draw(t, "visibility"),
			Rank: maybe(integers()).Draw(t, "rank"), TotalCompetitors: integers().Draw(t, "competitors")}
	},
	"dates": func(t *rapid.T) any {
		return some(rapid.Custom(func(t *rapid.T) api.DailyPromptMetric {
			return api.DailyPromptMetric{Date: moment().Draw(t, "date"), Platform: texts().Draw(t, "platform"), Domain: texts().Draw(t, "domain"),
				Visibility: maybe(shares()).Draw(t, "visibility"), Position: maybe(shares()).Draw(t, "position"), Rank: maybe(integers()).Draw(t, "rank")}
		})).Draw(t, "dates")
	},
	"citations": func(t *rapid.T) any { return citationsOf(t, rapid.IntRange(0, 3).Draw(t, "grouping")) },
}

// citationsOf answers one grouping, or with 3 all of them.
func citationsOf(t *rapid.T, grouping int) (a api.CitationResponse) {
	if grouping == 0 || grouping == 3 {
		a.ByProperty = some(rapid.Custom(func(t *rapid.T) api.CitationByProperty {
			return api.CitationByProperty{Domain: texts().Draw(t, "domain"), Products: citedProducts().Draw(t, "products"),
				Count: integers().Draw(t, "count"), IsMentioned: rapid.Bool().Draw(t, "mentioned")}
		})).Draw(t, "byProperty")
	}
	if grouping == 1 || grouping == 3 {
		a.ByPage = some(rapid.Custom(func(t *rapid.T) api.CitationByPage {
			return api.CitationByPage{Domain: texts().Draw(t, "domain"), URL: texts().Draw(t, "url"), Products: citedProducts().Draw(t, "products"),
				Count: integers().Draw(t, "count"), IsMentioned: rapid.Bool().Draw(t, "mentioned")}
		})).Draw(t, "byPage")
	}
	if grouping == 2 || grouping == 3 {
		a.ByProduct = some(rapid.Custom(func(t *rapid.T) api.CitationByProduct {
			return api.CitationByProduct{Name: texts().Draw(t, "name"), Domain: texts().Draw(t, "domain"),
				Count: integers().Draw(t, "count"), IsMentioned: rapid.Bool().Draw(t, "mentioned")}
		})).Draw(t, "byProduct")
	}
	return a
}

// randomSeries is a request for a timeseries, and its items.
func randomSeries(t *rapid.T) (r api.TimeseriesRequest, items []api.TimeseriesItem) {
	r.Metrics = rapid.SliceOfNDistinct(rapid.SampledFrom(api.Metrics), 1, -1, rapid.ID).Draw(t, "metrics")
	r.GroupBy = rapid.SliceOfNDistinct(rapid.SampledFrom(api.Dimensions), 0, -1, rapid.ID).Draw(t, "dimensions")
	for range rapid.IntRange(0, 5).Draw(t, "rows") {
		i := api.TimeseriesItem{Timestamp: moment().Draw(t, "timestamp")}
		for _, d := range r.GroupBy {
			text := texts().Draw(t, string(d))
			*map[api.Dimension]**string{api.ByPlatform: &i.Platform, api.ByBotType: &i.BotType, api.ByURLPath: &i.URLPath,
				api.ByNormalizedURLPath: &i.NormalizedURLPath, api.ByURLPathDirectory: &i.URLPathDirectory}[d] = &text
		}
		for _, m := range r.Metrics {
			n := integers().Draw(t, string(m))
			*map[api.Metric]**int64{api.BotVisits: &i.BotVisits, api.HumanVisits: &i.HumanVisits, api.ReferredHumanVisits: &i.ReferredHumanVisits,
				api.AIReferredHumanVisits: &i.AIReferredHumanVisits, api.UniqueHumanVisitors: &i.UniqueHumanVisitors, api.UniquePages: &i.UniquePages,
				api.UniqueHumanPages: &i.UniqueHumanPages, api.UniqueHumanPlatforms: &i.UniqueHumanPlatforms, api.BotUserAgents: &i.BotUserAgents}[m] = &n
		}
		items = append(items, i)
	}
	return r, items
}

// seriesTable is a table of items that are at hand.
func seriesTable(r api.TimeseriesRequest, items []api.TimeseriesItem) Table {
	return Timeseries(r, func(each func(*api.TimeseriesItem) error) error {
		for i := range items {
			if err := each(&items[i]); err != nil {
				return err
			}
		}
		return nil
	})
}
