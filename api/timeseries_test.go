package api

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

func TestDecodeTimeseriesReads(t *testing.T) {
	text := func(s string) *string { return &s }
	cases := []struct {
		name, query string
		change      func(*TimeseriesRequest)
	}{
		{"defaults", day31, func(*TimeseriesRequest) {}},
		{"domain is not one of its parameters", window + "domain=&domain=", func(*TimeseriesRequest) {}},
		{"website", window + "websiteId=w-acme", func(r *TimeseriesRequest) { r.WebsiteID = text("w-acme") }},
		{"week", window + "interval=week", func(r *TimeseriesRequest) { r.Interval = Week }},
		{"metrics in the order sent", window + "metrics[]=unique_pages&metrics[]=bot_visits", func(r *TimeseriesRequest) {
			r.Metrics = []Metric{UniquePages, BotVisits}
		}},
		{"metrics once", window + "metrics[]=human_visits&metrics[]=human_visits", func(r *TimeseriesRequest) {
			r.Metrics = []Metric{HumanVisits}
		}},
		{"dimensions in the order sent", window + "groupBy[]=urlPath&groupBy[]=platform&groupBy[]=urlPath", func(r *TimeseriesRequest) {
			r.GroupBy = []Dimension{ByURLPath, ByPlatform}
		}},
		{"filters", window + "platforms[]=openai&botTypes[]=gptbot&botTypes[]=none&urlPath=/blog/", func(r *TimeseriesRequest) {
			r.Platforms, r.BotTypes, r.URLPath = []string{"openai"}, []string{"gptbot", "none"}, text("/blog/")
		}},
		{"escaped path", window + "urlPath=%2Fa%2520b%3Fc", func(r *TimeseriesRequest) { r.URLPath = text("/a%20b?c") }},
		{"paging", window + "page=3&perPage=50&topLimit=10", func(r *TimeseriesRequest) {
			r.Page, r.PerPage, r.TopLimit = 3, 50, 10
		}},
		{"largest numbers", window + "page=9223372036854775807&perPage=9223372036854775807", func(r *TimeseriesRequest) {
			r.Page, r.PerPage = math.MaxInt64, math.MaxInt64
		}},
		{"labels are not its parameter", window + "labelIds[]=x", func(*TimeseriesRequest) {}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := TimeseriesRequest{Window: march(t), Interval: Day, Metrics: []Metric{BotVisits}, Page: 1, PerPage: 20}
			c.change(&want)
			got, err := DecodeTimeseries(c.query)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("DecodeTimeseries(%q)\n got %+v, %v\nwant %+v", c.query, got, err, want)
			}
		})
	}
}

func TestDecodeTimeseriesReadsEveryListedValue(t *testing.T) {
	query := day31
	for _, m := range Metrics {
		query += "&metrics[]=" + string(m)
	}
	for _, d := range Dimensions {
		query += "&groupBy[]=" + string(d)
	}
	got, err := DecodeTimeseries(query)
	if err != nil || !slices.Equal(got.Metrics, Metrics) || !slices.Equal(got.GroupBy, Dimensions) {
		t.Errorf("got %v by %v, %v", got.Metrics, got.GroupBy, err)
	}
}

func TestDecodeTimeseriesRejects(t *testing.T) {
	const (
		metrics    = "metrics[]: must be one of bot_visits, human_visits, referred_human_visits, ai_referred_human_visits, unique_human_visitors, unique_pages, unique_human_pages, unique_human_platforms, bot_user_agents"
		dimensions = "groupBy[]: must be one of platform, botType, urlPath, normalizedUrlPath, urlPathDirectory"
		intervals  = "interval: must be one of day, week"
	)
	cases := []struct{ name, query, want string }{
		{"nothing", "", "dateFrom: required"},
		{"no dateTo", "dateFrom=2026-03-01T00:00:00Z", "dateTo: required"},
		{"reversed window", "dateFrom=2026-03-02T00:00:00Z&dateTo=2026-03-01T00:00:00Z", "dateFrom: after dateTo"},
		{"empty website", window + "websiteId=", "websiteId: empty"},
		{"two websites", window + "websiteId=a&websiteId=b", "websiteId: sent more than once"},
		{"unknown interval", window + "interval=month", intervals},
		{"interval in capitals", window + "interval=Day", intervals},
		{"empty interval", window + "interval=", "interval: empty"},
		{"two intervals", window + "interval=day&interval=week", "interval: sent more than once"},
		{"unknown metric", window + "metrics[]=visits", metrics},
		{"unknown metric among others", window + "metrics[]=bot_visits&metrics[]=botVisits", metrics},
		{"empty metric", window + "metrics[]=", "metrics[]: empty"},
		{"unknown dimension", window + "groupBy[]=country", dimensions},
		{"metric as dimension", window + "groupBy[]=bot_visits", dimensions},
		{"empty dimension", window + "groupBy[]=", "groupBy[]: empty"},
		{"empty platform", window + "platforms[]=", "platforms[]: empty"},
		{"empty bot type", window + "botTypes[]=", "botTypes[]: empty"},
		{"empty path", window + "urlPath=", "urlPath: empty"},
		{"two paths", window + "urlPath=/a&urlPath=/b", "urlPath: sent more than once"},
		{"path not UTF-8", window + "urlPath=/%ff", "urlPath: not valid UTF-8"},
		{"page 0", window + "page=0", "page: must be at least 1"},
		{"page in words", window + "page=one", "page: not a whole number"},
		{"negative page", window + "page=-1", "page: not a whole number"},
		{"fractional page", window + "page=1.5", "page: not a whole number"},
		{"empty page", window + "page=", "page: empty"},
		{"two pages", window + "page=1&page=2", "page: sent more than once"},
		{"page past 64 bits", window + "page=9223372036854775808", "page: too large"},
		{"perPage 0", window + "perPage=0", "perPage: must be at least 1"},
		{"perPage in words", window + "perPage=all", "perPage: not a whole number"},
		{"topLimit 0", window + "topLimit=0", "topLimit: must be at least 1"},
		{"empty topLimit", window + "topLimit=", "topLimit: empty"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, err := DecodeTimeseries(c.query); err == nil || err.Error() != c.want {
				t.Errorf("DecodeTimeseries(%q) = %+v, %v, want %q", c.query, got, err, c.want)
			}
		})
	}
}

func TestDefaultMetricsDoNotShareTheList(t *testing.T) {
	got, err := DecodeTimeseries(day31)
	if err != nil {
		t.Fatal(err)
	}
	_ = append(got.Metrics, "changed")
	if Metrics[1] != HumanVisits {
		t.Errorf("appending to a request's metrics changed the closed list to %v", Metrics)
	}
}
