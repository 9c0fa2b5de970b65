package show

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
)

func visitsOf(day, platform string, bots, people int64) api.TimeseriesItem {
	return api.TimeseriesItem{Timestamp: day + "T00:00:00Z", Platform: &platform, BotVisits: &bots, HumanVisits: &people}
}

func itemsOf(err error, items ...api.TimeseriesItem) iter.Seq2[api.TimeseriesItem, error] {
	return func(yield func(api.TimeseriesItem, error) bool) {
		for _, i := range items {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(api.TimeseriesItem{}, err)
		}
	}
}

func TestTotalsAddUpEachGroup(t *testing.T) {
	r := api.TimeseriesRequest{Metrics: []api.Metric{api.BotVisits, api.HumanVisits}, GroupBy: []api.Dimension{api.ByPlatform}}
	items := itemsOf(nil, visitsOf("2026-03-02", "openai", 3, 1), visitsOf("2026-03-02", "claude", 4, 0), visitsOf("2026-03-09", "openai", 5, 1), visitsOf("2026-03-09", "google", 1, 9))
	for top, want := range map[int64]string{0: "[[openai 8 2] [claude 4 0] [google 1 9]]", 2: "[[openai 8 2] [claude 4 0]]"} {
		table := Totals(r, items, top)
		rows, err := table.All()
		if err != nil || fmt.Sprint(rows) != want || len(table.Columns) != 3 {
			t.Errorf("the first %d: %v, %v, want %s", top, rows, err, want)
		}
	}
	if rows, err := Totals(r, itemsOf(nil), 0).All(); err != nil || len(rows) != 0 {
		t.Errorf("of nothing: %v, %v", rows, err)
	}
	broken := errors.New("broken")
	if _, err := Totals(r, itemsOf(broken, visitsOf("2026-03-02", "openai", 3, 1)), 0).All(); !errors.Is(err, broken) {
		t.Errorf("of a cut series: %v", err)
	}
}

func TestDistinctCountsAreNotAddedUp(t *testing.T) {
	for _, m := range api.Metrics {
		if distinct := slices.Contains([]api.Metric{api.UniqueHumanVisitors, api.UniquePages, api.UniqueHumanPages, api.UniqueHumanPlatforms, api.BotUserAgents}, m); Additive(m) == distinct {
			t.Errorf("%s: additive %v", m, Additive(m))
		}
	}
}

func TestRowsAreSortedByWhatTheyWon(t *testing.T) {
	row := func(text string, visibility *float64) api.PromptMetric {
		return api.PromptMetric{PromptText: text, Visibility: visibility, RunCount: new(int64(100))}
	}
	now := Prompts([]api.PromptMetric{row("a", new(.5)), row("b", nil), row("c", new(.9)), row("d", new(.2))})
	before := Prompts([]api.PromptMetric{row("a", new(.5)), row("b", new(.1)), row("c", new(.1)), row("d", new(.6))})
	for top, want := range map[int64]string{0: "c a d b ", 2: "c a "} {
		compared, err := Compare(now, before, time.Hour, true)
		if err != nil {
			t.Fatal(err)
		}
		sorted, err := SortByChange(compared, "visibility", top)
		if err != nil {
			t.Fatal(err)
		}
		rows, _ := sorted.All()
		got := ""
		for _, r := range rows {
			got += r[0].(string) + " "
		}
		if got != want {
			t.Errorf("the first %d: %s, want %s", top, got, want)
		}
	}
}
