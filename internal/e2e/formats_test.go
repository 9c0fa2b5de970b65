package e2e

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // writes Parquet

	"github.com/sightline-hq/sightline/internal/accesslog"
)

var pageviewColumns = []string{"at", "websiteId", "url", "method", "status", "userAgent", "referrer", "ip"}

// pageviewFormats tells the requests of a combined log as pageviews.
func pageviewFormats(t *testing.T, log []byte) map[string][]byte {
	t.Helper()
	format, err := accesslog.ByName("combined")
	if err != nil {
		t.Fatal(err)
	}
	var ndjson, table bytes.Buffer
	rows := csv.NewWriter(&table)
	rows.Write(pageviewColumns)
	for line := range bytes.Lines(log) {
		var h accesslog.Hit
		if format.Layout().Parse(line, &h) != nil {
			continue // garbage
		}
		row := []string{
			time.Unix(h.Second, 0).UTC().Format(time.RFC3339), "w-acme", string(h.Target), string(h.Method), fmt.Sprint(h.Status),
			string(h.UserAgent), string(h.Referrer), string(h.IP),
		}
		rows.Write(row)
		object := map[string]any{}
		for i, value := range row {
			object[pageviewColumns[i]] = value
		}
		object["status"] = h.Status
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		ndjson.Write(append(text, '\n'))
	}
	rows.Flush()
	return map[string][]byte{
		"pageviews.ndjson": ndjson.Bytes(), "pageviews.csv": table.Bytes(), "pageviews-semicolons.csv": rewrite(t, table.Bytes(), ';'),
		"pageviews.parquet": toParquet(t, ndjson.Bytes(), "select * replace (\"at\"::timestamp as \"at\")"),
		"text.parquet":      toParquet(t, ndjson.Bytes(), "select *"),
	}
}

// rewrite writes a table with another separator.
func rewrite(t *testing.T, table []byte, separator rune) []byte {
	t.Helper()
	all, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = separator
	if err := w.WriteAll(all); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// toParquet makes a Parquet file of NDJSON.
func toParquet(t *testing.T, ndjson []byte, selection string) []byte {
	t.Helper()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "in.ndjson"), filepath.Join(dir, "out.parquet")
	if err := os.WriteFile(from, ndjson, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	query := fmt.Sprintf("copy (%s from read_json('%s', format = 'newline_delimited')) to '%s' (format parquet)", selection, from, to)
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Answers, too, are the same in every format, with given mentions and without.
func TestAnswersAreTheSameInEveryFormat(t *testing.T) {
	const ndjson = `{"id":"a","promptId":11,"platform":"openai","at":"2026-03-02T09:15:00Z","text":"Zoom is fine, \"Acme\" is better:\nsee https://a.example/x.","mentions":null,"citations":null}
{"id":"b","promptId":11,"platform":"perplexity","at":"2026-03-03T09:15:00Z","text":null,"mentions":[{"productId":201,"position":1},{"productId":101,"position":2}],"citations":["https://b.example/","https://a.example/x"]}
{"id":"c","promptId":11,"platform":"openai","at":"2026-03-04T09:15:00Z","text":"nothing","mentions":[],"citations":[]}
`
	const table = `id,promptId,platform,at,text,mentions,citations,note
a,11,openai,2026-03-02T09:15:00Z,"Zoom is fine, ""Acme"" is better:
see https://a.example/x.",,,a note
b,11,perplexity,2026-03-03T09:15:00Z,,"[{""productId"":201,""position"":1},{""productId"":101,""position"":2}]","[""https://b.example/"",""https://a.example/x""]",
c,11,openai,2026-03-04T09:15:00Z,nothing,[],[],
`
	want := ""
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"NDJSON", []byte(ndjson)}, {"CSV", []byte(table)},
		{"Parquet", toParquet(t, []byte(ndjson), "select *")},
	} {
		s := start(t)
		s.must(s.apply([]byte(answerWorkspace)))
		summary, err := s.load("answers", c.text)
		if err != nil || summary.Accepted != 3 {
			rejected, _ := os.ReadFile(summary.RejectFile)
			t.Fatalf("%s: %v: %+v\n%s", c.name, err, summary, rejected)
		}
		got := ""
		for _, target := range []string{"prompts", "prompts/summary", "prompts/dates", "citations?groupBy=property", "citations?groupBy=page", "citations?groupBy=product"} {
			path, query, _ := bytes.Cut([]byte(target), []byte("?"))
			got += s.ask(fmt.Sprintf("/v1/products/101/%s?domain=acme.com&%s&%s", path, logWindow, query)) + "\n"
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s gives\n%s\nNDJSON gives\n%s", c.name, got, want)
		}
	}
	if !bytes.Contains([]byte(want), []byte(`"runCount":2`)) {
		t.Errorf("the answers were not counted:\n%s", want)
	}
}

const answerWorkspace = `
teams: [{id: acme, name: Acme}]
products:
  - id: 101
    team: acme
    name: Acme
    website: https://acme.com
    domain: acme.com
    competitors: [201]
    prompts: [{id: 11, text: best rocket, platforms: [openai, perplexity]}]
  - {id: 201, name: Zoom, website: "https://zoom.example", domain: zoom.example}
`
