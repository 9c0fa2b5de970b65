package api_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sightline-hq/sightline/api"
)

// schemas are the answer types by the names that the contract gives them.
var schemas = map[string]any{
	"Product":                     api.Product{},
	"PartnerWebsite":              api.Website{},
	"Website":                     api.Website{},
	"PromptLabel":                 api.PromptLabel{},
	"PromptMetric":                api.PromptMetric{},
	"PromptSummary":               api.PromptSummary{},
	"DailyPromptMetric":           api.DailyPromptMetric{},
	"CitationProduct":             api.CitationProduct{},
	"CitationByProperty":          api.CitationByProperty{},
	"CitationByPage":              api.CitationByPage{},
	"CitationByProduct":           api.CitationByProduct{},
	"CitationResponse":            api.CitationResponse{},
	"CitationRow":                 api.CitationRow{},
	"AnalyticsTimeseriesItem":     api.TimeseriesItem{},
	"AnalyticsTimeseriesResponse": api.TimeseriesResponse{},
	"ErrorResponse":               api.ErrorResponse{},
}

func TestSchemasAreTheGoTypes(t *testing.T) {
	doc := document(t)
	got := slices.Sorted(maps.Keys(doc.Components.Schemas))
	if want := slices.Sorted(maps.Keys(schemas)); !slices.Equal(got, want) {
		t.Fatalf("schemas\n got %q\nwant %q", got, want)
	}
	for name, value := range schemas {
		t.Run(name, func(t *testing.T) {
			schema := doc.Components.Schemas[name].Value
			if forbidden := schema.AdditionalProperties.Has; forbidden == nil || *forbidden {
				t.Error("further properties must be forbidden")
			}
			var fields, required []string
			for field := range reflect.TypeOf(value).Fields() {
				tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
				fields = append(fields, tag)
				if options == "" {
					required = append(required, tag)
				}
				checkProperty(t, schema.Properties[tag], field.Type, options != "")
			}
			slices.Sort(fields)
			if got := slices.Sorted(maps.Keys(schema.Properties)); !slices.Equal(got, fields) {
				t.Errorf("properties %q, the Go type has %q", got, fields)
			}
			if !slices.Equal(schema.Required, required) {
				t.Errorf("required %q, in the Go type %q", schema.Required, required)
			}
		})
	}
}

// checkProperty compares a property's JSON type with a field's Go type. A
// pointer is a null, but where it is the mark of an absent field.
func checkProperty(t *testing.T, property *openapi3.SchemaRef, field reflect.Type, optional bool) {
	t.Helper()
	if property == nil {
		return
	}
	var want []string
	pointer := field.Kind() == reflect.Pointer
	if pointer {
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.Slice:
		want = []string{"array"}
		element := "#/components/schemas/" + strings.Replace(field.Elem().Name(), "TimeseriesItem", "AnalyticsTimeseriesItem", 1)
		if ref := property.Value.Items.Ref; strings.Replace(ref, "PartnerWebsite", "Website", 1) != element {
			t.Errorf("items are %s, in the Go type %s", ref, element)
		}
	default:
		want = []string{map[reflect.Kind]string{
			reflect.Int64: "integer", reflect.Float64: "number", reflect.String: "string", reflect.Bool: "boolean",
		}[field.Kind()]}
	}
	if pointer && !optional {
		want = append(want, "null")
	}
	if got := property.Value.Type.Slice(); !slices.Equal(got, want) {
		t.Errorf("type %q, in the Go type %q", got, want)
	}
	if field.Kind() == reflect.Int64 && property.Value.Format != "int64" {
		t.Errorf("format %q", property.Value.Format)
	}
}

func TestExamplesOfSchemasAreGoValues(t *testing.T) {
	for name, value := range schemas {
		schema := document(t).Components.Schemas[name].Value
		if len(schema.Examples) == 0 {
			t.Errorf("%s has no example", name)
		}
		for _, example := range schema.Examples {
			validates(t, name, schema, example)
			readsAs(t, name, example, reflect.TypeOf(value))
		}
	}
}

func TestExamplesOfAnswersAreGoValues(t *testing.T) {
	answers := map[string]any{
		api.RouteProducts: []api.Product{}, api.RouteWebsites: []api.Website{}, api.RoutePrompts: []api.PromptMetric{},
		api.RoutePromptSummary: api.PromptSummary{}, api.RoutePromptDates: []api.DailyPromptMetric{},
		api.RouteCitations: api.CitationResponse{}, api.RouteTimeseries: api.TimeseriesResponse{},
	}
	for _, route := range api.Routes {
		for status, response := range document(t).Paths.Value(route).Get.Responses.Map() {
			kind := reflect.TypeFor[api.ErrorResponse]()
			if status == "200" {
				kind = reflect.TypeOf(answers[route])
			}
			media := response.Value.Content.Get("application/json")
			if status == "304" {
				if media != nil {
					t.Errorf("%s: a 304 has no body", route)
				}
				continue
			}
			found := examples(media.Example, media.Examples)
			if len(found) == 0 {
				t.Errorf("%s %s has no example", route, status)
			}
			for _, example := range found {
				validates(t, route, media.Schema.Value, example)
				readsAs(t, route, example, kind)
			}
		}
	}
}

func examples(one any, named openapi3.Examples) (all []any) {
	if one != nil {
		all = append(all, one)
	}
	for _, example := range named {
		all = append(all, example.Value.Value)
	}
	return all
}

func validates(t *testing.T, where string, schema *openapi3.Schema, value any) {
	t.Helper()
	if err := schema.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.VisitAsResponse()); err != nil {
		t.Errorf("example of %s: %v", where, err)
	}
}

// readsAs makes sure that nothing of an example is lost in a Go type.
func readsAs(t *testing.T, where string, example any, kind reflect.Type) {
	t.Helper()
	written, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	value := reflect.New(kind)
	decoder := json.NewDecoder(bytes.NewReader(written))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value.Interface()); err != nil {
		t.Fatalf("example of %s: %v", where, err)
	}
	again, err := json.Marshal(value.Interface())
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if json.Unmarshal(written, &want) != nil || json.Unmarshal(again, &got) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("example of %s\nis        %s\nreads as %s", where, written, again)
	}
}
