package api_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestGuideCallsEveryRoute(t *testing.T) {
	guide := page(t, "api.md")
	var called []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(guide, -1) {
		command := strings.ReplaceAll(block[1], "\\\n", "")
		if !strings.HasPrefix(command, "curl ") || strings.Count(command, "\n") != 1 {
			t.Errorf("not one curl command: %s", block[1])
		}
		address := regexp.MustCompile(`"\$BASE([^"]*)"`).FindStringSubmatch(command)
		if address == nil {
			t.Errorf("no address: %s", command)
			continue
		}
		called = append(called, strings.Replace(address[1], "$PRODUCT", "{productId}", 1))
	}
	for _, route := range api.Routes {
		if !slices.Contains(called, route) {
			t.Errorf("%s is not called", route)
		}
	}
}

func TestGuideNamesEverything(t *testing.T) {
	guide := page(t, "api.md")
	names := []string{
		api.MessageBadRequest, api.MessageUnauthorized, api.MessageInternal, api.MessageNotFound,
		api.MessageMethodNotAllowed, api.MessageOverloaded, api.HeaderErrorDetail, api.HeaderRequestID,
	}
	names = append(names, api.MediaCSV, api.MediaNDJSON, api.MediaParquet)
	names = append(names, pageHeaders...)
	for _, route := range api.Routes {
		names = append(names, parameters[route]...)
	}
	names = append(names, texts(api.Metrics)...)
	names = append(names, texts(api.Dimensions)...)
	for _, name := range names {
		if !strings.Contains(guide, name) {
			t.Errorf("%s is not named", name)
		}
	}
}

func TestSemanticsHaveEveryPromiseInOrder(t *testing.T) {
	found := regexp.MustCompile(`(?m)^### (S\d+) · \S`).FindAllStringSubmatch(page(t, "semantics.md"), -1)
	var got, want []string
	for _, heading := range found {
		got = append(got, heading[1])
	}
	for n := range 27 {
		want = append(want, fmt.Sprintf("S%d", n+1))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
