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

// However many rows there are and wherever a page lies, it says how many: also
// where an engine cannot tell that beside the rows.
func TestEveryPageSaysHowManyRowsThereAre(t *testing.T) {
	const rows = 5_000
	for name, on := range map[string]func(t *testing.T) engine{
		"duckdb":     func(*testing.T) engine { return onDuckDB },
		"clickhouse": func(t *testing.T) engine { return onClickHouse(t, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			s := startOn(t, on(t))
			s.must(s.apply([]byte(logWorkspace)))
			key, err := s.key("acme")
			s.must(err)
			var lines bytes.Buffer
			for i := range rows {
				fmt.Fprintf(&lines, `{"at":"2026-03-02T09:00:00Z","websiteId":"w-acme","url":"/%d","userAgent":"curl/8.5.0"}`+"\n", i)
			}
			s.must(s.loadPart(ingest.Pageviews, lines.Bytes()))
			for _, c := range []struct{ page, perPage, items int }{
				{1, 20, 20}, {2, 20, 20}, {3, 1000, 1000}, {4, 1000, 1000}, {5, 1000, 1000}, {6, 1000, 0}, {2, 3000, 2000}, {1, 5000, 5000}, {1, 5001, 5000},
			} {
				status, _, body, err := s.Do("GET", fmt.Sprintf("/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z"+
					"&dateTo=2026-12-31T00:00:00Z&groupBy[]=urlPath&groupBy[]=botType&page=%d&perPage=%d", c.page, c.perPage), key)
				var answer api.TimeseriesResponse
				if err == nil && status == http.StatusOK {
					err = json.Unmarshal(body, &answer)
				}
				if err != nil || len(answer.Items) != c.items || answer.TotalItems != rows {
					t.Errorf("page %d of %d rows: %d, %v; %d items of %d", c.page, c.perPage, status, err, len(answer.Items), answer.TotalItems)
				}
			}
		})
	}
}
