package server

import (
	"strings"
	"testing"
)

func TestTheFormThatIsAskedForMostIsChosen(t *testing.T) {
	const json, csv, ndjson, parquet = "application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.parquet"
	for _, c := range []struct{ name, accept, want string }{
		{"nothing", "", json},
		{"anything", "*/*", json},
		{"JSON", "application/json", json},
		{"JSON with charset", "application/json; charset=utf-8", json},
		{"a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", json},
		{"something else entirely", "image/png", json},
		{"something else, JSON refused", "image/png, application/json;q=0", json},
		{"CSV", "text/csv", csv},
		{"CSV in upper case", "TEXT/CSV", csv},
		{"CSV with spaces", " text/csv \t; q=1 ", csv},
		{"NDJSON", "application/x-ndjson", ndjson},
		{"Parquet", "application/vnd.apache.parquet", parquet},
		{"any text", "text/*", csv},
		{"any application", "application/*", json},
		{"CSV and JSON alike", "text/csv, application/json", json},
		{"JSON rather than CSV", "text/csv;q=0.5, application/json;q=0.6", json},
		{"CSV rather than JSON", "application/json;q=0.5, text/csv;q=0.501", csv},
		{"JSON rather than any", "application/json, */*;q=0.5", json},
		{"CSV, or else anything", "text/csv, */*", csv},
		{"CSV, but rather anything", "text/csv;q=0.5, */*", json},
		{"CSV, or else anything, weighted", "text/csv, */*;q=0.1", csv},
		{"anything but JSON", "*/*, application/json;q=0", csv},
		{"anything but JSON and CSV", "*/*, application/json;q=0, text/*;q=0", ndjson},
		{"any text but CSV", "text/*, text/csv;q=0", json},
		{"CSV refused", "text/csv;q=0", json},
		{"CSV refused in decimals", "text/csv;q=0.000", json},
		{"among exports the heavier", "text/csv;q=0.2, application/vnd.apache.parquet;q=0.9, application/x-ndjson;q=0.5", parquet},
		{"the closest range counts", "text/*;q=0.9, text/csv;q=0.1, application/x-ndjson;q=0.5", ndjson},
		{"the closest range counts, whatever the order", "text/csv;q=0.1, application/x-ndjson;q=0.5, text/*;q=0.9", ndjson},
		{"the parameter makes it closer", "text/csv;header=present;q=0.1, text/csv;q=0.9, application/x-ndjson;q=0.5", ndjson},
		{"CSV with its parameters", `text/csv; charset="UTF-8"; header=present`, csv},
		{"CSV without a header is not there", "text/csv; header=absent", json},
		{"CSV in another charset is not there", "text/csv; charset=iso-8859-1", json},
		{"twice the same: the heavier", "text/csv;q=0, text/csv", csv},
		{"a comma in quotes", `text/plain; x="a, text/csv", application/json`, json},
		{"a quote in quotes", `text/plain; x="a\", text/csv`, json},
		{"several lines", "image/png\ntext/csv", csv},
		{"what comes after q", "text/csv;q=0.5;level=1", csv},
		{"an empty element", ", ,text/csv,,", csv},
		{"an empty parameter", "text/csv;;q=1", csv},
		{"a weight above 1", "text/csv;q=1.5", json},
		{"a weight with four decimals", "text/csv;q=0.1234", json},
		{"a negative weight", "text/csv;q=-1", json},
		{"a weight in words", "text/csv;q=high", json},
		{"no subtype", "text", json},
		{"any kind of CSV", "*/csv", json},
		{"a wrong token", "text/c sv", json},
		{"a quote without an end", `text/csv;x="`, json},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := json
			if f := accepted(strings.Split(c.accept, "\n")); f != nil {
				got = f.Media
			}
			if got != c.want {
				t.Errorf("%q is answered with %s, want %s", c.accept, got, c.want)
			}
		})
	}
}

func FuzzAccept(f *testing.F) {
	for _, seed := range []string{"", "*/*", "text/csv;q=0.5, application/json", `a/b;c="d\",";q=1`, ";;,,//", "text/*;q=0.123"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		for _, m := range parseAccept([]string{accept}) {
			if m.weight < 0 || m.weight > 1000 || m.kind == "" || m.subtype == "" {
				t.Errorf("%q has the range %+v", accept, m)
			}
		}
		chosen := accepted([]string{accept})
		if chosen != nil && !strings.Contains(accept, "/") {
			t.Errorf("%q is answered with %s", accept, chosen.Media)
		}
		// Whoever names JSON with the highest weight gets it, whatever else is said
		// in a header of its own.
		if accepted([]string{accept, "application/json"}) != nil && !strings.Contains(accept, ";") && !strings.Contains(accept, "\"") {
			t.Errorf("%q and JSON is answered otherwise", accept)
		}
		if got := accepted([]string{accept + ";q=0"}); strings.Count(accept, ",") == 0 && !strings.Contains(accept, ";") && got != nil {
			t.Errorf("%q was refused, and is answered with %s", accept, got.Media)
		}
	})
}
