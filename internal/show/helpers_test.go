package show

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
)

var march = api.Window{From: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 3, 5, 23, 59, 59, 0, time.UTC)}

var prompts = []api.PromptMetric{
	{
		PromptText: "best rocket", Platform: "claude", Domain: "acme.com", Position: new(1.5), Visibility: new(0.42), Rank: new(int64(2)), RunCount: new(int64(100)),
		Labels: []api.PromptLabel{{ID: 12, Name: "brand"}, {ID: 13, Name: "use case"}},
	},
	{PromptText: "best rocket", Platform: "openai", Domain: "acme.com", Labels: []api.PromptLabel{{ID: 12, Name: "brand"}, {ID: 13, Name: "use case"}}},
	{PromptText: "=cmd|'x'", Platform: "openai", Domain: "acme.com", Visibility: new(0.), RunCount: new(int64(1980)), Labels: []api.PromptLabel{}},
}

var dates = []api.DailyPromptMetric{
	{Date: "2026-03-02T00:00:00Z", Platform: "claude", Domain: "acme.com", Visibility: new(0.5), Position: new(2.), Rank: new(int64(3))},
	{Date: "2026-03-02T00:00:00Z", Platform: "openai", Domain: "acme.com", Visibility: new(0.25), Position: new(1.), Rank: new(int64(1))},
	{Date: "2026-03-04T00:00:00Z", Platform: "openai", Domain: "acme.com", Visibility: new(0.)},
}

var cited = api.CitationResponse{
	ByProperty: []api.CitationByProperty{{Domain: "a.example", Products: []api.CitationProduct{{Name: "Acme", Domain: "acme.com"}, {Name: "Zoom", Domain: "zoom.example"}}, Count: 8, IsMentioned: true}},
	ByPage:     []api.CitationByPage{{Domain: "a.example", URL: "https://a.example/x", Products: []api.CitationProduct{}, Count: 4}},
	ByProduct:  []api.CitationByProduct{{Name: "Acme", Domain: "acme.com", Count: 8, IsMentioned: true}},
}

var trafficRequest = api.TimeseriesRequest{
	Window: march, Interval: api.Day, Metrics: []api.Metric{api.BotVisits, api.HumanVisits}, GroupBy: []api.Dimension{api.ByPlatform},
}

func traffic(items ...api.TimeseriesItem) iter.Seq2[api.TimeseriesItem, error] {
	return func(yield func(api.TimeseriesItem, error) bool) {
		for _, i := range items {
			if !yield(i, nil) {
				return
			}
		}
	}
}

func visits(day, platform string, bots, humans int64) api.TimeseriesItem {
	return api.TimeseriesItem{Timestamp: "2026-03-" + day + "T00:00:00Z", Platform: &platform, BotVisits: &bots, HumanVisits: &humans}
}

var errBroken = errors.New("the connection broke")

// broken has a row, and then an error.
func broken() Table {
	return Table{Columns: []Column{{Name: "n", Title: "N", Unit: Count}}, Rows: func(yield func(Row, error) bool) {
		if yield(Row{int64(1)}, nil) {
			yield(nil, errBroken)
		}
	}}
}

// written is what a writer writes, which must succeed.
func written(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// same compares lines, so that a difference can be seen.
func same(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
