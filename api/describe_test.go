package api_test

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

func TestExamplesOfParametersAreAccepted(t *testing.T) {
	decoders := map[string]func(string) error{
		api.RoutePrompts:       func(q string) error { _, err := api.DecodePrompts(q); return err },
		api.RoutePromptSummary: func(q string) error { _, err := api.DecodePrompts(q); return err },
		api.RoutePromptDates:   func(q string) error { _, err := api.DecodePrompts(q); return err },
		api.RouteCitations:     func(q string) error { _, err := api.DecodeCitations(q); return err },
		api.RouteTimeseries:    func(q string) error { _, err := api.DecodeTimeseries(q); return err },
	}
	for route, decode := range decoders {
		query := make(url.Values)
		for _, p := range document(t).Paths.Value(route).Get.Parameters {
			if p.Value.Example == nil {
				t.Errorf("%s: %s has no example", route, p.Value.Name)
			}
			validates(t, p.Value.Name, p.Value.Schema.Value, p.Value.Example)
			values, list := p.Value.Example.([]any)
			if !list {
				values = []any{p.Value.Example}
			}
			for _, v := range values {
				query.Add(p.Value.Name, fmt.Sprint(v))
			}
		}
		if err := decode(query.Encode()); err != nil {
			t.Errorf("%s?%s: %v", route, query.Encode(), err)
		}
	}
}

func TestExamplesOfHeadersAreRight(t *testing.T) {
	for name, h := range document(t).Components.Headers {
		if h.Value.Example == nil {
			t.Errorf("%s has no example", name)
		}
		validates(t, name, h.Value.Schema.Value, h.Value.Example)
	}
}

func TestEverythingIsDescribed(t *testing.T) {
	doc := document(t)
	describe := func(where, description string) {
		if description == "" {
			t.Errorf("%s has no description", where)
		}
	}
	for path, item := range doc.Paths.Map() {
		describe(path, item.Get.Description)
		describe(path+" in short", item.Get.Summary)
		for status, response := range item.Get.Responses.Map() {
			describe(path+" "+status, *response.Value.Description)
		}
	}
	for name, p := range doc.Components.Parameters {
		describe(name, p.Value.Description)
	}
	for name, h := range doc.Components.Headers {
		describe(name, h.Value.Description)
	}
	for name, schema := range doc.Components.Schemas {
		describe(name, schema.Value.Description)
		for field, property := range schema.Value.Properties {
			describe(name+"."+field, property.Value.Description)
		}
	}
	for _, tag := range doc.Tags {
		describe(tag.Name, tag.Description)
	}
}

func TestUnroutedAnswersAreNamed(t *testing.T) {
	var found int
	unrouted, _ := document(t).Extensions["x-unrouted"].(map[string]any)
	for status, name := range map[string]string{"404": "NotFound", "405": "MethodNotAllowed"} {
		ref, _ := unrouted[status].(map[string]any)
		if ref["$ref"] == "#/components/responses/"+name {
			found++
		}
	}
	if found != 2 || len(unrouted) != 2 {
		t.Errorf("x-unrouted is %v", unrouted)
	}
}
