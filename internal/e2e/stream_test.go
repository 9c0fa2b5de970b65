package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/ingest"
)

// A page that is large enough to be streamed is what the small pages add up to,
// byte for byte as if it had been encoded whole.
func TestLargePagesAreStreamedWhole(t *testing.T) {
	const rows = 12_000
	s := start(t)
	s.must(s.apply([]byte(logWorkspace)))
	key, err := s.key("acme")
	s.must(err)
	var lines bytes.Buffer
	for i := range rows {
		fmt.Fprintf(&lines, `{"at":"2026-03-02T09:00:00Z","websiteId":"w-acme","url":"/<page>&%d","userAgent":"curl/8.5.0"}`+"\n", i)
	}
	s.must(s.loadPart(ingest.Pageviews, lines.Bytes()))
	ask := func(method string, page, perPage int) (body []byte, header http.Header) {
		status, header, body, err := s.Do(method, fmt.Sprintf("/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z"+
			"&dateTo=2026-12-31T00:00:00Z&groupBy[]=urlPath&page=%d&perPage=%d", page, perPage), key)
		if err != nil || status != http.StatusOK {
			t.Fatalf("%d %v", status, err)
		}
		return body, header
	}
	whole, header := ask("GET", 1, 1_000_000)
	if header.Get("Content-Length") != "" {
		t.Error("the page was not streamed")
	}
	var answer api.TimeseriesResponse
	s.must(json.Unmarshal(whole, &answer))
	var again bytes.Buffer
	encoder := json.NewEncoder(&again)
	encoder.SetEscapeHTML(false)
	s.must(encoder.Encode(answer))
	if !bytes.Equal(again.Bytes(), whole) {
		t.Error("the streamed bytes are not those of the encoder")
	}
	var pieces []api.TimeseriesItem
	for page := 1; page <= 3; page++ {
		piece, _ := ask("GET", page, 4000)
		var part api.TimeseriesResponse
		s.must(json.Unmarshal(piece, &part))
		pieces = append(pieces, part.Items...)
	}
	if got, want := jsonOf(t, answer.Items), jsonOf(t, pieces); got != want || len(answer.Items) != rows {
		t.Errorf("%d items in one page, %d in pieces, or not the same ones", len(answer.Items), len(pieces))
	}
	if body, _ := ask("HEAD", 1, 1_000_000); len(body) > 0 {
		t.Error("HEAD has a body")
	}
	half := lines.Bytes()[:bytes.LastIndexByte(lines.Bytes()[:lines.Len()/2], '\n')+1]
	s.must(s.loadPart(ingest.Pageviews, half)) // the set that was streamed from can be let go
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
