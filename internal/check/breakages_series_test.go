package check_test

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

type series = api.TimeseriesResponse

// rows changes the rows of a timeseries.
func rows(some func(url.Values) bool, change func([]api.TimeseriesItem) []api.TimeseriesItem) breakage {
	return breakage{after: tellIf("/timeseries", some, func(page *series) {
		if len(page.Items) > 0 {
			page.Items = change(page.Items)
		}
	})}
}

func (b breakage) named(name, caughtBy string) breakage {
	b.name, b.caughtBy = name, caughtBy
	return b
}

func always(url.Values) bool { return true }

func weekly(v url.Values) bool { return v.Get("interval") == "week" }

func by(dimension string) func(url.Values) bool {
	return func(v url.Values) bool { return slices.Contains(v["groupBy[]"], dimension) }
}

type items = []api.TimeseriesItem

var brokenSeries = []breakage{
	{name: "all dimensions, always", caughtBy: "timeseries/fields", before: ask("/timeseries", func(v url.Values) { v.Add("groupBy[]", "botType") })},
	{name: "a metric that was not asked for", caughtBy: "timeseries/fields", before: ask("/timeseries", func(v url.Values) { v.Add("metrics[]", "unique_pages") })},
	rows(by("platform"), func(all items) items { reversed(&all); return all }).named("rows in another order", "timeseries/order"),
	{name: "rows by the last metric", caughtBy: "timeseries/order", before: ask("/timeseries", func(v url.Values) { reversed(ptr(v["metrics[]"])) })},
	rows(weekly, func(all items) items {
		for i := range all {
			all[i].Timestamp = "2026-03-08T00:00:00Z"
		}
		return all
	}).named("weeks start on Sunday", "timeseries/buckets"),
	rows(always, func(all items) items { return append(slices.Clip(all), all[len(all)-1:]...) }).named("a row twice", "timeseries/buckets"),
	rows(by("botType"), func(all items) items {
		all[0].BotVisits, all[0].UniquePages, all[0].AIReferredHumanVisits = new(int64), new(int64), new(int64)
		return all
	}).named("a row of zeros", "timeseries/sparse"),
	rows(func(v url.Values) bool { return len(v["metrics[]"]) == 1 }, func(all items) items {
		for i := range all {
			if all[i].BotVisits != nil {
				*all[i].BotVisits++
			}
		}
		return all
	}).named("a metric counts more when alone", "timeseries/metrics-alone"),
	rows(always, func(all items) items {
		for i := range all {
			if all[i].UniqueHumanVisitors != nil && all[i].HumanVisits != nil {
				*all[i].UniqueHumanVisitors = *all[i].HumanVisits + 1
			}
		}
		return all
	}).named("more visitors than visits", "timeseries/bounds"),
	rows(by("botType"), func(all items) items {
		for i := range all {
			*all[i].BotType = "gptbot"
		}
		return all
	}).named("humans with a bot type", "timeseries/bots-and-humans"),
	rows(by("urlPathDirectory"), func(all items) items {
		for i := range all {
			*all[i].URLPathDirectory += "/"
		}
		return all
	}).named("directories end with a slash", "timeseries/directories"),
	{name: "paths are compared as they are", caughtBy: "timeseries/path-spelling", before: ask("/timeseries", func(v url.Values) {
		if strings.HasSuffix(v.Get("urlPath"), "/") {
			v.Set("urlPath", "/none")
		}
	})},
	rows(weekly, func(all items) items {
		for i := range all {
			*all[i].BotVisits++
		}
		return all
	}).named("a week is its days and one", "timeseries/week"),
	rows(weekly, func(all items) items {
		for i := range all {
			*all[i].UniqueHumanVisitors = 1
		}
		return all
	}).named("a week with fewer visitors than a day", "timeseries/week"),
	rows(by("platform"), func(all items) items {
		return slices.DeleteFunc(all, func(i api.TimeseriesItem) bool { return *i.Platform == "none" })
	}).named("no platform, no row", "timeseries/agents-add-up"),
	rows(by("normalizedUrlPath"), func(all items) items { return all[1:] }).named("a path is lost", "timeseries/paths-add-up"),
	{name: "websites are ignored", caughtBy: "timeseries/websites-add-up", before: ignore("/timeseries", "websiteId")},
	{name: "an unknown website is all websites", caughtBy: "timeseries/nothing", before: ignore("/timeseries", "websiteId")},
	{name: "bot types are ignored", caughtBy: "timeseries/filters", before: ignore("/timeseries", "botTypes[]")},
	{name: "paths are ignored", caughtBy: "timeseries/filters", before: ignore("/timeseries", "urlPath")},
	{name: "only the first platform counts", caughtBy: "timeseries/filter-values", before: ask("/timeseries", func(v url.Values) {
		if len(v["platforms[]"]) > 1 {
			v["platforms[]"] = v["platforms[]"][:1]
		}
	})},
	{name: "the last day of a series is missing", caughtBy: "timeseries/windows-add-up", before: ask("/timeseries", toMidnight)},
	rows(func(v url.Values) bool { return strings.Contains(v.Get("dateFrom"), "T12:00:00Z") }, func(all items) items {
		for i := range all {
			*all[i].HumanVisits += 100_000
		}
		return all
	}).named("short windows of a series count more", "timeseries/narrower-window"),
	{name: "one row more than topLimit", caughtBy: "timeseries/top-limit", before: ask("/timeseries", func(v url.Values) {
		if n, err := strconv.Atoi(v.Get("topLimit")); err == nil {
			v.Set("topLimit", strconv.Itoa(n+1))
		}
	})},
	{name: "totalItems before topLimit", caughtBy: "timeseries/top-limit", after: tellIf("/timeseries", has("topLimit"), func(p *series) { p.TotalItems += 5 })},
}

func ptr[T any](v T) *T { return &v }

func onPage(number string) func(url.Values) bool {
	return func(v url.Values) bool { return v.Get("page") == number }
}

var brokenPages = []breakage{
	{name: "totals one too high", caughtBy: "paging/envelope", after: tell("/timeseries", func(p *series) { p.TotalItems++ })},
	{name: "a page too many", caughtBy: "paging/envelope", after: tell("/timeseries", func(p *series) { p.TotalPages = p.TotalItems/p.PerPage + 1 })},
	{name: "previousPage 0", caughtBy: "paging/envelope", after: tellIf("/timeseries", onPage("1"), func(p *series) { p.PreviousPage = new(int64) })},
	{name: "nextPage on the last page", caughtBy: "paging/envelope", after: tell("/timeseries", func(p *series) { p.NextPage = ptr(p.CurrentPage + 1) })},
	{name: "past the end, the last page again", caughtBy: "paging/envelope", before: ask("/timeseries", func(v url.Values) {
		if n, _ := strconv.Atoi(v.Get("page")); n > 1000 {
			v.Set("page", "1")
		}
	})},
	rows(onPage("2"), func(all items) items { return all[:max(len(all)-1, 0)] }).named("page 2 loses a row", "paging/concatenate"),
	rows(onPage("2"), func(all items) items { return append(all[:1:1], all[:max(len(all)-1, 0)]...) }).named("page 2 repeats a row", "paging/concatenate"),
	{name: "pages from 0", caughtBy: "paging/one-by-one", before: ask("/timeseries", func(v url.Values) {
		if n, _ := strconv.Atoi(v.Get("page")); n > 1 && v.Get("perPage") == "1" {
			v.Set("page", strconv.Itoa(n-1))
		}
	})},
	{name: "topLimit on each page", caughtBy: "paging/top-limit", before: ask("/timeseries", func(v url.Values) {
		if v.Get("page") == "2" {
			v.Del("topLimit")
		}
	})},
	{name: "100 rows at most", caughtBy: "paging/large", before: ask("/timeseries", func(v url.Values) {
		if n, _ := strconv.Atoi(v.Get("perPage")); n > 100 {
			v.Set("perPage", "100")
		}
	})},
	{name: "an empty series has a page", caughtBy: "paging/empty", after: tell("/timeseries", func(p *series) { p.TotalPages = max(p.TotalPages, 1) })},
}
