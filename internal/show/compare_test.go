package show

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

func compared(t *testing.T, now, before Table, earlier time.Duration, gone bool) Table {
	t.Helper()
	table, err := Compare(now, before, earlier, gone)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestAComparisonHasTheFigureBeforeAndTheChange(t *testing.T) {
	before := []api.PromptMetric{
		{PromptText: "best rocket", Platform: "claude", Domain: "acme.com", Position: new(2.), Visibility: new(0.2), Rank: new(int64(5)), RunCount: new(int64(80))},
		{PromptText: "gone", Platform: "openai", Domain: "acme.com", Position: new(1.), Visibility: new(1.), Rank: new(int64(1)), RunCount: new(int64(4)), Labels: []api.PromptLabel{{ID: 1, Name: "old"}}},
		{PromptText: "=cmd|'x'", Platform: "openai", Domain: "acme.com", Visibility: new(0.), RunCount: new(int64(2200))},
	}
	table := compared(t, Prompts(prompts), Prompts(before), 0, true)
	same(t, written(t, func(w io.Writer) error { return People(w, Screen{}, "", table) }), `
PROMPT       PLATFORM  VISIBILITY   BEFORE      CHANGE   95 % RANGE  POSITION  BEFORE  CHANGE  RANK  BEFORE  CHANGE  RUNS  BEFORE   CHANGE  LABELS
best rocket  claude        42.0 %   20.0 %  +22.0 pp    32.8–51.8 %      1.50    2.00   +0.50     2       5      +3   100      80  +25.0 %  brand (12), use case (13)
best rocket  openai             –        –           –            –         –       –       –     –       –       –     –       –        –  brand (12), use case (13)
=cmd|'x'     openai         0.0 %    0.0 %    0.0 pp ~    0.0–0.2 %         –       –       –     –       –       –  1980    2200  -10.0 %
gone         openai             –  100.0 %           –            –         –    1.00       –     –       1       –     –       4        –  old (1)
`)
}

func TestRowsThatAreGoneCanBeLeftOut(t *testing.T) {
	now, before := Prompts(prompts[:1]), Prompts(prompts[2:])
	rows, err := compared(t, now, before, 0, false).All()
	if err != nil || len(rows) != 1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestEqualPromptsAreComparedOneByOne(t *testing.T) {
	twice := []api.PromptMetric{
		{PromptText: "a", RunCount: new(int64(1))}, {PromptText: "a", RunCount: new(int64(2))},
	}
	rows, err := compared(t, Prompts(twice), Prompts(twice), 0, true).All()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows {
		if last := row[len(row)-2]; last != 0. {
			t.Errorf("row %d has run count change %v", i, last)
		}
	}
}

func TestASeriesIsComparedBucketByBucket(t *testing.T) {
	before := Timeseries(trafficRequest, traffic(visits("01", "openai", 8, 0), visits("03", "openai", 5, 5)))
	now := Timeseries(trafficRequest, traffic(visits("05", "openai", 10, 3), visits("06", "openai", 1, 1)))
	table := compared(t, now, before, 4*24*time.Hour, true)
	same(t, written(t, func(w io.Writer) error { return People(w, Screen{}, "", table) }), `
DAY         PLATFORM  BOT VISITS  BEFORE   CHANGE  HUMAN VISITS  BEFORE  CHANGE
2026-03-05  openai            10       8  +25.0 %             3       0       –
2026-03-06  openai             1       –        –             1       –       –
2026-03-07  openai             –       5        –             –       5       –
`)
}

func TestATimeThatIsNoneIsAnError(t *testing.T) {
	bad := Dates([]api.DailyPromptMetric{{Date: "yesterday"}})
	if _, err := Compare(Dates(dates), bad, 0, true); err == nil || !strings.Contains(err.Error(), `date "yesterday"`) {
		t.Error(err)
	}
}

func TestBetterIsGreenAndChanceHasNoColour(t *testing.T) {
	sure, unsure := &insight.Interval{Low: 0.01, High: 0.2}, &insight.Interval{Low: -0.1, High: 0.2}
	for _, c := range []struct {
		name  string
		kind  Change
		unit  Unit
		value any
		want  color
	}{
		{"visibility grew", ChangePoints, Points, Delta{0.1, sure}, green},
		{"visibility fell", ChangePoints, Points, Delta{-0.1, &insight.Interval{Low: -0.2, High: -0.01}}, red},
		{"visibility fell, of who knows how many runs", ChangePoints, Points, Delta{Change: -0.1}, plain},
		{"perhaps", ChangePoints, Points, Delta{0.1, unsure}, dim},
		{"rank gained", ChangePlaces, Places, int64(1), green},
		{"rank lost", ChangePlaces, Places, int64(-1), red},
		{"rank kept", ChangePlaces, Places, int64(0), plain},
		{"more visits", ChangeGrowth, Relative, 0.5, plain},
		{"not known", ChangePoints, Points, nil, dim},
	} {
		column := Column{Change: c.kind, Unit: c.unit}
		if got := changeColor(column, c.value, column.text(c.value)); got != c.want {
			t.Errorf("%s has colour %q, want %q", c.name, got, c.want)
		}
	}
}

func TestChangesHaveArrowsAndANoteOnATerminal(t *testing.T) {
	now := []api.PromptMetric{{PromptText: "p", Platform: "openai", Visibility: new(0.5), RunCount: new(int64(10)), Rank: new(int64(3))}}
	before := []api.PromptMetric{{PromptText: "p", Platform: "openai", Visibility: new(0.4), RunCount: new(int64(10)), Rank: new(int64(2))}}
	table := compared(t, Prompts(now), Prompts(before), 0, true)
	got := written(t, func(w io.Writer) error { return People(w, Screen{Width: 80}, "", table) })
	for _, want := range []string{"▲ 10.0 pp ~", "▼ 1", "~ may be chance", "Not shown at this width: some changes, some figures before"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
