package catalog

import (
	"fmt"
	"strings"
	"testing"
)

// TestWildFilesAreRefused holds files that are small but would keep a
// naive reader busy for hours, or end its stack.
func TestWildFilesAreRefused(t *testing.T) {
	const n = 30_000
	deep, documents := "nested more than 100 levels deep", "more than one document: a workspace is one document"
	for _, c := range []struct{ name, text, want string }{
		{"open brackets", strings.Repeat("[", n), deep},
		{"closed brackets", strings.Repeat("[", n) + strings.Repeat("]", n), deep},
		{"open braces", strings.Repeat("{a: ", n), deep},
		{"entries in a row", strings.Repeat("- ", n), deep},
		{"keys in a row", strings.Repeat("a: ", n), deep},
		{"question marks in a row", strings.Repeat("? ", n), deep},
		{"tags in a row", strings.Repeat("!a ", n), deep},
		{"anchors in a row", strings.Repeat("&a ", n), deep},
		{"tags in brackets", "[" + strings.Repeat("!a ", n), deep},
		{"keys below each other", strings.Repeat("a: 1\n", n), "more than 10000 keys in one mapping"},
		{"keys with tags", strings.Repeat("!a b: 1\n!aa b: 1\n", n), "more than 10000 keys in one mapping"},
		{"empty entries", strings.Repeat("-\n", n), "more than 10000 empty values"},
		{"empty keys", "teams:\n" + strings.Repeat("- a:\n", n), "more than 10000 empty values"},
		{"empty keys in braces", "[" + strings.Repeat("{a:},", n) + "]", "more than 10000 empty values"},
		{"documents", strings.Repeat("---\na\n", n), documents},
		{"aliases of aliases", laughs(), `w.yaml:12: products: must be a list, not a mapping`},
		{"aliases of lists", repeats(1500), "aliases repeat more than 500000 values: write fewer of them"},
		{"merges of merges", merges(1000, 2001), "teams[0].<<: merge keys repeat too much"},
		{"mistakes", "teams:\n" + strings.Repeat("- 1\n", n), fmt.Sprintf("%d more mistakes are not shown", n-maxMistakes)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseWorkspace("w.yaml", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %.200v, want %s", err, c.want)
			}
		})
	}
}

// laughs is the billion laughs: each line is ten times the one before.
func laughs() string {
	var b strings.Builder
	b.WriteString("x: &a0 [lol]\n")
	for i := range 10 {
		fmt.Fprintf(&b, "x%d: &a%d [%s]\n", i, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 10))
	}
	return b.String() + "products: {y: *a10}\n"
}

// repeats is a product of n prompts, n times.
func repeats(n int) string {
	var b strings.Builder
	b.WriteString("products:\n- &p\n  id: 1\n  prompts:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {id: %d, text: t%d}\n", i+1, i)
	}
	return b.String() + strings.Repeat("- *p\n", n)
}

// merges is a mapping of so many fields, merged so many times.
func merges(fields, times int) string {
	var b strings.Builder
	b.WriteString("x: &a\n")
	for i := range fields {
		fmt.Fprintf(&b, "  f%d: 1\n", i)
	}
	return b.String() + "y:\n" + strings.Repeat("- {<<: *a}\n", times) + "teams:\n- {<<: *a}\n"
}

func TestLargeWorkspacesAreWithinTheLimits(t *testing.T) {
	const n = 12_000
	var block, flow, json strings.Builder
	block.WriteString("products:\n- id: 1\n  name: P\n  website: https://p.example\n  domain: p.example\n  prompts:\n")
	flow.WriteString("products:\n- {id: 1, name: P, website: 'https://p.example', domain: p.example, prompts: [\n")
	json.WriteString(`{"products":[{"id":1,"name":"P","website":"https://p.example","domain":"p.example","prompts":[{"id":90000,"text":"x"}`)
	for i := range n {
		fmt.Fprintf(&block, "  - id: %d\n    text: question %d\n    platforms:\n    - openai\n    - claude\n", i+1, i)
		fmt.Fprintf(&flow, "  {id: %d, text: question %d, platforms: [openai, claude]},\n", i+1, i)
		fmt.Fprintf(&json, ",\n{\n  \"id\": %d,\n  \"text\": \"question %d\",\n  \"platforms\": [\n    \"openai\"\n  ]\n}", i+1, i)
	}
	for name, text := range map[string]string{
		"block": block.String(), "flow": flow.String() + "]}\n", "JSON": json.String() + "]}]}",
	} {
		t.Run(name, func(t *testing.T) {
			if got := len(parse(t, text).products[0].prompts); got < n {
				t.Errorf("read %d prompts", got)
			}
		})
	}
}
