package catalog

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var compareRecords = cmp.AllowUnexported(wanted{}, teamRecord{}, productRecord{}, websiteRecord{},
	labelRecord{}, labelKey{}, promptRecord{})

// parse reads a workspace that must be free of mistakes.
func parse(t testing.TB, text string) *Workspace {
	t.Helper()
	w, err := ParseWorkspace("workspace.yaml", []byte(text))
	if err != nil {
		t.Fatalf("unexpected mistakes:\n%v\nin:\n%s", err, text)
	}
	return w
}

func readTestdata(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWorkspaceIsReadAsWritten(t *testing.T) {
	got := parse(t, readTestdata(t, "workspace.yaml")).records()
	want := wanted{
		teams: []teamRecord{
			{"acme", "Acme", nil}, {"agency", "Agency", []string{"acme"}}, {"holding", "Holding", []string{"agency"}},
		},
		products: []productRecord{
			{id: 101, team: "acme", name: "Acme Rocket", website: "https://www.acme.com", domain: "acme.com",
				names: []string{"Acme", "Acme Rockets"}, competitors: []int64{201, 202}},
			{id: 201, name: "Zoom Rockets", website: "https://zoomrockets.example", domain: "zoomrockets.example"},
			{id: 202, team: "agency", name: "Agency Rocket", website: "https://agency.example", domain: "agency.example",
				competitors: []int64{101}},
		},
		websites: []websiteRecord{
			{"w-shop", 101, "shop.example", true, true},
			{"w-acme", 101, "acme.com", false, true},
			{"w-old", 101, "old.acme.com", false, false},
		},
		labels: []labelRecord{{labelKey{101, 2}, "schools"}, {labelKey{101, 1}, "brand"}, {labelKey{202, 1}, "other"}},
		prompts: []promptRecord{
			{12, 101, "what is acme rocket", "acme.com", nil, []int64{1, 2}},
			{11, 101, "best rocket for schools", "old.acme.com", []string{"openai", "perplexity"}, []int64{1}},
			{13, 101, "best rocket for schools", "shop.example", nil, nil},
			{21, 202, "rockets", "agency.example", nil, []int64{1}},
		},
	}
	if d := cmp.Diff(want, got, compareRecords); d != "" {
		t.Error(d)
	}
}

func TestOneWorkspaceInManySpellings(t *testing.T) {
	yaml := readTestdata(t, "workspace.yaml")
	want := parse(t, yaml).records()
	for name, text := range map[string]string{
		"JSON indented with tabs": readTestdata(t, "workspace.json"),
		"JSON on one line":        strings.NewReplacer("\n", "", "\t", "").Replace(readTestdata(t, "workspace.json")),
		"lines end in CR LF":      strings.ReplaceAll(yaml, "\n", "\r\n"),
		"byte order mark":         "\ufeff" + yaml,
		"document separators":     "---\n" + yaml + "...\n",
		"YAML directive":          "%YAML 1.2\n---\n" + yaml,
		"comments around":         "# before\n\n" + yaml + "\n# after\n",
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(want, parse(t, text).records(), compareRecords); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAnchorsAliasesAndMergeKeys(t *testing.T) {
	plain := `
teams: [{id: a, name: A}]
products:
  - {id: 1, team: a, name: One, website: "https://one.example", domain: one.example,
     prompts: [{id: 1, text: x, platforms: [openai, claude]}, {id: 2, text: y, platforms: [openai, claude]}]}
  - {id: 2, team: a, name: Two, website: "https://one.example", domain: one.example}
`
	short := `
teams: [{id: a, name: A}]
products:
  - &one
    id: 1
    team: &team a
    name: One
    website: https://one.example
    domain: one.example
    prompts:
      - {id: 1, text: x, platforms: &all [openai, claude]}
      - {id: 2, text: y, platforms: *all}
  - <<: [*one, {name: Ignored}]
    id: 2
    name: !!str Two
    prompts:
`
	if d := cmp.Diff(parse(t, plain).records(), parse(t, short).records(), compareRecords); d != "" {
		t.Error(d)
	}
}

func TestNumbersAreTakenForTextWhereTheyAreUnambiguous(t *testing.T) {
	got := parse(t, `{teams: [{id: 7, name: 365}, {id: -1, name: 0}]}`).records().teams
	want := []teamRecord{{"7", "365", nil}, {"-1", "0", nil}}
	if d := cmp.Diff(want, got, compareRecords); d != "" {
		t.Error(d)
	}
}

func TestPromptForAForeignDomainIsAWarning(t *testing.T) {
	w := parse(t, `
products:
  - id: 1
    name: One
    website: https://one.example
    domain: one.example
    websites: [{websiteId: w, domain: shop.example}]
    prompts:
      - {id: 1, text: own}
      - {id: 2, text: below, domain: blog.one.example}
      - {id: 3, text: of a website, domain: www.shop.example}
      - {id: 4, text: elsewhere,
         domain: notone.example}
`)
	want := []Mistake{{"workspace.yaml", 13, "products[0].prompts[3].domain",
		"notone.example is neither the domain of product 1 nor of one of its websites"}}
	if d := cmp.Diff(want, w.Warnings); d != "" {
		t.Error(d)
	}
}

// TestJSONTextsSurvive writes random names as JSON and expects them back: YAML
// parsers are not JSON parsers by birth.
func TestJSONTextsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.Rune(), 1, 40, -1).Draw(t, "name")
		data, err := json.Marshal(map[string]any{"teams": []any{map[string]any{"id": "a", "name": name}}})
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "indented") {
			var indented strings.Builder
			e := json.NewEncoder(&indented)
			e.SetIndent("", "\t")
			e.SetEscapeHTML(false)
			_ = e.Encode(json.RawMessage(data))
			data = []byte(indented.String())
		}
		kept, reason := plainText(name)
		w, err := ParseWorkspace("w.json", data)
		switch {
		case reason != "" && err == nil:
			t.Fatalf("%q was taken, though it is %s", name, reason)
		case reason == "" && err != nil:
			t.Fatalf("%q: %v", name, err)
		case reason == "" && w.teams[0].name != kept:
			t.Fatalf("got %q, want %q", w.teams[0].name, kept)
		}
	})
}

func TestMistakesAreOneErrorByLine(t *testing.T) {
	_, err := ParseWorkspace("w.yaml", []byte("teams:\n- {id: b, nam: B}\n- {id: a b, name: A}\n"))
	var ms Mistakes
	if !errors.As(err, &ms) || len(ms) != 3 {
		t.Fatalf("got %#v", err)
	}
	want := `w.yaml:2: teams[0].nam: unknown field: a team has id, name, manages
w.yaml:2: teams[0].name: required
w.yaml:3: teams[1].id: "a b" has white space in it`
	if err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
