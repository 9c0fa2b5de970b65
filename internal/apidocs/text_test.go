package apidocs

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/sightline-hq/sightline/api"
)

func TestInline(t *testing.T) {
	for markdown, want := range map[string]string{
		"plain":              "plain",
		" a `b` and `c` ":    "a <code>b</code> and <code>c</code>",
		"**Scope.** A key":   "<strong>Scope.</strong> A key",
		"`<KEY>` & <b>":      "<code>&lt;KEY&gt;</code> &amp; &lt;b&gt;",
		"`platforms[]` `%2B": "<code>platforms[]</code> `%2B",
	} {
		if got := string(inline(markdown)); got != want {
			t.Errorf("inline(%q) = %q, want %q", markdown, got, want)
		}
	}
	if got := paragraphs("one\nstill one\n\ntwo\n"); len(got) != 2 || got[0] != "one\nstill one" || got[1] != "two" {
		t.Errorf("paragraphs: %q", got)
	}
}

func TestPrettyJSONKeepsTheOrder(t *testing.T) {
	cases := []struct{ name, yaml, want string }{
		{"scalar", "1.5", "1.5"},
		{"string", `"a\"b"`, `"a\"b"`},
		{"null", "~", "null"},
		{"empty", "{b: [], a: {}}", `{"b": [], "a": {}}`},
		{"short", "{b: 1, a: [x, null, true]}", `{"b": 1, "a": ["x", null, true]}`},
		{"long", "{b: [" + strings.Repeat("x, ", 30) + "y], a: {c: 1}}",
			"{\n  \"b\": [\n" + strings.Repeat("    \"x\",\n", 30) + "    \"y\"\n  ],\n  \"a\": {\"c\": 1}\n}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var value any
			if err := yaml.UnmarshalWithOptions([]byte(c.yaml), &value, yaml.UseOrderedMap()); err != nil {
				t.Fatal(err)
			}
			if got, err := prettyJSON(value); err != nil || got != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
	if _, err := prettyJSON([]any{func() {}}); err == nil {
		t.Error("a function became JSON")
	}
}

func TestExamplesAreTheJSONOfTheDocument(t *testing.T) {
	for path, item := range parsed(t).Paths.all {
		for kind, m := range item.Get.Responses.values["200"].Content.all {
			if _, text := m.Example.(string); text {
				continue // of an export
			}
			shown, err := m.view()
			if err != nil || (kind == "application/json") != (len(shown) > 0) {
				t.Errorf("%s: %d examples of %s, %v", path, len(shown), kind, err)
			}
			for _, e := range shown {
				var compact bytes.Buffer
				if err := json.Compact(&compact, []byte(e.JSON)); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
	}
}

func TestTypeName(t *testing.T) {
	for want, s := range map[string]schema{
		"string":                     {Type: "string"},
		"string, date-time":          {Type: "string", Format: "date-time"},
		"integer, at least 1":        {Type: "integer", Format: "int64", Minimum: 1},
		"number or null, 0 to 1":     {Type: []any{"number", "null"}, Minimum: 0, Maximum: 1},
		"array of string":            {Type: "array", Items: &schema{Type: "string"}},
		"array of PromptLabel":       {Type: "array", Items: &schema{Ref: "#/components/schemas/PromptLabel"}},
		"integer or null, 1 to 1000": {Type: []any{"integer", "null"}, Minimum: 1, Maximum: 1000},
	} {
		if got := typeName(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCurlAsksWithTheExamples(t *testing.T) {
	doc := parsed(t)
	want := `curl -sS -G "$BASE/v1/products/101/prompts" \
  -H "Authorization: Bearer $KEY" \
  --data-urlencode 'domain=acme.example' \
  --data-urlencode 'dateFrom=2026-03-01T00:00:00Z' \
  --data-urlencode 'dateTo=2026-03-31T23:59:59Z'`
	if got := doc.Paths.values[api.RoutePrompts].Get.curl(api.RoutePrompts); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := doc.Paths.values["/docs"].Get.curl("/docs"); got != `curl -sS "$BASE/docs"` {
		t.Errorf("a page without authentication is asked with %s", got)
	}
}
