package oracle

import (
	"math"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

func series(metrics ...api.Metric) api.TimeseriesRequest {
	return api.TimeseriesRequest{Window: march, Interval: api.Day, Metrics: metrics, Page: 1, PerPage: 20}
}

func on(path, directory string) func(*Pageview) {
	return func(l *Pageview) {
		l.Truth.URLPath, l.Truth.NormalizedPath, l.Truth.Directory = path+"/", path, directory
	}
}

// busy has, on March 2: GPTBot on /pricing twice and on /blog/a once, under
// another version, and ClaudeBot on /pricing of the partner's website; two
// views by a human who came from Claude, one by another who came from a
// newspaper. On March 8, a Sunday, the first human again; on March 9 GPTBot.
func busy() *World {
	w := small()
	claude := Agent{Bot: true, Platform: "claude", BotType: "claudebot"}
	w.Pageviews = []Pageview{
		bot(noon), bot(noon),
		with(with(bot(noon), on("/blog/a", "/blog")), func(l *Pageview) { l.UserAgent = "GPTBot/1.3" }),
		with(bot(noon), func(l *Pageview) { l.WebsiteID, l.UserAgent, l.Truth.Agent = "w-shop", "ClaudeBot", claude }),
		with(human(noon), refer("claude.ai", "claude")),
		with(with(human(noon), refer("claude.ai", "claude")), on("/blog/a", "/blog")),
		with(with(human(noon), refer("news.example", "none")), func(l *Pageview) { l.IP = "203.0.113.10" }),
		human("2026-03-08T23:59:59Z"),
		bot("2026-03-09T00:00:00Z"),
		with(bot(noon), func(l *Pageview) { l.WebsiteID = "w-old" }), // not tracked
	}
	return w
}

func TestTheNineMetricsOfADay(t *testing.T) {
	answer, status := busy().Timeseries("acme", 101, series(api.Metrics...))
	expect(t, answer.Items, status, `
		{"timestamp":"2026-03-02T00:00:00Z","botVisits":4,"humanVisits":3,"referredHumanVisits":3,"aiReferredHumanVisits":2,"uniqueHumanVisitors":2,"uniquePages":3,"uniqueHumanPages":2,"uniqueHumanPlatforms":1,"botUserAgents":3}
		{"timestamp":"2026-03-08T00:00:00Z","botVisits":0,"humanVisits":1,"referredHumanVisits":0,"aiReferredHumanVisits":0,"uniqueHumanVisitors":1,"uniquePages":0,"uniqueHumanPages":1,"uniqueHumanPlatforms":0,"botUserAgents":0}
		{"timestamp":"2026-03-09T00:00:00Z","botVisits":1,"humanVisits":0,"referredHumanVisits":0,"aiReferredHumanVisits":0,"uniqueHumanVisitors":0,"uniquePages":1,"uniqueHumanPages":0,"uniqueHumanPlatforms":0,"botUserAgents":1}`)
}

func TestWeeksStartOnMondayEvenBeforeTheWindow(t *testing.T) {
	r := series(api.BotVisits, api.HumanVisits, api.UniqueHumanVisitors)
	r.Interval = api.Week
	r.From = window("2026-03-02T12:00:00Z", "2026-03-02T12:00:00Z").From
	answer, status := busy().Timeseries("acme", 101, r)
	expect(t, answer.Items, status, `
		{"timestamp":"2026-03-02T00:00:00Z","botVisits":4,"humanVisits":4,"uniqueHumanVisitors":2}
		{"timestamp":"2026-03-09T00:00:00Z","botVisits":1,"humanVisits":0,"uniqueHumanVisitors":0}`)
}

func TestRowsWhoseMetricsAreAllZeroAreAbsent(t *testing.T) {
	answer, status := busy().Timeseries("acme", 101, series(api.HumanVisits))
	expect(t, answer.Items, status, `
		{"timestamp":"2026-03-02T00:00:00Z","humanVisits":3}
		{"timestamp":"2026-03-08T00:00:00Z","humanVisits":1}`)
	if answer.TotalItems != 2 {
		t.Errorf("totalItems is %d", answer.TotalItems)
	}
}

func TestRowsAreOrderedByTheFirstMetricThenTheDimensions(t *testing.T) {
	r := series(api.BotVisits, api.HumanVisits)
	r.GroupBy = []api.Dimension{api.ByPlatform, api.ByNormalizedURLPath}
	r.To = window(noon, noon).To
	answer, status := busy().Timeseries("acme", 101, r)
	expect(t, answer.Items, status, `
		{"timestamp":"2026-03-02T00:00:00Z","platform":"openai","normalizedUrlPath":"/pricing","botVisits":2,"humanVisits":0}
		{"timestamp":"2026-03-02T00:00:00Z","platform":"claude","normalizedUrlPath":"/pricing","botVisits":1,"humanVisits":1}
		{"timestamp":"2026-03-02T00:00:00Z","platform":"openai","normalizedUrlPath":"/blog/a","botVisits":1,"humanVisits":0}
		{"timestamp":"2026-03-02T00:00:00Z","platform":"claude","normalizedUrlPath":"/blog/a","botVisits":0,"humanVisits":1}
		{"timestamp":"2026-03-02T00:00:00Z","platform":"none","normalizedUrlPath":"/pricing","botVisits":0,"humanVisits":1}`)
}

func TestAllDimensions(t *testing.T) {
	r := series(api.BotVisits)
	r.GroupBy = []api.Dimension{api.ByURLPathDirectory, api.ByURLPath, api.ByBotType, api.ByPlatform, api.ByNormalizedURLPath}
	path := "/blog/a"
	r.URLPath = &path
	answer, status := busy().Timeseries("acme", 101, r)
	expect(t, answer.Items, status, `
		{"timestamp":"2026-03-02T00:00:00Z","platform":"openai","botType":"gptbot","urlPath":"/blog/a/","normalizedUrlPath":"/blog/a","urlPathDirectory":"/blog","botVisits":1}`)
}

func TestTopLimitKeepsTheFirstRowsOfEachBucket(t *testing.T) {
	r := series(api.BotVisits)
	r.GroupBy, r.TopLimit = []api.Dimension{api.ByPlatform}, 1
	answer, status := busy().Timeseries("acme", 101, r)
	expect(t, answer.Items, status, `
		{"timestamp":"2026-03-02T00:00:00Z","platform":"openai","botVisits":3}
		{"timestamp":"2026-03-09T00:00:00Z","platform":"openai","botVisits":1}`)
	if answer.TotalItems != 2 {
		t.Errorf("totalItems is %d, want what is left: 2", answer.TotalItems)
	}
}

func TestTrafficFilters(t *testing.T) {
	site := func(id string) *string { return &id }
	for _, c := range []struct {
		name string
		set  func(*api.TimeseriesRequest)
		want int64 // bot visits and human visits, added up
	}{
		{"all active websites", func(*api.TimeseriesRequest) {}, 9},
		{"one website", func(r *api.TimeseriesRequest) { r.WebsiteID = site("w-shop") }, 1},
		{"an untracked website", func(r *api.TimeseriesRequest) { r.WebsiteID = site("w-old") }, 0},
		{"an unknown website", func(r *api.TimeseriesRequest) { r.WebsiteID = site("nosuch") }, 0},
		{"platform of bots and referred humans", func(r *api.TimeseriesRequest) { r.Platforms = []string{"claude"} }, 3},
		{"platforms", func(r *api.TimeseriesRequest) { r.Platforms = []string{"none", "openai"} }, 6},
		{"bot type", func(r *api.TimeseriesRequest) { r.BotTypes = []string{"gptbot"} }, 4},
		{"humans", func(r *api.TimeseriesRequest) { r.BotTypes = []string{"none"} }, 4},
		{"path", func(r *api.TimeseriesRequest) { r.URLPath = site("/blog/a") }, 2},
		{"window", func(r *api.TimeseriesRequest) { r.Window = window("2026-03-08T23:59:59Z", "2026-03-09T00:00:00Z") }, 2},
	} {
		r := series(api.BotVisits, api.HumanVisits)
		c.set(&r)
		answer, status := busy().Timeseries("acme", 101, r)
		var sum int64
		for _, it := range answer.Items {
			sum += *it.BotVisits + *it.HumanVisits
		}
		if status != 200 || sum != c.want {
			t.Errorf("%s: %d visits (status %d), want %d", c.name, sum, status, c.want)
		}
	}
}

// Three rows, one for each day.
func TestPaging(t *testing.T) {
	for _, c := range []struct {
		name          string
		page, perPage int64
		want          string
		items         int
	}{
		{"one page", 1, 20, `"previousPage":null,"currentPage":1,"nextPage":null,"totalPages":1,"totalItems":3,"perPage":20`, 3},
		{"first", 1, 2, `"previousPage":null,"currentPage":1,"nextPage":2,"totalPages":2,"totalItems":3,"perPage":2`, 2},
		{"last, partly filled", 2, 2, `"previousPage":1,"currentPage":2,"nextPage":null,"totalPages":2,"totalItems":3,"perPage":2`, 1},
		{"exactly filled", 3, 1, `"previousPage":2,"currentPage":3,"nextPage":null,"totalPages":3,"totalItems":3,"perPage":1`, 1},
		{"past the end", 9, 2, `"previousPage":2,"currentPage":9,"nextPage":null,"totalPages":2,"totalItems":3,"perPage":2`, 0},
		{"far past the end", math.MaxInt64, math.MaxInt64, `"previousPage":1,"currentPage":9223372036854775807,"nextPage":null,"totalPages":1,"totalItems":3,"perPage":9223372036854775807`, 0},
	} {
		r := series(api.BotVisits, api.HumanVisits)
		r.Page, r.PerPage = c.page, c.perPage
		answer, _ := busy().Timeseries("acme", 101, r)
		if len(answer.Items) != c.items {
			t.Errorf("%s: %d items, want %d", c.name, len(answer.Items), c.items)
		}
		answer.Items = answer.Items[:0]
		t.Run(c.name, func(t *testing.T) { expect(t, answer, 200, "{"+c.want+`,"items":[]}`) })
	}
}

func TestNothingFoundHasNoPages(t *testing.T) {
	r := series(api.BotVisits)
	r.Page = 3
	answer, status := small().Timeseries("acme", 101, r)
	expect(t, answer, status, `{"previousPage":null,"currentPage":3,"nextPage":null,"totalPages":0,"totalItems":0,"perPage":20,"items":[]}`)
}

func TestTimeseriesIsForTheKeyOnly(t *testing.T) {
	if _, status := busy().Timeseries("holding", 101, series(api.BotVisits)); status != 401 {
		t.Errorf("status %d, want 401", status)
	}
}
