package export

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

func TestCSVOfPrompts(t *testing.T) {
	share, runs := 0.25, int64(-4)
	got := string(written(t, CSV, Of([]api.PromptMetric{
		{PromptText: `a "b", c`, Platform: "", Domain: "=x", Visibility: &share, RunCount: &runs, Labels: []api.PromptLabel{{ID: 1, Name: "p;=q"}}},
		{PromptText: "two\nlines", Platform: "p", Domain: " d", Labels: []api.PromptLabel{}},
	})))
	want := "promptText,platform,domain,position,visibility,rank,runCount,labels\r\n" +
		`"a ""b"", c","",'=x,,0.25,,-4,"[{""id"":1,""name"":""p;\u003dq""}]"` + "\r\n" +
		"\"two\nlines\",p,\" d\",,,,,[]\r\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSpreadsheetsRunNoText(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@sum": "'@sum", "\tx": "'\tx", "\rx": "'\rx", "\nx": "'\nx", "＝1": "'＝1", "-": "'-",
		"a=1": "a=1", "": "", "'=1": "'=1", " =1": " =1", "a;b": "a;b", "a,=1": "a,=1", "/x-y": "/x-y",
		"a;=1": "a;'=1", "a\n+1": "a\n'+1", "a\r\n-1": "a\r\n'-1", "a\t@x": "a\t'@x", "\t=1": "'\t'=1", ";＠x": ";'＠x",
	} {
		if got := defuse(text); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}

// Whichever separator a spreadsheet takes, and whether or not it sees quotes, no
// cell with text begins as a formula does.
func TestNoCellBeginsAsAFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		var b strings.Builder
		w, err := NewCSV(&b, "\r\n", []string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Row([]any{int64(1), []string{text}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Row([]any{"x", text}); err != nil {
			t.Fatal(err)
		}
		lines := strings.FieldsFunc(b.String(), func(r rune) bool { return strings.ContainsRune(separators, r) })
		for _, cell := range lines {
			if strings.IndexAny(cell, formulas) == 0 {
				t.Fatalf("%q begins as a formula in %q", cell, b.String())
			}
		}
		records, err := readCSV(b.String())
		if err != nil || len(records) != 3 || strings.IndexAny("x"+*records[2][1], formulas) == 0 {
			t.Fatal(records, err)
		}
		if cell := *records[2][1]; strings.IndexAny(cell, formulas) == 0 {
			t.Fatalf("%q begins as a formula", cell)
		}
	})
}

func TestNumbersAreNeverDefused(t *testing.T) {
	var b strings.Builder
	w, err := NewCSV(&b, "\n", []string{"a", "b"})
	if err == nil {
		err = w.Row([]any{int64(-3), -0.25})
	}
	if err != nil || b.String() != "a,b\n-3,-0.25\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
