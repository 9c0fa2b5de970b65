package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/sightline-hq/sightline/internal/ingest"
)

// evil are texts that would change a statement if they got into one unquoted.
var evil = []string{
	"'", "''", `\`, `\'`, `\\'`, "' or '1' = '1", `\' or 1 = 1 -- `, "'; drop table visits; --", "') or 1 = 1 or ('", "?", "??", "? '?' ?",
	"$1", "{x:String}", "`", "\"", "/*", "*/", "--", "#", "\n", "\t", "\x01", "%s %d", "\\x27 or 1 = 1", "\\0", "ünïcödé", "\u2028", "%27", "；", "’", "union all select",
}

// pageOf is a page with a text in its path.
func pageOf(i int, text string) string { return fmt.Sprintf("/p%d-%s", i, url.PathEscape(text)) }

// Whatever a caller sends, it is looked for, found where it is, and does nothing
// else, on every engine.
func TestNoTextOfACallerBecomesSQL(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := startOn(t, e)
		s.must(s.apply([]byte(logWorkspace)))
		key, err := s.key("acme")
		s.must(err)
		var lines bytes.Buffer
		for i, text := range evil {
			line, err := json.Marshal(map[string]any{
				"at": "2026-03-02T09:00:00Z", "websiteId": "w-acme", "url": pageOf(i, text), "userAgent": "curl/8.5.0 " + text,
			})
			s.must(err)
			lines.Write(append(line, '\n'))
		}
		summary, err := s.load(ingest.Pageviews, lines.Bytes())
		s.must(err)
		accepted := summary.Accepted
		ask := func(parameter, value string) (total int64) {
			status, _, body, err := s.Do("GET", "/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T00:00:00Z"+
				"&groupBy[]=urlPath&metrics[]=bot_visits&metrics[]=bot_user_agents&"+url.QueryEscape(parameter)+"="+url.QueryEscape(value), key)
			s.must(err)
			var answer struct{ TotalItems int64 }
			if status != http.StatusOK || json.Unmarshal(body, &answer) != nil {
				t.Errorf("%s=%q: %d %s", parameter, value, status, body)
			}
			return answer.TotalItems
		}
		for i, text := range evil {
			if n := ask("urlPath", pageOf(i, text)); n != 1 {
				t.Errorf("the page of %q is found %d times", text, n)
			}
			for _, parameter := range []string{"platforms[]", "botTypes[]", "urlPath", "websiteId"} {
				if n := ask(parameter, text); n != 0 {
					t.Errorf("%s=%q finds %d rows", parameter, text, n)
				}
			}
		}
		if n := ask("page", "1"); n != accepted || n != int64(len(evil)) {
			t.Errorf("%d rows are left of %d", n, accepted)
		}
	})
}
