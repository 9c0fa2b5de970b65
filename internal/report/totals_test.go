package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
)

func at(text string) int64 {
	t, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return t.Unix()
}

func (w window) String() string {
	return time.Unix(w.First, 0).UTC().Format("02T15:04:05") + "–" + time.Unix(w.Last, 0).UTC().Format("02T15:04:05")
}

func TestWholeBucketsAndEdges(t *testing.T) {
	for _, c := range []struct {
		name, first, last string
		interval          api.Interval
		want              string
	}{
		{"whole days", "2026-03-03 00:00:00", "2026-03-04 23:59:59", api.Day, "03T00:00:00–04T23:59:59 []"},
		{"both edges", "2026-03-03 10:00:00", "2026-03-05 09:59:59", api.Day, "04T00:00:00–04T23:59:59 [03T10:00:00–03T23:59:59 05T00:00:00–05T09:59:59]"},
		{"no whole day", "2026-03-03 10:00:00", "2026-03-04 23:59:58", api.Day, "none [03T10:00:00–04T23:59:58]"},
		{"within a day", "2026-03-03 10:00:00", "2026-03-03 11:00:00", api.Day, "none [03T10:00:00–03T11:00:00]"},
		{"one second short", "2026-03-03 00:00:01", "2026-03-04 23:59:59", api.Day, "04T00:00:00–04T23:59:59 [03T00:00:01–03T23:59:59]"},
		{"whole week", "2026-03-02 00:00:00", "2026-03-08 23:59:59", api.Week, "02T00:00:00–08T23:59:59 []"},
		{"days of two weeks", "2026-03-03 00:00:00", "2026-03-15 23:59:59", api.Week, "09T00:00:00–15T23:59:59 [03T00:00:00–08T23:59:59]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole, edges := window{at(c.first), at(c.last)}.wholeBuckets(c.interval)
			text := whole.String()
			if whole.empty() {
				text = "none"
			}
			if got := fmt.Sprint(text, " ", edges); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Every second of a window is in one part of it, and whole buckets are whole.
func TestTheWindowIsSplitWithoutGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Int64Range(0, 30*86400).Draw(t, "first")
		w := window{first, first + rapid.Int64Range(0, 30*86400).Draw(t, "length")}
		interval := rapid.SampledFrom(api.Intervals).Draw(t, "interval")
		whole, edges := w.wholeBuckets(interval)
		parts := edges
		if !whole.empty() {
			parts = append(parts, whole)
			if bucketStart(whole.First, interval) != whole.First || bucketStart(whole.Last+1, interval) != whole.Last+1 {
				t.Fatalf("%v is not whole", whole)
			}
		}
		var seconds int64
		for _, p := range parts {
			if p.empty() || p.First < w.First || p.Last > w.Last {
				t.Fatalf("%v is not a part of %v", p, w)
			}
			seconds += p.Last - p.First + 1
		}
		if seconds != w.Last-w.First+1 {
			t.Fatalf("%v has %d seconds, its parts have %d", w, w.Last-w.First+1, seconds)
		}
	})
}

func TestTotalsAreTakenWhereTheyAreExact(t *testing.T) {
	type m = []api.Metric
	type d = []api.Dimension
	path := "/x"
	counts, distinct, agents := m{api.BotVisits, api.HumanVisits}, m{api.UniquePages, api.UniqueHumanVisitors}, m{api.BotUserAgents}
	for _, c := range []struct {
		name     string
		req      api.TimeseriesRequest
		websites int
		want     string
	}{
		{"counts", api.TimeseriesRequest{Metrics: counts}, 1, "level 0"},
		{"distinct counts by platform", api.TimeseriesRequest{Metrics: distinct, GroupBy: d{api.ByPlatform}}, 1, "level 1"},
		{"by both", api.TimeseriesRequest{Metrics: distinct, GroupBy: d{api.ByBotType, api.ByPlatform}}, 1, "level 3"},
		{"of one platform", api.TimeseriesRequest{Metrics: distinct, Platforms: []string{"a"}}, 1, "level 1"},
		{"counts of two platforms", api.TimeseriesRequest{Metrics: counts, Platforms: []string{"a", "b"}}, 1, "level 1"},
		{"distinct counts of two platforms", api.TimeseriesRequest{Metrics: distinct, Platforms: []string{"a", "b"}}, 1, "visits"},
		{"distinct counts by platform, of two", api.TimeseriesRequest{Metrics: distinct, Platforms: []string{"a", "b"}, GroupBy: d{api.ByPlatform}}, 1, "level 1"},
		{"by platform, of one bot type", api.TimeseriesRequest{Metrics: distinct, BotTypes: []string{"a"}, GroupBy: d{api.ByPlatform}}, 1, "level 3"},
		{"of a path", api.TimeseriesRequest{Metrics: counts, URLPath: &path}, 1, "visits"},
		{"pages and visitors of two websites", api.TimeseriesRequest{Metrics: distinct}, 2, "level 0"},
		{"user agents of two websites", api.TimeseriesRequest{Metrics: agents}, 2, "agent_key at agent_totals"},
		{"user agents and visits of two platforms", api.TimeseriesRequest{Metrics: m{api.BotVisits, api.BotUserAgents}, Platforms: []string{"a", "b"}}, 1, "level 1, agent_key at agent_totals"},
		{"platforms of two websites", api.TimeseriesRequest{Metrics: m{api.UniqueHumanPlatforms}, GroupBy: d{api.ByBotType}}, 2, "ai_referred_human_visits at level 3"},
		{"all that does not add up, with pages, of two platforms", api.TimeseriesRequest{Metrics: append(agents, distinct...), Platforms: []string{"a", "b"}}, 1, "visits"},
		{"user agents of one", api.TimeseriesRequest{Metrics: agents}, 1, "level 0"},
		{"by path: the totals know how many rows there are", api.TimeseriesRequest{Metrics: m{api.BotVisits}, GroupBy: d{api.ByURLPath}}, 1, "bot_paths at level 0"},
		{"by page, humans", api.TimeseriesRequest{Metrics: m{api.ReferredHumanVisits, api.HumanVisits}, GroupBy: d{api.ByNormalizedURLPath}}, 1, "unique_human_pages at level 0"},
		{"by path, both, of one platform", api.TimeseriesRequest{Metrics: counts, GroupBy: d{api.ByURLPath}, Platforms: []string{"a"}}, 1, "all_paths at level 1"},
		{"by path, who was referred", api.TimeseriesRequest{Metrics: m{api.ReferredHumanVisits}, GroupBy: d{api.ByURLPath}}, 1, "visits"},
		{"by path, of two platforms", api.TimeseriesRequest{Metrics: counts, GroupBy: d{api.ByURLPath}, Platforms: []string{"a", "b"}}, 1, "visits"},
		{"by path, two websites", api.TimeseriesRequest{Metrics: counts, GroupBy: d{api.ByURLPath}}, 2, "visits"},
		{"by directory", api.TimeseriesRequest{Metrics: append(agents, distinct...), GroupBy: d{api.ByURLPathDirectory}}, 1, "directory_totals"},
		{"by directory, pages and visitors of two websites", api.TimeseriesRequest{Metrics: distinct, GroupBy: d{api.ByURLPathDirectory}}, 2, "directory_totals"},
		{"by directory, user agents of two websites", api.TimeseriesRequest{Metrics: agents, GroupBy: d{api.ByURLPathDirectory}}, 2, "visits"},
		{"by directory, of a platform", api.TimeseriesRequest{Metrics: counts, GroupBy: d{api.ByURLPathDirectory}, Platforms: []string{"a"}}, 1, "visits"},
		{"by directory and platform", api.TimeseriesRequest{Metrics: counts, GroupBy: d{api.ByURLPathDirectory, api.ByPlatform}}, 1, "visits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.req.Interval, c.req.Page, c.req.PerPage = api.Day, 1, 20
			c.req.Window = api.Window{From: time.Unix(at("2026-03-02 00:00:00"), 0), To: time.Unix(at("2026-03-08 23:59:59"), 0)}
			product := &catalog.Product{}
			for i := range c.websites {
				product.Websites = append(product.Websites, &catalog.Website{ID: fmt.Sprint(i), Tracked: true})
			}
			plan := planTimeseries(product, c.req, plain{})
			if got := fromWhere(plan); got != c.want {
				t.Errorf("from %s, want %s", got, c.want)
			}
		})
	}
}

// fromWhere tells which rows of the totals a plan reads.
func fromWhere(plan timeseriesPlan) string {
	if plan.Totals == nil {
		return "visits"
	}
	var parts []string
	for _, p := range plan.Totals.Parts {
		text := string(p.Table)
		if p.HasLevels() {
			text = fmt.Sprint("level ", p.Level)
		}
		if p.kind != sums || plan.Totals.Column != "" {
			text = strings.Join(p.Reads, " ") + " at " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func TestDaysOfAWeekThatIsNotWholeComeFromTheTotalsOfDays(t *testing.T) {
	type m = []api.Metric
	for _, c := range []struct {
		name, last string
		metrics    m
		only       bool
		want       string
	}{
		{"counts", "2026-03-17 23:59:59", m{api.BotVisits}, false, "level 0 by 1, level 0 by 1, level 0 by 7; edges []"},
		{"user agents", "2026-03-17 23:59:59", m{api.BotUserAgents}, false,
			"agent_totals by 1, agent_totals by 1, level 0 by 7; edges []"},
		{"user agents, without their table", "2026-03-17 23:59:59", m{api.BotUserAgents}, true, "level 0 by 7; edges [03T00:00:00–08T23:59:59 16T00:00:00–17T23:59:59]"},
		{"visitors", "2026-03-17 23:59:59", m{api.BotVisits, api.UniqueHumanVisitors}, false, "level 0 by 7; edges [03T00:00:00–08T23:59:59 16T00:00:00–17T23:59:59]"},
		{"the last day is not whole", "2026-03-17 12:00:00", m{api.BotVisits}, false, "level 0 by 1, level 0 by 7; edges [16T00:00:00–17T12:00:00]"},
		{"no whole week", "2026-03-05 23:59:59", m{api.BotVisits}, false, "level 0 by 1; edges []"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := api.TimeseriesRequest{Interval: api.Week, Metrics: c.metrics, Page: 1, PerPage: 20,
				Window: api.Window{From: time.Unix(at("2026-03-03 00:00:00"), 0), To: time.Unix(at(c.last), 0)}}
			plan := planTimeseries(&catalog.Product{Websites: []*catalog.Website{{ID: "w", Tracked: true}}}, req, plain{})
			plan.choose(req, plain{}, c.only)
			var parts []string
			for _, p := range plan.Totals.Parts {
				text := string(p.Table)
				if p.HasLevels() {
					text = fmt.Sprint("level ", p.Level)
				}
				parts = append(parts, fmt.Sprint(text, " by ", p.Width))
			}
			if got := fmt.Sprint(strings.Join(parts, ", "), "; edges ", plan.Edges); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
