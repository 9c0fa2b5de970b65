package apidocs

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// page is what the template shows: everything in its order, nothing to decide.
type page struct {
	Title, Version string
	Summary        string
	Overview       []template.HTML
	Authentication []template.HTML
	Groups         []group
	Errors         []failure
	Headers        []field
	Schemas        []schemaView
	Style          template.CSS
}

type group struct {
	Name, About string
	Endpoints   []endpoint
}

type endpoint struct {
	ID, Summary, Path string
	About             []template.HTML
	Parameters        []field
	Curl              string
	Returns           template.HTML
	Schema            string // name of the answer's schema, if it has one
	SchemaText        string
	Examples          []example
	Exports           []example     // the answer in other types, by their names
	Failures          []string      // statuses
	Same              template.HTML // what is said of a 304
}

type example struct{ Name, JSON string }

// field is a row of a table: a parameter, a header or a property.
type field struct {
	Name, In, Type string
	Schema         string // name of the schema of its items
	Required       bool
	Default        string
	Allowed        []string
	About          template.HTML
}

type failure struct {
	Status, Title string
	About         template.HTML
	Headers       []string
	JSON          string
}

type schemaView struct {
	Name   string
	About  template.HTML
	Fields []field
	JSON   string
}

func (doc *document) view() (*page, error) {
	p := &page{
		Title: doc.Info.Title, Version: doc.Info.Version, Summary: doc.Info.Summary,
		Overview: paragraphs(doc.Info.Description),
	}
	for _, scheme := range doc.Components.SecuritySchemes.all {
		p.Authentication = append(p.Authentication, paragraphs(scheme.Description)...)
	}
	for _, t := range doc.Tags {
		g := group{Name: t.Name, About: t.Description}
		for path, item := range doc.Paths.all {
			if !slices.Contains(item.Get.Tags, t.Name) {
				continue
			}
			e, err := item.Get.view(path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			g.Endpoints = append(g.Endpoints, e)
		}
		p.Groups = append(p.Groups, g)
	}
	if err := doc.viewComponents(p); err != nil {
		return nil, err
	}
	return p, nil
}

func (op operation) view(path string) (endpoint, error) {
	e := endpoint{ID: op.OperationID, Summary: op.Summary, Path: path, About: paragraphs(op.Description), Curl: op.curl(path)}
	for _, param := range op.Parameters {
		row := param.Schema.field(param.Name, param.Required)
		row.In, row.About = param.In, inline(param.Description)
		e.Parameters = append(e.Parameters, row)
	}
	for status, r := range op.Responses.all {
		if status == "304" {
			e.Same = inline(r.Description)
			continue
		}
		if status != "200" {
			e.Failures = append(e.Failures, status)
			continue
		}
		e.Returns = inline(r.Description)
		for kind, m := range r.Content.all {
			if e.SchemaText != "" { // the first one is the default
				e.Exports = append(e.Exports, m.export(kind))
				continue
			}
			if err := e.answer(kind, m); err != nil {
				return e, err
			}
		}
	}
	return e, nil
}

// answer fills in the type and the examples of the body.
func (e *endpoint) answer(kind string, m media) (err error) {
	answer := m.Schema
	e.SchemaText = kind
	if kind == api.MediaJSON {
		e.SchemaText = itemName(answer)
	}
	if answer.Items != nil {
		answer = *answer.Items
	}
	if answer.Ref != "" {
		e.Schema = target(answer.Ref)
	}
	e.Examples, err = m.view()
	return err
}

// export is the answer in another type. Its example is text, if it has one.
func (m media) export(kind string) example {
	text, _ := m.Example.(string)
	return example{kind, text}
}

func (m media) view() (all []example, err error) {
	if m.Example != nil {
		text, err := prettyJSON(m.Example)
		return []example{{"Example", text}}, err
	}
	for _, named := range m.Examples.all {
		text, err := prettyJSON(named.Value)
		if err != nil {
			return nil, err
		}
		all = append(all, example{named.Summary, text})
	}
	return all, nil
}

func (s schema) field(name string, required bool) field {
	f := field{Name: name, Type: typeName(s), Required: required, About: inline(s.Description)}
	listed := s
	if s.Items != nil {
		listed = *s.Items
		f.Schema = target(s.Items.Ref)
	}
	for _, v := range listed.Enum {
		f.Allowed = append(f.Allowed, fmt.Sprint(v))
	}
	if s.Const != nil {
		f.Allowed = []string{fmt.Sprint(s.Const)}
	}
	if s.Default != nil {
		f.Default = strings.Trim(fmt.Sprint(s.Default), "[]")
	}
	return f
}

// curl writes a command that asks with the examples of the required
// parameters and of those with a list of values.
func (op operation) curl(path string) string {
	lines := []string{}
	for _, param := range op.Parameters {
		values, list := param.Example.([]any)
		if !list {
			values = []any{param.Example}
		}
		if param.In == "path" {
			path = strings.Replace(path, "{"+param.Name+"}", url.PathEscape(fmt.Sprint(param.Example)), 1)
			continue
		}
		closed := param.Schema.Enum != nil || param.Schema.Items != nil && param.Schema.Items.Enum != nil
		if !param.Required && !closed {
			continue
		}
		for _, v := range values {
			lines = append(lines, fmt.Sprintf("--data-urlencode '%s=%v'", param.Name, v))
		}
	}
	first := `curl -sS "$BASE` + path + `"`
	if len(lines) > 0 {
		first = `curl -sS -G "$BASE` + path + `"`
	}
	if op.Security == nil {
		lines = append([]string{`-H "Authorization: Bearer $KEY"`}, lines...)
	}
	return strings.Join(append([]string{first}, lines...), " \\\n  ")
}
