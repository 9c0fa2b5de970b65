package show

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

func TestCSV(t *testing.T) {
	same(t, written(t, func(w io.Writer) error { return CSV(w, Prompts(prompts)) }), `
promptText,platform,domain,visibility,visibilityLow,visibilityHigh,position,rank,runCount,labels
best rocket,claude,acme.com,0.42,0.327984,0.517935,1.5,2,100,brand (12); use case (13)
best rocket,openai,acme.com,,,,,,,brand (12); use case (13)
'=cmd|'x',openai,acme.com,0,0,0.001936,,,1980,
`)
}

func TestSeveralTablesAreOneInCSV(t *testing.T) {
	same(t, written(t, func(w io.Writer) error { return CSV(w, Citations(cited)...) }), `
groupBy,domain,count,isMentioned,products,url,name
byProperty,a.example,8,true,Acme; Zoom,,
byPage,a.example,4,false,,https://a.example/x,
byProduct,acme.com,8,true,,,Acme
`)
}

func TestSpreadsheetsRunNoText(t *testing.T) {
	evil := Websites([]api.Website{{WebsiteID: "=1+1", Domain: "a;@b"}})
	same(t, written(t, func(w io.Writer) error { return CSV(w, evil) }), `
websiteId,domain
'=1+1,a;'@b
`)
}

func TestCSVIsReadBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, share := rapid.String().Draw(t, "text"), rapid.Float64Range(0, 1).Draw(t, "visibility")
		var out strings.Builder
		if err := CSV(&out, Prompts([]api.PromptMetric{{PromptText: text, Visibility: &share}})); err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
		if err != nil || len(records) != 2 {
			t.Fatal(err, records)
		}
		// Readers take a carriage return and new line for a new line.
		want := strings.ReplaceAll(text, "\r\n", "\n")
		number, err := strconv.ParseFloat(records[1][3], 64)
		if undefused(records[1][0]) != undefused(want) || err != nil || number != share {
			t.Fatalf("%q came back as %q, %v as %v", text, records[1][0], share, number)
		}
	})
}

// undefused is a text without what keeps spreadsheets from running it.
func undefused(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "'", "") }

func TestNDJSONHasAnObjectForEachRow(t *testing.T) {
	same(t, written(t, func(w io.Writer) error { return NDJSON(w, Prompts(prompts[:2])) }), `
{"promptText":"best rocket","platform":"claude","domain":"acme.com","visibility":0.42,"visibilityLow":0.327984,"visibilityHigh":0.517935,"position":1.5,"rank":2,"runCount":100,"labels":[{"id":12,"name":"brand"},{"id":13,"name":"use case"}]}
{"promptText":"best rocket","platform":"openai","domain":"acme.com","visibility":null,"visibilityLow":null,"visibilityHigh":null,"position":null,"rank":null,"runCount":null,"labels":[{"id":12,"name":"brand"},{"id":13,"name":"use case"}]}
`)
	same(t, written(t, func(w io.Writer) error { return NDJSON(w, Citations(cited)[1:]...) }), `
{"groupBy":"byPage","url":"https://a.example/x","domain":"a.example","count":4,"isMentioned":false,"products":[]}
{"groupBy":"byProduct","name":"Acme","domain":"acme.com","count":8,"isMentioned":true}
`)
}

// A comparison has the same columns whether or not there is anything to
// compare.
func TestComparedRowsHaveTheSameNames(t *testing.T) {
	table := compared(t, Prompts(prompts), Prompts(prompts[:1]), 0, true)
	objects, err := Objects(table)
	if err != nil || len(objects) != 3 {
		t.Fatal(err)
	}
	names := objects[0].(flat).names
	for _, want := range []string{"visibilityBefore", "visibilityChange", "visibilityChangeLow", "visibilityChangeHigh", "rankBefore", "rankChange", "runCountChange"} {
		if !strings.Contains(strings.Join(names, " ")+" ", want+" ") {
			t.Errorf("no %s in %v", want, names)
		}
	}
	for i, o := range objects {
		text, err := json.Marshal(o)
		if got := o.(flat).names; strings.Join(got, " ") != strings.Join(names, " ") || err != nil || !json.Valid(text) {
			t.Errorf("row %d has %v: %s", i, got, text)
		}
	}
	trend := compared(t, Dates(dates), Dates(dates), 0, true)
	if got := written(t, func(w io.Writer) error { return CSV(w, trend) }); !strings.HasPrefix(got, "date,platform,domain,visibility,visibilityBefore,visibilityChange,position,") {
		t.Error(got)
	}
}

func TestMarkdownShowsTextsAsTheyAre(t *testing.T) {
	evil := Websites([]api.Website{{WebsiteID: "a|b", Domain: "![x](http://e.example) <b>&\n`*_~#"}})
	same(t, written(t, func(w io.Writer) error { return Markdown(w, evil) }), "| website id | domain |\n|---|---|\n"+
		"| a\\|b | \\!\\[x\\](http://e.example) &lt;b&gt;&amp;\\\\n\\`\\*\\_\\~\\# |\n")
	same(t, written(t, func(w io.Writer) error { return Markdown(w, Citations(cited)[1:]...) }), `
### By page

| url | citations | mentioned | products |
|---|---:|---|---|
| https://a.example/x | 4 | no |  |

### By product

| product | domain | citations | mentioned |
|---|---|---:|---|
| Acme | acme.com | 8 | yes |
`)
}

func TestEveryMetricAndDimensionHasAColumn(t *testing.T) {
	text, n := "x", int64(7)
	item := api.TimeseriesItem{
		Timestamp: "2026-03-02T00:00:00Z", Platform: &text, BotType: &text, URLPath: &text, NormalizedURLPath: &text, URLPathDirectory: &text,
		BotVisits: &n, HumanVisits: &n, ReferredHumanVisits: &n, AIReferredHumanVisits: &n, UniqueHumanVisitors: &n, UniquePages: &n,
		UniqueHumanPages: &n, UniqueHumanPlatforms: &n, BotUserAgents: &n,
	}
	all := Timeseries(api.TimeseriesRequest{Metrics: api.Metrics, GroupBy: api.Dimensions}, traffic(item))
	got := written(t, func(w io.Writer) error { return NDJSON(w, all) })
	want, err := json.Marshal(item)
	if err != nil || strings.TrimSpace(got) != string(want) {
		t.Errorf("got %s, want %s", got, want)
	}
}
