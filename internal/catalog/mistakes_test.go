package catalog

import (
	"fmt"
	"strings"
	"testing"
)

// product is a workspace of one product, on line 2, with more fields.
func product(fields string) string { return "products:\n" + productItem(1, fields) }

// productItem is one more product of such a workspace, on one line.
func productItem(id int, fields string) string {
	return fmt.Sprintf("- {id: %d, name: P, website: 'https://p.example', domain: p.example%s}\n", id, fields)
}

func label(fields string) string  { return product(", labels: [{" + fields + "}]") }
func site(fields string) string   { return product(", websites: [{" + fields + "}]") }
func prompt(fields string) string { return product(", prompts: [{" + fields + "}]") }

type mistakeCase struct{ name, text, want string }

// expectMistakes compares the whole error; the file is called w.yaml, and w: in
// the cases stands for it.
func expectMistakes(t *testing.T, cases []mistakeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseWorkspace("w.yaml", []byte(c.text))
			if err == nil {
				t.Fatalf("no mistake found, want %s", c.want)
			}
			if got := strings.ReplaceAll(err.Error(), "w.yaml:", "w:"); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestFilesThatAreNoWorkspace(t *testing.T) {
	const empty = "w:1: the file is empty: a workspace has teams and products"
	expectMistakes(t, []mistakeCase{
		{"nothing", "", empty},
		{"white space", " \n\n", empty},
		{"comments only", "# nothing\n", empty},
		{"a separator only", "---\n", empty},
		{"a list", "- a\n", "w:1: must be a mapping with teams and products, not a list"},
		{"a text", "hello\n", `w:1: must be a mapping with teams and products, not text "hello"`},
		{"an empty mapping", "{}\n", "w:1: neither teams nor products: an empty workspace is written as teams: []"},
		{"two documents", "teams: []\n---\nteams: []\n", "w:3: a second document starts here: a workspace is one document"},
		{"an open brace", "teams:\n  - {id: a, name: A\n", "w:2: syntax: could not find flow mapping end token '}'"},
		{"a tab before a key", "teams:\n- id: a\n\tname: A\n", `w:3: syntax: found character '\t' that cannot start any token`},
		{"mixed up brackets", `{"teams": [}`, "w:1: syntax: could not find '{' character corresponding to '}'"},
		{"two JSON values", "{\"teams\": []}\n{\"teams\": []}\n", "w:2: syntax: value is not allowed in this context"},
		{"not UTF-8", "teams:\n- {id: a, name: \"\xff\"}\n", "w:2: not valid UTF-8: save the file as UTF-8 text"},
		{"a gzip file", "\x1f\x8b\x08\x00", "w:1: not valid UTF-8: save the file as UTF-8 text"},
		{"too large", strings.Repeat("\n", MaxWorkspace+1), "w: larger than 64 MiB"},
	})
}

func TestFieldMistakes(t *testing.T) {
	expectMistakes(t, []mistakeCase{
		{"unknown in workspace", "teams: []\nteam: []\n", "w:2: team: unknown field: a workspace has teams, products"},
		{"unknown in team", "teams: [{id: a, name: A, x: 1}]", "w:1: teams[0].x: unknown field: a team has id, name, manages"},
		{"unknown in product", product(", colour: red"), "w:2: products[0].colour: unknown field: a product has id, team, name, names, website, domain, competitors, websites, labels, prompts"},
		{"unknown in website", site("websiteId: w, domain: w.example, url: x"), "w:2: products[0].websites[0].url: unknown field: a website has websiteId, domain, partner, tracked"},
		{"unknown in label", label("id: 1, name: l, x: 1"), "w:2: products[0].labels[0].x: unknown field: a label has id, name"},
		{"unknown in prompt", prompt("id: 1, text: t, label: 1"), "w:2: products[0].prompts[0].label: unknown field: a prompt has id, text, domain, platforms, labels"},
		{"unknown with a line break", `{"teams": [], "a\nb": 1}`, `w:1: a\nb: unknown field: a workspace has teams, products`},
		{"given twice", "teams:\n- id: a\n  name: A\n  id: b\n", "w:4: teams[0].id: given twice: it is already on line 2"},
		{"missing in team", "teams:\n- {}\n", "w:2: teams[0].id: required\nw:2: teams[0].name: required"},
		{"null in team", "teams:\n- id:\n  name: ~\n", "w:2: teams[0].id: required\nw:2: teams[0].name: required"},
		{"missing in product", "products:\n- {}\n", "w:2: products[0].id: required\nw:2: products[0].name: required\nw:2: products[0].website: required\nw:2: products[0].domain: required"},
		{"missing in website", site(""), "w:2: products[0].websites[0].websiteId: required\nw:2: products[0].websites[0].domain: required"},
		{"missing in label", label(""), "w:2: products[0].labels[0].id: required\nw:2: products[0].labels[0].name: required"},
		{"missing in prompt", prompt(""), "w:2: products[0].prompts[0].id: required\nw:2: products[0].prompts[0].text: required"},
		{"empty item", "teams:\n-\n", "w:2: teams[0]: empty: must be a mapping"},
		{"list for a mapping", "teams: [[a]]", "w:1: teams[0]: must be a mapping, not a list"},
		{"mapping for a list", "teams: {id: a}", "w:1: teams: must be a list, not a mapping"},
		{"text for a list", product(", competitors: all"), `w:2: products[0].competitors: must be a list, not text "all"`},
		{"text for a flag", site("websiteId: w, domain: w.example, partner: yes"), `w:2: products[0].websites[0].partner: must be true or false, not text "yes"`},
		{"number for a flag", site("websiteId: w, domain: w.example, tracked: 1"), "w:2: products[0].websites[0].tracked: must be true or false, not the number 1"},
		{"list for a text", "teams: [{id: a, name: [x]}]", "w:1: teams[0].name: must be text, not a list"},
		{"flag for a text", "teams: [{id: a, name: true}]", "w:1: teams[0].name: must be text: write 'true' in quotes"},
		{"fraction for a text", "teams: [{id: a, name: 1.50}]", "w:1: teams[0].name: must be text: write '1.50' in quotes"},
		{"octal for a text", "teams: [{id: 007, name: A}]", "w:1: teams[0].id: must be text: write '007' in quotes"},
		{"alias without anchor", "teams: *x\n", "w:1: teams: no anchor &x before this alias"},
		{"alias of itself", "teams: &x [*x]\n", "w:1: teams[0]: no anchor &x before this alias"},
		{"merge of a number", "teams: [{<<: 1, id: a, name: A}]", "w:1: teams[0].<<: must merge a mapping or a list of mappings"},
		{"unknown tag", "teams: [{id: !secret a, name: A}]", "w:1: teams[0].id: tag !secret is not supported: remove it"},
	})
}

func TestIDsAreWholeNumbers(t *testing.T) {
	id := func(text string) string { return label("name: l, id: " + text) }
	const at, outside = "w:2: products[0].labels[0].id: ", " is out of range: ids go from 1 to 9223372036854775807"
	expectMistakes(t, []mistakeCase{
		{"text", id("one"), at + `must be a whole number, not text "one"`},
		{"digits in quotes", id("'101'"), at + "must be a whole number, not text: write 101 without quotes"},
		{"fraction", id("1.5"), at + "1.5 is not a plain whole number such as 101"},
		{"zero", id("0"), at + "0" + outside},
		{"negative", id("-1"), at + "-1" + outside},
		{"beyond 64 bits", id("99999999999999999999999"), at + "99999999999999999999999" + outside},
		{"octal", id("010"), at + "010 is not a plain whole number such as 101"},
		{"hexadecimal", id("0x10"), at + "0x10 is not a plain whole number such as 101"},
		{"with underscores", id("1_000"), at + "1_000 is not a plain whole number such as 101"},
		{"with exponent", id("1e3"), at + `must be a whole number, not text "1e3"`},
		{"flag", id("true"), at + "must be a whole number, not true"},
		{"list", id("[1]"), at + "must be a whole number, not a list"},
		{"in a list", product(", competitors: [x]"), `w:2: products[0].competitors: must be a whole number, not text "x"`},
	})
	if w := parse(t, id("9223372036854775807")); w.products[0].labels[0].id != maxID {
		t.Errorf("the largest id was read as %d", w.products[0].labels[0].id)
	}
}

func TestTextMistakes(t *testing.T) {
	team := func(id string) string { return "teams: [{name: A, id: " + id + "}]" }
	question := func(text string) string { return prompt("id: 1, text: " + text) }
	asked := func(platform string) string { return prompt("id: 1, text: t, platforms: [openai, " + platform + "]") }
	long := strings.Repeat("x", maxText)
	const text, platforms = "w:2: products[0].prompts[0].text: ", "w:2: products[0].prompts[0].platforms: "
	expectMistakes(t, []mistakeCase{
		{"blank text", question("' '"), text + "empty"},
		{"line break in text", question(`"a\nb"`), text + "has a control character in it (U+000A)"},
		{"NUL in text", question("\"a\x00b\""), text + "has a control character in it (U+0000)"},
		{"text too long", question(long + "x"), text + "10001 bytes long: at most 10000 are allowed"},
		{"empty further name", product(", names: [a, '']"), "w:2: products[0].names: empty"},
		{"empty id", team("''"), "w:1: teams[0].id: empty"},
		{"white space in id", team("'a b'"), `w:1: teams[0].id: "a b" has white space in it`},
		{"unprintable in id", team(`"a\u200bb"`), `w:1: teams[0].id: "a\u200bb" has an unprintable character in it (U+200B)`},
		{"id too long", team(long[:101]), "w:1: teams[0].id: 101 bytes long: at most 100 are allowed"},
		{"white space in websiteId", site("websiteId: ' w', domain: w.example"), `w:2: products[0].websites[0].websiteId: " w" has white space in it`},
		{"empty platform", asked("''"), platforms + "empty"},
		{"white space around platform", asked("' claude'"), platforms + `" claude" has white space around it`},
		{"control character in platform", asked(`"a\u0007b"`), platforms + "has a control character in it (U+0007)"},
		{"platform too long", asked(long[:101]), platforms + "101 bytes long: at most 100 are allowed"},
	})
	if w := parse(t, question(long)); w.products[0].prompts[0].text != long {
		t.Error("the longest text was not kept")
	}
}

func TestDomainAndURLMistakes(t *testing.T) {
	with := func(website, domain string) string {
		return fmt.Sprintf("products: [{id: 1, name: P, website: '%s', domain: '%s'}]", website, domain)
	}
	const url = "https://p.example"
	expectMistakes(t, []mistakeCase{
		{"words", with(url, "not a domain"), `w:1: products[0].domain: "not a domain" is not a domain such as acme.com`},
		{"URL as domain", with(url, "https://p.example/"), `w:1: products[0].domain: "https://p.example/" is not a domain: write it without scheme and path, such as acme.com`},
		{"domain with port", with(url, "p.example:80"), `w:1: products[0].domain: "p.example:80" is not a domain such as acme.com`},
		{"of a website", site("websiteId: w, domain: w_w"), `w:2: products[0].websites[0].domain: "w_w" is not a domain such as acme.com`},
		{"of a prompt", prompt("id: 1, text: t, domain: nope"), `w:2: products[0].prompts[0].domain: "nope" is not a domain such as acme.com`},
		{"domain as URL", with("p.example", "p.example"), `w:1: products[0].website: "p.example" is not an http or https URL such as https://acme.com`},
		{"other scheme", with("ftp://p.example", "p.example"), `w:1: products[0].website: "ftp://p.example" is not an http or https URL such as https://acme.com`},
		{"long ones are cut", with("ftp://"+strings.Repeat("ä", 50), "p.example"), `w:1: products[0].website: "ftp://` + strings.Repeat("ä", 27) + `…" is not an http or https URL such as https://acme.com`},
	})
}

func TestReferencesThatLeadNowhere(t *testing.T) {
	teams := "teams: [{id: z, name: Z}, {id: a, name: A}]\n"
	expectMistakes(t, []mistakeCase{
		{"team without teams", product(", team: b"), `w:2: products[0].team: no team "b" in this file: there are no teams`},
		{"unknown team", teams + product(", team: b"), `w:3: products[0].team: no team "b" in this file: teams are a, z`},
		{"manages unknown team", "teams: [{id: z, name: Z, manages: [b]}, {id: a, name: A}]", `w:1: teams[0].manages: no team "b" in this file: teams are a, z`},
		{"manages itself", "teams: [{id: z, name: Z, manages: [z]}]", "w:1: teams[0].manages: team z cannot manage itself"},
		{"unknown competitor", product(", competitors: [9]"), "w:2: products[0].competitors: no product 9 in this file: add it, without a team if it is only a competitor"},
		{"competes with itself", product(", competitors: [1]"), "w:2: products[0].competitors: product 1 cannot compete with itself"},
		{"competitor twice", product(", competitors: [2, 2]") + productItem(2, ""), "w:2: products[0].competitors: product 2 is named twice"},
		{"foreign label", product(", labels: [{id: 2, name: x}, {id: 1, name: y}], prompts: [{id: 1, text: t,\n  labels: [1,\n  7]}]"), "w:4: products[0].prompts[0].labels: label 7 is not one of product 1's labels (1, 2)"},
		{"label of another product", prompt("id: 1, text: t, labels: [7]") + productItem(2, ", labels: [{id: 7, name: x}]"), "w:2: products[0].prompts[0].labels: label 7 is not one of product 1's labels (it has none)"},
	})
}

func TestDuplicates(t *testing.T) {
	expectMistakes(t, []mistakeCase{
		{"team", "teams:\n- {id: a, name: A}\n- {id: a, name: B}\n", "w:3: teams[1].id: team a is already on line 2"},
		{"product", product("") + productItem(1, ""), "w:3: products[1].id: product 1 is already on line 2"},
		{"website of another product", site("websiteId: w, domain: w.example") + productItem(2, ", websites: [{websiteId: w, domain: v.example}]"), "w:3: products[1].websites[0].websiteId: website w is already on line 2"},
		{"label", product(", labels: [{id: 1, name: l},\n {id: 1, name: m}]"), "w:3: products[0].labels[1].id: label 1 is already on line 2"},
		{"prompt of another product", prompt("id: 1, text: t") + productItem(2, ", prompts: [{id: 1, text: t}]"), "w:3: products[1].prompts[0].id: prompt 1 is already on line 2"},
		{"prompt text", product(", prompts: [{id: 1, text: t},\n {id: 2, domain: www.p.example, text: ' t '}]"), "w:3: products[0].prompts[1].text: product 1 already asks this for p.example on line 2"},
	})
	parse(t, label("id: 1, name: l")+productItem(2, ", labels: [{id: 1, name: l}], prompts: [{id: 1, text: t}, {id: 2, text: t, domain: shop.p.example}]"))
}

func TestNoMistakeHidesAnother(t *testing.T) {
	expectMistakes(t, []mistakeCase{{"several kinds", `
teams:
  - {id: acme, name: Acme, manages: [nobody]}
  - {id: acme, nam: Twice}
products:
  - id: "1"
    team: ghost
    name: P
    website: p.example
    domain: p.example
    competitors: [1, 5]
    prompts:
      - {id: 1, text: t, labels: [3]}
      - {id: 1, text: t}
`, `w:3: teams[0].manages: no team "nobody" in this file: teams are acme
w:4: teams[1].nam: unknown field: a team has id, name, manages
w:4: teams[1].name: required
w:4: teams[1].id: team acme is already on line 3
w:6: products[0].id: must be a whole number, not text: write 1 without quotes
w:7: products[0].team: no team "ghost" in this file: teams are acme
w:9: products[0].website: "p.example" is not an http or https URL such as https://acme.com
w:11: products[0].competitors: no product 1 in this file: add it, without a team if it is only a competitor
w:11: products[0].competitors: no product 5 in this file: add it, without a team if it is only a competitor
w:13: products[0].prompts[0].labels: label 3 is not one of product 0's labels (it has none)
w:14: products[0].prompts[1].id: prompt 1 is already on line 13
w:14: products[0].prompts[1].text: product 0 already asks this for p.example on line 13`}})
}
