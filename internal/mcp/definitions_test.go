package mcp_test

import (
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sightline-hq/sightline/api"
)

const definitions = "sightline://definitions"

func (s *session) resource(uri string) string {
	s.Helper()
	got, err := s.ReadResource(s.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		s.Fatalf("%s: %v", uri, err)
	}
	if len(got.Contents) != 1 || got.Contents[0].URI != uri || got.Contents[0].MIMEType != "text/markdown" {
		s.Fatalf("%s: %+v", uri, got.Contents)
	}
	return got.Contents[0].Text
}

func TestEveryMetricAndDimensionIsDefined(t *testing.T) {
	s := connect(t, demoBase, agencyKey)
	whole := s.resource(definitions)
	known := []string{"visibility", "position", "rank", "runCount", "totalCompetitors", "citations", "isMentioned", "period"}
	expect := func(kind, name string) {
		text := s.resource(definitions + "/" + name)
		body, ok := strings.CutPrefix(text, "# "+name+" ("+kind+")\n\n")
		if !ok || len(body) < 20 || !strings.HasSuffix(body, ".\n") {
			t.Errorf("%s: %q", name, text)
		}
		if !strings.Contains(whole, "#"+text) {
			t.Errorf("%s is not among all definitions", name)
		}
	}
	for _, name := range known {
		expect("figure", name)
	}
	if text := s.resource(definitions + "/citations"); !strings.Contains(text, "one URL cited by one answer") || strings.Contains(text, "Number of answers") {
		t.Errorf("a citation is %s", text)
	}
	for _, name := range api.Metrics {
		expect("metric", string(name))
	}
	for _, name := range api.Dimensions {
		expect("dimension", string(name))
	}
	list, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	known = slices.Concat(known, names(api.Metrics), names(api.Dimensions), []string{"definitions"})
	for _, r := range list.Resources {
		if !slices.Contains(known, r.Name) || r.Description == "" || r.Size != int64(len(s.resource(r.URI))) {
			t.Errorf("resource %+v", r)
		}
	}
	if len(list.Resources) != len(known) {
		t.Errorf("%d resources, want %d", len(list.Resources), len(known))
	}
}

// Not every client shows resources to its model, so the tool says it as well.
func TestTheTrafficToolExplainsItsMetricsAndDimensions(t *testing.T) {
	for _, tool := range connect(t, demoBase, agencyKey).tools() {
		if tool.Name != "get_agent_traffic" {
			continue
		}
		in := schema(t, tool.InputSchema)
		for _, name := range api.Metrics {
			if !strings.Contains(in.Properties["metrics"].Description, string(name)+": ") {
				t.Errorf("%s is not explained", name)
			}
		}
		for _, name := range api.Dimensions {
			if !strings.Contains(in.Properties["groupBy"].Description, string(name)+": ") {
				t.Errorf("%s is not explained", name)
			}
		}
		return
	}
	t.Error("there is no get_agent_traffic")
}

func TestAnUnknownDefinitionIsAnError(t *testing.T) {
	if _, err := connect(t, demoBase, agencyKey).ReadResource(t.Context(), &sdk.ReadResourceParams{URI: definitions + "/clicks"}); err == nil {
		t.Error("no error")
	}
}

func TestTheReportPromptNamesOnlyToolsThatExist(t *testing.T) {
	s := connect(t, demoBase, agencyKey)
	prompt := func(a map[string]string) string {
		got, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "visibility_report", Arguments: a})
		if err != nil {
			t.Fatal(err)
		}
		return got.Messages[0].Content.(*sdk.TextContent).Text
	}
	text := prompt(map[string]string{"product": "Inkfern", "period": "March 2026"})
	if !strings.Contains(text, "AI visibility of Inkfern for March 2026,") {
		t.Error(text)
	}
	if text := prompt(nil); !strings.Contains(text, "my product") || !strings.Contains(text, "the last 30 days") || strings.Contains(text, "{") {
		t.Error(text)
	}
	var tools []string
	for _, tool := range s.tools() {
		tools = append(tools, tool.Name)
	}
	for _, word := range strings.FieldsFunc(text+s.InitializeResult().Instructions, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
		if (strings.HasPrefix(word, "get_") || strings.HasPrefix(word, "list_")) && !slices.Contains(tools, word) {
			t.Errorf("there is no tool %s", word)
		}
	}
}
