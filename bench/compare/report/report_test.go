package report

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/bench/compare/data"
	"github.com/sightline-hq/sightline/bench/compare/sightline"
)

func example() *Results {
	return &Results{
		Size: data.Full, Engines: []Engine{{Name: "duckdb", Title: "DuckDB", Version: "1"}, {Name: "postgres", Title: "PostgreSQL", Version: "15"}},
		Loads: map[string]*Load{"visits": {Loaded: sightline.Loaded{Rows: 1000, Seconds: 2}, Sizes: sightline.Sizes{RawSum: 100, RollSum: 60}, Counted: []float64{3}, Uncounted: []float64{2}}},
		Questions: []*Question{
			{Number: 1, Title: "fast & <small>", AtLeast: 20, Times: map[string][]float64{Sightline: {1, 2, 3}, "duckdb": {50}, "postgres": {900}}, Own: []float64{1.5}},
			{Number: 2, Title: "slow", AtLeast: 1, Times: map[string][]float64{Sightline: {30}, "duckdb": {20}, "postgres": {90}}, Own: []float64{10}},
		},
		Peaks: map[string]int64{"questions": 300e6, "mix": 500e6},
		Days:  []Days{{"q", []int{7, 30}, []float64{1, 2}}},
		Weeks: []Weeks{{Weeks: 156, Files: 312, Start: 700}},
	}
}

func TestPromisesAreHeldOrNot(t *testing.T) {
	want := map[string]bool{
		"question 1": true, "never slower": false, "HTTP, authentication": false, "serve takes": false, "rollups take": false,
		"rollups at most double": true, "linearly": true, "156 weeks": true,
	}
	checks := example().Checks()
	for part, ok := range want {
		found := false
		for _, c := range checks {
			if strings.Contains(c.What, part) {
				found = true
				if c.OK != ok {
					t.Errorf("%s: %s, %t", c.What, c.Saw, c.OK)
				}
			}
		}
		if !found {
			t.Errorf("no promise about %s", part)
		}
	}
}

func TestTheReportNamesWhatWasLeftOut(t *testing.T) {
	r := example()
	r.Without = []string{"ClickHouse server"}
	text := r.Markdown()
	for _, want := range []string{"Left out of this run: ClickHouse server", "| 1 | fast & <small> | 2.00 ms | **50.0 ms** | 900 ms | 25.0 |", "**fail**", "60,000,000 visits"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// A large answer that takes longer than allowed does so with a reason, if the bytes
// alone take that long.
func TestWhatTheWireTakesIsShown(t *testing.T) {
	r := example()
	slow := r.Questions[1]
	slow.Bytes, slow.Wire = 3e6, []float64{2.5}
	text := r.Markdown()
	for _, want := range []string{"2 (20.0 ms over 10.0 ms; sending 3.0 MB takes 2.50 ms)", "| 2 | slow | 3.00 MB | 10.0 ms | 20.0 ms | **no**, nor does the wire | 2.50 ms |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	slow.Wire = []float64{0.5}
	if text = r.Markdown(); strings.Contains(text, "sending") || !strings.Contains(text, "| 20.0 ms | **no** | 0.50 ms |") {
		t.Errorf("the wire is blamed in\n%s", text)
	}
	slow.Own = []float64{29.5}
	if text = r.Markdown(); !strings.Contains(text, "| 29.5 ms | 0.50 ms | yes | 0.50 ms |") {
		t.Errorf("half a millisecond is too much in\n%s", text)
	}
}

func TestSightlineOnClickHouseIsComparedWithSQLThere(t *testing.T) {
	r := example()
	if strings.Contains(r.Markdown(), "With the facts in ClickHouse") {
		t.Error("it was not asked")
	}
	r.Copy = &Copy{Seconds: 3, Bytes: 2e9}
	for i, times := range [][2]float64{{10, 60}, {10, 20}} {
		r.Questions[i].Traffic = true
		r.Questions[i].Times[OnClickHouse], r.Questions[i].Times[ClickHouse] = []float64{times[0]}, []float64{times[1]}
	}
	text := r.Markdown()
	for _, want := range []string{"| 60.0 ms | 10.0 ms | 6.0 | yes |", "| 20.0 ms | 10.0 ms | 2.0 | **no** |", "1 of 2 questions about traffic", "| **fail** | with the facts in ClickHouse", "at worst 2.0 ×, less on 1 of them: 2 (2.0 ×)", "2.00 GB"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if name, _ := r.Questions[1].best(); name == OnClickHouse {
		t.Error("Sightline is no engine to be compared with")
	}
	r.Questions[1].Traffic = false
	if c := r.onServer(); !c.OK || !strings.Contains(r.Markdown(), "| 2.0 |  |") {
		t.Errorf("of a question about answers, nothing is promised: %+v\n%s", c, r.Markdown())
	}
}

func TestTheChartIsXMLWithAMarkForEveryTime(t *testing.T) {
	chart := example().Chart()
	titles := 0
	for d := xml.NewDecoder(strings.NewReader(chart)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "title" {
			titles++
		}
	}
	if titles != 6 {
		t.Errorf("%d marks, want 6", titles)
	}
	for _, bad := range []string{"NaN", "Inf", "%!"} {
		if strings.Contains(chart, bad) {
			t.Errorf("%s in the chart", bad)
		}
	}
	if empty := (&Results{}).Chart(); strings.Contains(empty, "NaN") || strings.Contains(empty, "Inf") {
		t.Error("a chart without times is broken")
	}
}

func TestAnEngineThatIsLeftOutIsForgotten(t *testing.T) {
	r := example()
	r.Keep(func(name string) bool { return name == Sightline || name == "postgres" })
	if name, ms := r.Questions[0].best(); name != "postgres" || ms != 900 || len(r.Engines) != 1 {
		t.Errorf("best: %s, %v; %v", name, ms, r.Engines)
	}
}

func TestMedian(t *testing.T) {
	for want, times := range map[float64][]float64{0: nil, 2: {3, 1, 2}, 2.5: {4, 1, 2, 3}} {
		if got := Median(times); got != want {
			t.Errorf("median of %v: %v", times, got)
		}
	}
}
