package show

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
)

func drawTrends(t *testing.T, table Table, w api.Window, bucket time.Duration) string {
	t.Helper()
	rows, err := table.All()
	if err != nil {
		t.Fatal(err)
	}
	trends, ok := Trends(table, rows, w, bucket)
	if !ok {
		return ""
	}
	return trends.Title + "\n" + written(t, func(w io.Writer) error { return People(w, Screen{Width: 80}, "", trends) })
}

func TestATrendHasALineForEachPlatform(t *testing.T) {
	same(t, drawTrends(t, Dates(dates), march, 24*time.Hour), `
Trend
PLATFORM  TREND  LOWEST  HIGHEST  LATEST
claude    █      50.0 %   50.0 %       –
openai    █ ▁     0.0 %   25.0 %   0.0 %
`)
}

func TestATrendHasALineForEachMetric(t *testing.T) {
	table := Timeseries(trafficRequest, traffic(
		visits("02", "claude", 5, 0), visits("02", "openai", 1000, 3), visits("04", "openai", 2000, 0),
	))
	same(t, drawTrends(t, table, march, 24*time.Hour), `
Trend
PLATFORM  FIGURE        TREND  LOWEST  HIGHEST  LATEST
openai    bot visits    ▅ █     1,000    2,000   2,000
openai    human visits  █ ▁         0        3       0
claude    bot visits    █           5        5       –
claude    human visits  ▁           0        0       –
`)
}

func TestWeeksBeginOnMonday(t *testing.T) {
	sundays := api.Window{From: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 15, 23, 59, 59, 0, time.UTC)}
	r := api.TimeseriesRequest{Interval: api.Week, Metrics: []api.Metric{api.BotVisits}}
	one := int64(1)
	table := Timeseries(r, traffic(api.TimeseriesItem{Timestamp: "2026-02-23T00:00:00Z", BotVisits: &one}, api.TimeseriesItem{Timestamp: "2026-03-09T00:00:00Z", BotVisits: &one}))
	same(t, drawTrends(t, table, sundays, 7*24*time.Hour), `
Trend
TREND  LOWEST  HIGHEST  LATEST
█ █         1        1       1
`)
}

func TestOnlyTheLargestAreDrawn(t *testing.T) {
	var items []api.TimeseriesItem
	for i := range int64(12) {
		items = append(items, visits("02", fmt.Sprintf("p%02d", i), i, 0))
	}
	rows, _ := Timeseries(trafficRequest, traffic(items...)).All()
	trends, ok := Trends(Timeseries(trafficRequest, traffic()), rows, march, 24*time.Hour)
	drawn, err := trends.All()
	if !ok || err != nil || len(drawn) != 20 || drawn[0][0] != "p11" || trends.Title != "Trend, the 10 largest of 12" {
		t.Errorf("%s: %v", trends.Title, drawn)
	}
}

func TestTooLittleIsNoTrend(t *testing.T) {
	short := api.Window{From: march.From, To: march.From.Add(48*time.Hour - time.Second)}
	if got := drawTrends(t, Dates(dates), short, 24*time.Hour); got != "" {
		t.Errorf("two days: %s", got)
	}
	if got := drawTrends(t, Dates(nil), march, 24*time.Hour); got != "" {
		t.Errorf("no rows: %s", got)
	}
}
