package apidocs

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// document is as much of an OpenAPI document as the page shows.
type document struct {
	Info struct {
		Title, Version, Summary, Description string
	}
	Tags       []tag
	Paths      ordered[struct{ Get operation }]
	Components struct {
		SecuritySchemes ordered[struct{ Description string }] `yaml:"securitySchemes"`
		Parameters      map[string]parameter
		Headers         map[string]header
		Responses       ordered[response]
		Schemas         ordered[schema]
	}
}

type tag struct{ Name, Description string }

type operation struct {
	OperationID string `yaml:"operationId"`
	Tags        []string
	Summary     string
	Description string
	Parameters  []parameter
	Responses   ordered[response]
	Security    *[]any
}

type parameter struct {
	Ref         string `yaml:"$ref"`
	Name, In    string
	Required    bool
	Description string
	Schema      schema
	Example     any
}

type header struct {
	Ref         string `yaml:"$ref"`
	Description string
	Schema      schema
	Example     any
}

type response struct {
	Ref         string `yaml:"$ref"`
	Description string
	Headers     ordered[header]
	Content     ordered[media]
}

type media struct {
	Schema   schema
	Example  any
	Examples ordered[struct {
		Summary string
		Value   any
	}]
}

type schema struct {
	Ref         string `yaml:"$ref"`
	Type        any
	Format      string
	Description string
	Enum        []any
	Const       any
	Default     any
	Minimum     any
	Maximum     any
	Items       *schema
	Properties  ordered[schema]
	Required    []string
	Examples    []any
}

// ordered is a map that remembers the order of the document.
type ordered[T any] struct {
	keys   []string
	values map[string]T
}

func (o *ordered[T]) UnmarshalYAML(unmarshal func(any) error) error {
	var items yaml.MapSlice
	if err := unmarshal(&items); err != nil {
		return err
	}
	for _, item := range items {
		o.keys = append(o.keys, fmt.Sprint(item.Key))
	}
	return unmarshal(&o.values)
}

// all yields the entries in the order of the document.
func (o ordered[T]) all(yield func(string, T) bool) {
	for _, key := range o.keys {
		if !yield(key, o.values[key]) {
			return
		}
	}
}

// parse reads a document and puts what is referred to in the place of references.
func parse(source []byte) (*document, error) {
	var doc document
	if err := yaml.UnmarshalWithOptions(source, &doc, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	for _, item := range doc.Paths.values {
		for i, p := range item.Get.Parameters {
			if p.Ref != "" {
				item.Get.Parameters[i] = doc.Components.Parameters[target(p.Ref)]
			}
		}
		for status, r := range item.Get.Responses.values {
			if r.Ref != "" {
				r = doc.Components.Responses.values[target(r.Ref)]
				item.Get.Responses.values[status] = r
			}
			doc.resolveHeaders(r)
		}
	}
	for _, r := range doc.Components.Responses.values {
		doc.resolveHeaders(r)
	}
	return &doc, nil
}

func (doc *document) resolveHeaders(r response) {
	for name, h := range r.Headers.values {
		if h.Ref != "" {
			r.Headers.values[name] = doc.Components.Headers[target(h.Ref)]
		}
	}
}

// target returns the last part of a reference.
func target(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }
