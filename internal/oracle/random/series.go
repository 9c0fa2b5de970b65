package random

import (
	"math"
	"slices"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/oracle"
)

// askTimeseries draws the parameters of the timeseries.
func askTimeseries(t *rapid.T, w *oracle.World, q *question) {
	r := &q.series
	*r = api.TimeseriesRequest{Interval: "day", Metrics: []api.Metric{"bot_visits"}, Page: 1, PerPage: 20}
	r.Window = window(t, visitTimes(w, q.product), &q.params)
	if percent(t, 60) {
		r.Interval = pick(t, []api.Interval{"day", "week"})
		q.params.add("interval", string(r.Interval))
	}
	if percent(t, 85) {
		r.Metrics = addList(q, "metrics[]", sent(t, metrics))
	}
	if percent(t, 75) {
		r.GroupBy = addList(q, "groupBy[]", sent(t, dimensions))
	}
	// Filters multiply to nothing, so half of the questions have none.
	if percent(t, 50) {
		askFilters(t, w, q)
	}
	askPage(t, q)
}

func askFilters(t *rapid.T, w *oracle.World, q *question) {
	r := &q.series
	if percent(t, 35) {
		id := websiteID(t, w, q.product)
		r.WebsiteID = &id
		q.params.add("websiteId", id)
	}
	if percent(t, 25) {
		r.Platforms = addList(q, "platforms[]", sent(t, seen(t, w, "none", "perplexity", "other", "claude", "nosuch")))
	}
	if percent(t, 25) {
		r.BotTypes = addList(q, "botTypes[]", sent(t, seen(t, w, "none", "mystery-bot", "other", "claudebot", "nosuch")))
	}
	askPath(t, w, q)
}

// seen adds what some agent of the world is to the given values. A bot type
// among platforms, or the reverse, selects nothing.
func seen(t *rapid.T, w *oracle.World, values ...string) []string {
	values = some(t, values, 1)
	for range min(3, len(w.Pageviews)) {
		if a := pick(t, w.Pageviews).Truth.Agent; a.Bot {
			values = append(values, a.Platform, a.BotType)
		}
	}
	return values
}

// The closed lists of the contract, written out so that a slip in the code
// under test cannot hide here.
var (
	metrics = []api.Metric{
		"bot_visits", "human_visits", "referred_human_visits", "ai_referred_human_visits", "unique_human_visitors",
		"unique_pages", "unique_human_pages", "unique_human_platforms", "bot_user_agents",
	}
	dimensions = []api.Dimension{"platform", "botType", "urlPath", "normalizedUrlPath", "urlPathDirectory"}
)

// addList sends the values and returns each of them once, in the order sent.
func addList[T ~string](q *question, name string, values []T) (once []T) {
	for _, v := range values {
		q.params.add(name, string(v))
		if !slices.Contains(once, v) {
			once = append(once, v)
		}
	}
	return once
}

// askPath filters by a path in any of its spellings, mostly by one that was visited.
func askPath(t *rapid.T, w *oracle.World, q *question) {
	if !percent(t, 25) {
		return
	}
	p := pick(t, slices.Concat(pages[1:], files))
	if visits := visitsTo(w, q.product); len(visits) > 0 && percent(t, 75) {
		p = spelling(t, pick(t, visits).Truth.NormalizedPath)
	}
	if percent(t, 8) {
		p = pagePath{sent: "/nosuch/", normalized: "/nosuch"}
	}
	q.series.URLPath = &p.normalized
	q.params.add("urlPath", p.sent+pick(t, []string{"", "", "", "?a=1", "#top"}))
}

// spelling is a path that is normalized to the given one. The first path of the
// table is empty, which a filter may not be.
func spelling(t *rapid.T, normalized string) pagePath {
	var same []pagePath
	for _, p := range slices.Concat(pages[1:], files) {
		if p.normalized == normalized {
			same = append(same, p)
		}
	}
	return pick(t, same)
}

func askPage(t *rapid.T, q *question) {
	number := func(name string, values []int64, field *int64) {
		*field = pick(t, values)
		q.params.add(name, strconv.FormatInt(*field, 10))
	}
	if percent(t, 30) {
		number("page", []int64{1, 2, 2, 2, 2, 3, 3, 4, 5, 10, 1000, 1 << 40, 1<<62 + 1, 1<<61 + 1, math.MaxInt64}, &q.series.Page)
	}
	// Later pages exist only where pages are small.
	if sizes := []int64{1, 2, 3}; q.series.Page > 1 && percent(t, 75) {
		number("perPage", sizes, &q.series.PerPage)
	} else if percent(t, 50) {
		number("perPage", append(sizes, 5, 7, 20, 50, 1000, 1_000_000), &q.series.PerPage)
	}
	if percent(t, 35) {
		number("topLimit", []int64{1, 2, 3, 10, 1_000_000}, &q.series.TopLimit)
	}
}

// websiteID is mostly an active one, with visits; the others select nothing.
func websiteID(t *rapid.T, w *oracle.World, p oracle.Product) string {
	if visits := visitsTo(w, p); len(visits) > 0 && percent(t, 60) {
		return pick(t, visits).WebsiteID
	}
	if active := activeWebsites(p); len(active) > 0 && percent(t, 50) {
		return pick(t, active)
	}
	ids := []string{"nosuch"}
	for _, other := range w.Catalog {
		for _, s := range other.Websites {
			ids = append(ids, s.ID)
		}
	}
	return pick(t, ids)
}

// visitsTo are the pageviews of the product's active websites.
func visitsTo(w *oracle.World, p oracle.Product) (list []oracle.Pageview) {
	active := activeWebsites(p)
	for _, l := range w.Pageviews {
		if slices.Contains(active, l.WebsiteID) {
			list = append(list, l)
		}
	}
	return list
}

func visitTimes(w *oracle.World, p oracle.Product) (times []time.Time) {
	for _, l := range visitsTo(w, p) {
		times = append(times, l.At.Time)
	}
	return times
}
