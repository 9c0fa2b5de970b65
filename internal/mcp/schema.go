package mcp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sightline-hq/sightline/api"
)

// argument is one property of a tool's input.
type argument struct {
	name   string
	schema *jsonschema.Schema
}

// object is the input of a tool. All arguments are optional: what the API
// requires has a default here.
func object(takes []argument) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: make(map[string]*jsonschema.Schema),
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, a := range takes {
		s.Properties[a.name] = a.schema
		s.PropertyOrder = append(s.PropertyOrder, a.name)
	}
	return s
}

// exact takes null out of an output's schema where it cannot occur: arrays are
// never null, and what may be left out is left out instead.
func exact(s *jsonschema.Schema) {
	for name, p := range s.Properties {
		if last := len(p.Types) - 1; last >= 0 && (p.Types[last] == "array" || !slices.Contains(s.Required, name)) {
			p.Type, p.Types = p.Types[last], nil
		}
		exact(p)
	}
	if s.Items != nil {
		exact(s.Items)
	}
}

func text(name, about string, examples ...any) argument {
	one := 1
	return argument{name, &jsonschema.Schema{Type: "string", Description: about, Examples: examples, MinLength: &one}}
}

// number is a whole number from 1 up to most, or without a limit if that is 0.
func number(name, about string, most int) argument {
	s := &jsonschema.Schema{Type: "integer", Description: about, Minimum: jsonschema.Ptr(1.0)}
	if most > 0 {
		s.Maximum = jsonschema.Ptr(float64(most))
	}
	return argument{name, s}
}

func list(name, about string, item *jsonschema.Schema, examples ...any) argument {
	return argument{name, &jsonschema.Schema{Type: "array", Description: about, Items: item, Examples: examples}}
}

// choice is one value of a closed list of the API, the first of which is the default.
func choice[T ~string](name, about string, of []T) argument {
	return argument{name, &jsonschema.Schema{Type: "string", Description: about, Enum: values(of), Default: quoted(of[0])}}
}

func word() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

func oneOf[T ~string](of []T) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: values(of)}
}

func values[T ~string](of []T) (all []any) {
	for _, v := range of {
		all = append(all, string(v))
	}
	return all
}

func quoted(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // of a constant
	}
	return text
}

// The arguments that tools share.

func productArgument() argument {
	return number("productId", "Product, by its id from list_products. May be left out if the key sees only one product.", 0)
}

func periodArguments() []argument {
	return []argument{
		text("dateFrom", "Start of the period, inclusive: a date (its first second, UTC) or an RFC 3339 date-time. "+
			"Left out: the 30 days (UTC) that end with dateTo's day; without either, the last 30 whole days, to yesterday 23:59:59 UTC.", "2026-03-01", "2026-03-01T00:00:00Z"),
		text("dateTo", "End of the period, inclusive: a date (its last second, UTC) or an RFC 3339 date-time. Left out: the end of today if dateFrom is given, otherwise yesterday 23:59:59 UTC.",
			"2026-03-31", "2026-03-31T23:59:59Z"),
	}
}

// promptArguments select prompts, for the four reports on AI answers.
func promptArguments() []argument {
	return append(append([]argument{
		productArgument(),
		text("domain", "Domain of the product that prompts are tracked for. Left out: the product's own domain, as list_products shows it.", "acme.example"),
	}, periodArguments()...),
		list("platforms", "Only these AI platforms; names are exact and lower case: openai, gemini, google, perplexity, google_ai_overviews, claude. Left out: all.",
			word(), []string{"openai", "perplexity"}),
		list("labelIds", "Only prompts with at least one of these labels, by id; get_prompts shows ids. Left out: all prompts.",
			&jsonschema.Schema{Type: "integer"}, []int{1}),
	)
}

func pageArguments(perPage int) []argument {
	page := number("page", "Page of rows, from 1. An answer with more rows says so.", 0)
	page.schema.Default = quoted(api.DefaultPage)
	size := number("perPage", fmt.Sprintf("Rows of a page, at most %d.", mostPerPage), mostPerPage)
	size.schema.Default = quoted(perPage)
	return []argument{page, size}
}
