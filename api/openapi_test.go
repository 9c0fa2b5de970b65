package api_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sightline-hq/sightline/api"
)

func document(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

var loaded = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(api.OpenAPI) })

func TestDocumentIsValidOpenAPI31(t *testing.T) {
	doc := document(t)
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") {
		t.Errorf("version %s", doc.OpenAPI)
	}
	if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	if url := doc.Servers[0].URL; url != "/" {
		t.Errorf("server %s: the document must be right on any host", url)
	}
}

func TestDocumentHasTheRoutes(t *testing.T) {
	paths := slices.Sorted(maps.Keys(document(t).Paths.Map()))
	want := slices.Sorted(slices.Values(append([]string{"/docs", "/openapi.yaml"}, api.Routes...)))
	if !slices.Equal(paths, want) {
		t.Errorf("paths\n got %q\nwant %q", paths, want)
	}
	for path, item := range document(t).Paths.Map() {
		if len(item.Operations()) != 1 || item.Get == nil {
			t.Errorf("%s: only GET is documented", path)
		}
	}
}

// parameters are the query parameters of each route, in the order of the contract.
var parameters = map[string][]string{
	api.RouteProducts:      nil,
	api.RouteWebsites:      nil,
	api.RoutePrompts:       promptParameters,
	api.RoutePromptSummary: promptParameters,
	api.RoutePromptDates:   promptParameters,
	api.RouteCitations:     append(slices.Clip(promptParameters), api.ParamGroupBy),
	api.RouteTimeseries: {
		api.ParamDateFrom, api.ParamDateTo, api.ParamWebsiteID, api.ParamInterval, api.ParamMetrics, api.ParamGroupBys,
		api.ParamPlatforms, api.ParamBotTypes, api.ParamURLPath, api.ParamPage, api.ParamPerPage, api.ParamTopLimit,
	},
}

var promptParameters = []string{api.ParamDomain, api.ParamDateFrom, api.ParamDateTo, api.ParamPlatforms, api.ParamLabelIDs}

func TestRoutesHaveTheirParameters(t *testing.T) {
	required := []string{api.ParamDomain, api.ParamDateFrom, api.ParamDateTo, "productId"}
	for _, route := range api.Routes {
		want := slices.Clone(parameters[route])
		if route != api.RouteProducts {
			want = append([]string{"productId"}, want...)
		}
		var got []string
		for _, p := range document(t).Paths.Value(route).Get.Parameters {
			got = append(got, p.Value.Name)
			if p.Value.Required != slices.Contains(required, p.Value.Name) {
				t.Errorf("%s: %s: required %v", route, p.Value.Name, p.Value.Required)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: parameters\n got %q\nwant %q", route, got, want)
		}
	}
}

func TestListParametersAreRepeated(t *testing.T) {
	for name, p := range document(t).Components.Parameters {
		list := strings.HasSuffix(p.Value.Name, "[]")
		if list != p.Value.Schema.Value.Type.Is("array") {
			t.Errorf("%s: name %s and type %v", name, p.Value.Name, p.Value.Schema.Value.Type)
		}
		if list && (p.Value.Style != "form" || p.Value.Explode == nil || !*p.Value.Explode) {
			t.Errorf("%s: style %s, explode %v", name, p.Value.Style, p.Value.Explode)
		}
	}
}

func TestListsOfValuesAreThoseOfTheCode(t *testing.T) {
	params := document(t).Components.Parameters
	groupings := texts(api.CitationGroupings)
	for _, g := range api.CitationGroupings {
		for alias, meant := range api.CitationGroupingAliases {
			if meant == g {
				groupings = append(groupings, alias)
			}
		}
	}
	cases := []struct {
		parameter   string
		allowed     []string
		absent      any // the default
		minimum     *float64
		isArrayItem bool
	}{
		{"Metrics", texts(api.Metrics), []any{string(api.Metrics[0])}, nil, true},
		{"Dimensions", texts(api.Dimensions), nil, nil, true},
		{"Interval", texts(api.Intervals), string(api.Intervals[0]), nil, false},
		{"CitationGroupBy", groupings, string(api.CitationGroupings[0]), nil, false},
		{"Page", nil, float64(api.DefaultPage), openapi3.Ptr(1.0), false},
		{"PerPage", nil, float64(api.DefaultPerPage), openapi3.Ptr(1.0), false},
		{"TopLimit", nil, nil, openapi3.Ptr(1.0), false},
	}
	for _, c := range cases {
		t.Run(c.parameter, func(t *testing.T) {
			schema := params[c.parameter].Value.Schema.Value
			listed := schema
			if c.isArrayItem {
				listed = schema.Items.Value
			}
			if got := texts(listed.Enum); !slices.Equal(got, c.allowed) {
				t.Errorf("allowed values %q, want %q", got, c.allowed)
			}
			if fmt.Sprint(schema.Default) != fmt.Sprint(c.absent) {
				t.Errorf("default %v, want %v", schema.Default, c.absent)
			}
			if (schema.Min == nil) != (c.minimum == nil) || c.minimum != nil && *schema.Min != *c.minimum {
				t.Errorf("minimum %v", schema.Min)
			}
		})
	}
}

func TestOnlyTheseParametersHaveLists(t *testing.T) {
	var listed []string
	for name, p := range document(t).Components.Parameters {
		schema := p.Value.Schema.Value
		if len(schema.Enum) > 0 || schema.Items != nil && len(schema.Items.Value.Enum) > 0 || schema.Default != nil {
			listed = append(listed, name)
		}
	}
	slices.Sort(listed)
	if want := []string{"CitationGroupBy", "Dimensions", "Interval", "Metrics", "Page", "PerPage"}; !slices.Equal(listed, want) {
		t.Errorf("lists or defaults at %q, want %q", listed, want)
	}
}

func TestStatusesAndMessages(t *testing.T) {
	doc := document(t)
	messages := map[int]string{
		400: api.MessageBadRequest, 401: api.MessageUnauthorized, 404: api.MessageNotFound,
		405: api.MessageMethodNotAllowed, 500: api.MessageInternal, 503: api.MessageOverloaded,
	}
	for _, route := range api.Routes {
		want := []string{"200", "304", "400", "401", "500", "503"}
		if len(parameters[route]) == 0 {
			want = []string{"200", "304", "401", "500", "503"}
		}
		responses := doc.Paths.Value(route).Get.Responses
		if got := slices.Sorted(maps.Keys(responses.Map())); !slices.Equal(got, want) {
			t.Errorf("%s: statuses %q, want %q", route, got, want)
		}
		for _, status := range want[2:] {
			code, _ := strconv.Atoi(status)
			if got := message(responses.Value(status).Value); got != messages[code] {
				t.Errorf("%s: %s says %q, want %q", route, status, got, messages[code])
			}
		}
	}
	for status, name := range map[int]string{404: "NotFound", 405: "MethodNotAllowed"} {
		if got := message(doc.Components.Responses[name].Value); got != messages[status] {
			t.Errorf("%s says %q, want %q", name, got, messages[status])
		}
	}
}

// message returns the fixed message of an error response.
func message(r *openapi3.Response) any {
	parts := r.Content.Get("application/json").Schema.Value.AllOf
	return parts[1].Value.Properties["message"].Value.Const
}

func TestResponsesHaveTheirHeaders(t *testing.T) {
	doc := document(t)
	common := []string{api.HeaderRequestID, "Cache-Control", "Vary"}
	further := map[string][]string{
		"200": {"ETag", "Content-Disposition"}, "304": append([]string{"ETag"}, pageHeaders...),
		"400": {api.HeaderErrorDetail}, "401": {"WWW-Authenticate"}, "503": {"Retry-After"},
	}
	for _, route := range api.Routes {
		for status, response := range doc.Paths.Value(route).Get.Responses.Map() {
			want := append(slices.Clone(common), further[status]...)
			if route == api.RouteTimeseries && status == "200" {
				want = append(want, pageHeaders...)
			}
			checkHeaders(t, route+" "+status, response.Value, want)
		}
	}
	checkHeaders(t, "404", doc.Components.Responses["NotFound"].Value, common)
	checkHeaders(t, "405", doc.Components.Responses["MethodNotAllowed"].Value, append(common, "Allow"))
	for _, path := range []string{"/docs", "/openapi.yaml"} {
		get := doc.Paths.Value(path).Get
		checkHeaders(t, path, get.Responses.Status(http.StatusOK).Value, []string{api.HeaderRequestID})
		if get.Security == nil || len(*get.Security) != 0 {
			t.Errorf("%s needs no key", path)
		}
	}
}

// pageHeaders are those of exports of a page.
var pageHeaders = []string{
	api.HeaderPreviousPage, api.HeaderCurrentPage, api.HeaderNextPage, api.HeaderTotalPages, api.HeaderTotalItems, api.HeaderPerPage,
}

func TestEveryReportCanBeExported(t *testing.T) {
	want := slices.Sorted(slices.Values([]string{api.MediaJSON, api.MediaCSV, api.MediaNDJSON, api.MediaParquet}))
	for _, route := range api.Routes {
		for status, response := range document(t).Paths.Value(route).Get.Responses.Map() {
			got := slices.Sorted(maps.Keys(response.Value.Content))
			if status == "200" && !slices.Equal(got, want) || status != "200" && len(got) > 1 {
				t.Errorf("%s %s: %q", route, status, got)
			}
		}
	}
}

func checkHeaders(t *testing.T, where string, r *openapi3.Response, want []string) {
	t.Helper()
	got := slices.Sorted(maps.Keys(r.Headers))
	if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		t.Errorf("%s: headers %q, want %q", where, got, want)
	}
	for name, h := range r.Headers {
		// Large pages have no tag, and JSON has none of what exports have.
		sometimes := name == "ETag" || name == "Content-Disposition" || slices.Contains(pageHeaders, name)
		if h.Value.Required == sometimes {
			t.Errorf("%s: %s: required %v", where, name, h.Value.Required)
		}
	}
}

func texts[T any](values []T) (all []string) {
	for _, v := range values {
		all = append(all, fmt.Sprint(v))
	}
	return all
}
