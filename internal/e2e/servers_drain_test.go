package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/ingest"
)

// What a log drain sends is received by nginx as the recipe says, and gives the
// same answers as a file of it.
func TestNginxReceivesLogDrains(t *testing.T) {
	for _, name := range []string{"vercel.ndjson", "netlify.ndjson"} {
		lines := recipe(t, name)
		for _, c := range []struct{ body, sent, file string }{
			{"lines", lines, lines},
			{"a list", "[" + strings.ReplaceAll(strings.TrimSpace(lines), "\n", ",") + "]", lines},
			{"a megabyte", strings.Repeat(lines, 1000), strings.Repeat(lines, 1000)}, // by default, nginx would not hold it in memory
		} {
			t.Run(name+" as "+c.body, func(t *testing.T) {
				if got, want := drained(t, drain(t, c.sent)), drained(t, []byte(c.file)); got != want {
					t.Errorf("the drain gives %s\nthe file gives  %s", got, want)
				}
			})
		}
	}
}

// drain posts a body to nginx. A wrong password, an empty body and one that is
// too large must leave no trace.
func drain(t *testing.T, body string) (log []byte) {
	t.Helper()
	inner := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	inHTTP := strings.ReplaceAll("access_log off;\n"+recipe(t, "drain-format.conf"), "127.0.0.1:8099", inner)
	inServer := strings.ReplaceAll(recipe(t, "drain-location.conf"), "127.0.0.1:8099", inner)
	w := nginx(inHTTP, inServer, "drain.log")
	w.prepare(t)
	stop := w.run(t)
	for _, c := range []struct{ password, body, answer string }{
		{"guessed", "{}", "HTTP/1.1 404 Not Found"},
		{"CHANGE-ME", "", "HTTP/1.1 204 No Content"},
		{"CHANGE-ME", strings.Repeat(" ", 11<<20), "HTTP/1.1 413 Request Entity Too Large"},
		{"CHANGE-ME", body, "HTTP/1.1 204 No Content"},
	} {
		text := fmt.Sprintf("POST /drain/%s HTTP/1.1\r\nHost: acme.com\r\nConnection: close\r\nContent-Length: %d\r\n\r\n", c.password, len(c.body))
		if answer := exchange(t, w, "", text+c.body); answer != c.answer {
			t.Errorf("%d bytes with the password %s are answered by %q, not by %q", len(c.body), c.password, answer, c.answer)
		}
	}
	stop()
	return read(t, filepath.Join(w.logs(), w.log))
}

// drained is what a log of March 2026 says, by platform.
func drained(t *testing.T, log []byte) string {
	t.Helper()
	s := start(t)
	s.must(s.apply([]byte(logWorkspace)))
	key, err := s.key("acme")
	s.must(err)
	summary, err := s.loadLog(log, ingest.LogOptions{})
	if err != nil || summary.RejectedLines() > 0 || summary.Accepted == 0 {
		t.Fatalf("%v: %+v", err, summary)
	}
	status, _, body, err := s.Do("GET", "/v1/products/101/analytics/timeseries?dateFrom=2026-03-01T00:00:00Z&dateTo=2026-03-31T00:00:00Z"+
		"&metrics[]=bot_visits&metrics[]=human_visits&metrics[]=ai_referred_human_visits&groupBy[]=platform&groupBy[]=urlPath", key)
	if err != nil || status != 200 {
		t.Fatalf("%d %s %v", status, body, err)
	}
	return string(body)
}
