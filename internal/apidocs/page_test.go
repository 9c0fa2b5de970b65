package apidocs

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

func rendering(t *testing.T) string {
	t.Helper()
	page, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func parsed(t *testing.T) *document {
	t.Helper()
	doc, err := parse(api.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// section returns the part of a page between an id and the end of its element.
func section(t *testing.T, page, id, element string) string {
	t.Helper()
	start := strings.Index(page, `id="`+id+`"`)
	if start < 0 {
		t.Fatalf("nothing has the id %s", id)
	}
	end := strings.Index(page[start:], "</"+element+">")
	return page[start : start+end]
}

func TestPageHasEveryRouteWithItsParameters(t *testing.T) {
	page, doc := rendering(t), parsed(t)
	for _, route := range append([]string{"/openapi.yaml", "/docs"}, api.Routes...) {
		op := doc.Paths.values[route].Get
		if op.OperationID == "" {
			t.Fatalf("%s is not in the document", route)
		}
		shown := section(t, page, op.OperationID, "article")
		wants := []string{"<code>" + route + "</code>", "curl "}
		for _, p := range op.Parameters {
			wants = append(wants, `<code class="name">`+p.Name+"</code>")
		}
		for _, status := range op.Responses.keys {
			wants = append(wants, ">"+status+"<")
		}
		for _, want := range wants {
			if !strings.Contains(shown, want) {
				t.Errorf("%s does not show %s", route, want)
			}
		}
	}
}

func TestPageHasEveryExport(t *testing.T) {
	page, doc := rendering(t), parsed(t)
	for _, route := range api.Routes {
		shown := html.UnescapeString(section(t, page, doc.Paths.values[route].Get.OperationID, "article"))
		for _, kind := range []string{api.MediaCSV, api.MediaNDJSON, api.MediaParquet} {
			m, ok := doc.Paths.values[route].Get.Responses.values["200"].Content.values[kind]
			if text, _ := m.Example.(string); !ok || !strings.Contains(shown, "<code>"+kind+"</code>") || !strings.Contains(shown, text) {
				t.Errorf("%s does not show %s", route, kind)
			}
		}
	}
}

func TestPageHasEverySchemaField(t *testing.T) {
	page, doc := rendering(t), parsed(t)
	if n := len(doc.Components.Schemas.keys); n < 15 {
		t.Fatalf("%d schemas", n)
	}
	for name, s := range doc.Components.Schemas.all {
		shown := section(t, page, name, "article")
		for _, field := range s.Properties.keys {
			if !strings.Contains(shown, `<code class="name">`+field+"</code>") {
				t.Errorf("%s does not show %s", name, field)
			}
		}
	}
}

func TestPageHasEveryAllowedValue(t *testing.T) {
	shown := section(t, rendering(t), "getTimeseries", "article")
	var values []string
	for _, m := range api.Metrics {
		values = append(values, string(m))
	}
	for _, d := range api.Dimensions {
		values = append(values, string(d))
	}
	for _, v := range append(values, "day", "week") {
		if !strings.Contains(shown, "<code>"+v+"</code>") {
			t.Errorf("%s is not shown", v)
		}
	}
	for _, v := range []string{"bot_visits", "day", "1", "20"} {
		if !strings.Contains(shown, "Default: <code>"+v+"</code>") {
			t.Errorf("the default %s is not shown", v)
		}
	}
}

func TestPageHasEveryError(t *testing.T) {
	page := rendering(t)
	for status, message := range map[string]string{
		"400": api.MessageBadRequest, "401": api.MessageUnauthorized, "404": api.MessageNotFound,
		"405": api.MessageMethodNotAllowed, "500": api.MessageInternal, "503": api.MessageOverloaded,
	} {
		if shown := html.UnescapeString(section(t, page, "error-"+status, "article")); !strings.Contains(shown, `{"message": "`+message+`"}`) {
			t.Errorf("%s does not show its message", status)
		}
	}
	headers := section(t, page, "headers", "section")
	for _, name := range []string{api.HeaderRequestID, api.HeaderErrorDetail, "Cache-Control", "Vary", "Retry-After", "WWW-Authenticate", "Allow",
		"Content-Disposition", api.HeaderNextPage, api.HeaderTotalItems} {
		if !strings.Contains(headers, name) {
			t.Errorf("%s is not among the headers", name)
		}
	}
}

func TestPageNeedsNothingElse(t *testing.T) {
	page := rendering(t)
	for _, bad := range []string{"<script", "javascript:", " on", "<img", "<link", "@import", "url(", "src="} {
		for _, tag := range regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(page, -1) {
			if strings.Contains(tag, bad) {
				t.Errorf("%s in %s", bad, tag)
			}
		}
		if strings.Contains(style, bad) && bad != " on" {
			t.Errorf("%s in the style", bad)
		}
	}
	for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if target := link[1]; target != "/openapi.yaml" && !strings.Contains(page, `id="`+strings.TrimPrefix(target, "#")+`"`) {
			t.Errorf("a link leads to %s, which is not on the page", target)
		}
	}
}

func TestPageIsBalanced(t *testing.T) {
	page := rendering(t)
	if !strings.HasPrefix(page, "<!doctype html>") {
		t.Errorf("it begins with %.40q", page)
	}
	void := []string{"meta", "br", "hr"}
	var open []string
	for _, tag := range regexp.MustCompile(`<(/?)([a-z0-9]+)[^>]*>`).FindAllStringSubmatch(page, -1) {
		name := tag[2]
		switch {
		case slices.Contains(void, name):
		case tag[1] == "":
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			t.Fatalf("</%s> closes %v", name, open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%v stay open", open)
	}
	ids := make(map[string]bool)
	for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if ids[id[1]] {
			t.Errorf("the id %s occurs twice", id[1])
		}
		ids[id[1]] = true
	}
	if len(ids) < 30 {
		t.Errorf("%d ids", len(ids))
	}
}

func TestBrokenDocumentIsAnError(t *testing.T) {
	if _, err := render([]byte("paths: [")); err == nil || !strings.Contains(err.Error(), "read the OpenAPI document") {
		t.Errorf("got %v", err)
	}
}
