package show

import (
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

func TestValuesForPeople(t *testing.T) {
	for _, c := range []struct {
		unit  Unit
		value any
		want  string
	}{
		{Share, 0.4249, "42.5 %"}, {Share, 1., "100.0 %"}, {Share, nil, "–"}, {Decimal, 1.5, "1.50"}, {Count, int64(1980), "1980"},
		{Flag, true, "yes"}, {Flag, false, "no"}, {Moment, "2026-03-02T00:00:00Z", "2026-03-02"}, {Text, "a\x1bb", `a\x1bb`},
		{Listing, Names{Names: []string{"a", "b\n"}}, `a, b\n`}, {Range, &insight.Interval{Low: 0.1, High: 0.25}, "10.0–25.0 %"},
		{Points, Delta{Change: 0.042}, "+4.2 pp"}, {Points, Delta{Change: -0.042}, "-4.2 pp"}, {Points, Delta{Change: -0.0001}, "0.0 pp"},
		{Points, Delta{0.042, &insight.Interval{Low: -0.1, High: 0.2}}, "+4.2 pp ~"}, {Points, Delta{0.042, &insight.Interval{Low: 0.01, High: 0.2}}, "+4.2 pp"},
		{Places, int64(3), "+3"}, {Places, int64(-3), "-3"}, {Places, int64(0), "0"}, {Places, -0.25, "-0.25"}, {Relative, 0.125, "+12.5 %"}, {Relative, -1., "-100.0 %"},
		{Trend, Series{new(1.), nil, new(0.)}, "█ ▁"},
	} {
		if got := (Column{Unit: c.unit}).text(c.value); got != c.want {
			t.Errorf("%v is %q, want %q", c.value, got, c.want)
		}
	}
}

func TestLargeNumbersAreGroupedOnATerminal(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "999": "999", "1980": "1,980", "1234567": "1,234,567", "-1980": "-1,980", "-100": "-100", "–": "–", "1980.25": "1,980.25"} {
		if got := grouped(text); got != want {
			t.Errorf("%s is grouped as %s, want %s", text, got, want)
		}
	}
}

func TestAPipeGetsPlainAlignedColumns(t *testing.T) {
	got := written(t, func(w io.Writer) error { return People(w, Screen{}, "Prompts\nof March", Prompts(prompts)) })
	same(t, got, `
Prompts, of March
PROMPT       PLATFORM  VISIBILITY   95 % RANGE  POSITION  RANK  RUNS  LABELS
best rocket  claude        42.0 %  32.8–51.8 %      1.50     2   100  brand (12), use case (13)
best rocket  openai             –            –         –     –     –  brand (12), use case (13)
=cmd|'x'     openai         0.0 %    0.0–0.2 %         –     –  1980
`)
}

func TestATerminalGetsBarsAndOneHeadingForEachPrompt(t *testing.T) {
	got := written(t, func(w io.Writer) error { return People(w, Screen{Width: 80}, "Prompts\nof March", Prompts(prompts)) })
	same(t, got, `
Prompts
of March

  PLATFORM  VISIBILITY                        95 % RANGE  POSITION  RANK   RUNS
best rocket  · brand (12), use case (13)
  claude    42.0 % ████████░░░░              32.8–51.8 %      1.50     2    100
  openai         –                                     –         –     –      –
=cmd|'x'
  openai     0.0 % ░                           0.0–0.2 %         –     –  1,980
`)
}

func TestOneRowIsALineForEachFigure(t *testing.T) {
	summary := api.PromptSummary{Position: new(1.76), Visibility: new(0.57), Rank: new(int64(2)), TotalCompetitors: 4}
	table := Summary(summary, Runs(prompts))
	got := written(t, func(w io.Writer) error { return People(w, Screen{Width: 60}, "", table) })
	same(t, got, `
visibility        57.0 % █████████████░
95 % range   54.9–59.1 %
position            1.76
rank                   2
competitors            4
runs               2,080
`)
	nothing := written(t, func(w io.Writer) error { return People(w, Screen{}, "", Summary(api.PromptSummary{}, Runs(nil))) })
	same(t, nothing, `
visibility   –
95 % range   –
position     –
rank         –
competitors  0
runs         –
`)
}

func TestANarrowTerminalLosesWhatMattersLeast(t *testing.T) {
	draw := func(width int) string {
		return written(t, func(w io.Writer) error { return People(w, Screen{Width: width}, "", Citations(cited)[:1]...) })
	}
	same(t, draw(80), `
DOMAIN     CITATIONS                   MENTIONED  PRODUCTS
a.example  8 ████████████████████████  yes        Acme, Zoom
`)
	same(t, draw(40), `
DOMAIN     CITATIONS           MENTIONED
a.example  8 ████████████████  yes

Not shown at this width: products.
`)
	same(t, draw(24), `
DOMAIN     CITATIONS
a.example          8

Not shown at this width: products, mentioned.
`)
}

func TestATimeIsWrittenOnceOnATerminal(t *testing.T) {
	got := written(t, func(w io.Writer) error { return People(w, Screen{Width: 53}, "", Dates(dates)) })
	same(t, got, `
DATE        PLATFORM  VISIBILITY       POSITION  RANK
2026-03-02  claude    50.0 % ████          2.00     3
            openai    25.0 % ██            1.00     1
2026-03-04  openai     0.0 %                  –     –
`)
}

func TestColoursAreForTerminalsThatWantThem(t *testing.T) {
	draw := func(s Screen) string {
		return written(t, func(w io.Writer) error { return People(w, s, "Citations", Citations(cited)...) })
	}
	if got := draw(Screen{Width: 80}); strings.Contains(got, "\x1b") {
		t.Errorf("colours that nobody wants: %q", got)
	}
	colored := draw(Screen{Width: 80, Color: true})
	if !strings.Contains(colored, "\x1b[36m") {
		t.Errorf("no colours: %q", colored)
	}
	for _, code := range []color{bold, dim, red, green, cyan} {
		colored = strings.ReplaceAll(colored, "\x1b["+string(code)+"m", "")
	}
	same(t, strings.ReplaceAll(colored, "\x1b[0m", ""), draw(Screen{Width: 80}))
}

func TestATableThatCannotBeReadIsAnError(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"people":   func(w io.Writer) error { return People(w, Screen{}, "", broken()) },
		"csv":      func(w io.Writer) error { return CSV(w, broken()) },
		"ndjson":   func(w io.Writer) error { return NDJSON(w, broken()) },
		"markdown": func(w io.Writer) error { return Markdown(w, broken()) },
		"objects":  func(io.Writer) error { _, err := Objects(broken()); return err },
		"now":      func(io.Writer) error { _, err := Compare(broken(), Table{}.With(nil), 0, true); return err },
		"before":   func(io.Writer) error { _, err := Compare(Table{}.With(nil), broken(), 0, true); return err },
	} {
		if err := write(io.Discard); err != errBroken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever a server sends, no line is wider than the terminal, and nothing in
// it acts on the terminal.
func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		width := rapid.IntRange(70, 200).Draw(t, "width")
		day := api.DailyPromptMetric{
			Date: "2026-03-02T00:00:00Z", Platform: text.Draw(t, "platform"), Visibility: new(rapid.Float64Range(0, 1).Draw(t, "visibility")),
			Position: new(rapid.Float64Range(1, 99).Draw(t, "position")), Rank: new(rapid.Int64Range(1, 99).Draw(t, "rank")),
		}
		daily, err := Compare(Dates([]api.DailyPromptMetric{day}), Dates([]api.DailyPromptMetric{day}), 0, true)
		if err != nil {
			t.Fatal(err)
		}
		row := api.CitationByPage{
			URL: text.Draw(t, "url"), Count: rapid.Int64Min(0).Draw(t, "count"),
			Products: []api.CitationProduct{{Name: text.Draw(t, "product")}},
		}
		var out strings.Builder
		if err := People(&out, Screen{Width: width}, text.Draw(t, "heading"),
			append(Citations(api.CitationResponse{ByPage: []api.CitationByPage{row}}), daily)...); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			line = strings.TrimSuffix(line, "\n")
			if columns(line) > width || Printable(strings.ReplaceAll(line, `\`, "")) != strings.ReplaceAll(line, `\`, "") {
				t.Fatalf("%q at %d columns", line, width)
			}
		}
	})
}
