package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

func TestARowWithoutEndIsCut(t *testing.T) {
	long := strings.Repeat("ä", 100_000)
	many := make([]api.CitationProduct, 5000)
	for i := range many {
		many[i] = api.CitationProduct{Name: long[:2000], Domain: "a.example"}
	}
	page := api.CitationByPage{Domain: "a.example", URL: "https://a.example/" + long, Products: many, Count: 7}
	kept, left := short([]api.CitationByPage{page, {URL: "https://b.example/"}}, mostBytes)
	text, err := json.Marshal(kept[0])
	if err != nil || len(text) > mostBytes || kept[0].Count != 7 || kept[0].Domain != "a.example" || len(kept)+int(left) != 2 {
		t.Errorf("%d bytes, %d rows and %d more: %v", len(text), len(kept), left, err)
	}
	if !strings.HasPrefix(kept[0].URL, "https://a.example/ää") || !strings.HasSuffix(kept[0].URL, "ä…") {
		t.Errorf("the URL is %.60s", kept[0].URL)
	}
	if len(page.Products) != 5000 || len(page.URL) < 200_000 {
		t.Error("the answer of the client was changed")
	}
	item := api.TimeseriesItem{URLPath: &long}
	if cut := fitting(item, mostBytes); len(*cut.URLPath) > mostBytes || len(long) != 200_000 {
		t.Errorf("a path of %d bytes", len(*cut.URLPath))
	}
	small := api.PromptMetric{PromptText: "best rocket", Labels: []api.PromptLabel{{ID: 1, Name: "brand"}}}
	if same := fitting(small, mostBytes); same.PromptText != small.PromptText || len(same.Labels) != 1 {
		t.Errorf("a small row became %+v", same)
	}
}

func TestCellsTurnNothingRound(t *testing.T) {
	if got := cell("a\u202eb\u2066c\u200fd\u061ce"); got != "abcde" {
		t.Errorf("%q", got)
	}
}
