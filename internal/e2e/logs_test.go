package e2e

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/sightline-hq/sightline/internal/accesslog"
	"github.com/sightline-hq/sightline/internal/ingest"
)

const logWorkspace = `
teams: [{id: acme, name: Acme}]
products:
  - id: 101
    team: acme
    name: Acme
    website: https://acme.com
    domain: acme.com
    websites: [{websiteId: w-acme, domain: acme.com}, {websiteId: w-shop, domain: shop.example}]
`

// The same requests, told by every kind of log, give the same answers.
func TestEveryLogFormatGivesTheSameAnswers(t *testing.T) {
	const dir = "../accesslog/testdata/"
	names := []string{"combined.log", "vhost-combined.log", "cloudfront.log", "iis.log", "caddy.ndjson", "cloudflare.ndjson",
		"vercel.ndjson", "netlify.ndjson", "traefik.ndjson", "nginx.ndjson", "fields.ndjson"}
	want := make(map[string]string)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			options := ingest.LogOptions{}
			if name == "combined.log" {
				options.Website = "w-acme"
			}
			if name == "fields.ndjson" {
				f, err := os.Open(dir + "fields.map.json")
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				if options.Format, err = accesslog.ParseFieldMap(f); err != nil {
					t.Fatal(err)
				}
			}
			got := answersOf(t, filepath.Join(dir, name), options)
			if len(want) == 0 {
				maps.Copy(want, got)
			}
			for target, answer := range got {
				if answer != want[target] {
					t.Errorf("%s\nanswers %s\nwhile %s gives %s", target, answer, names[0], want[target])
				}
			}
		})
	}
}

// answersOf loads a log and asks everything about visits.
func answersOf(t *testing.T, path string, options ingest.LogOptions) map[string]string {
	t.Helper()
	s := start(t)
	s.must(s.apply([]byte(logWorkspace)))
	key, err := s.key("acme")
	s.must(err)
	summary, err := s.loadLog(read(t, path), options)
	if err != nil {
		rejected, _ := os.ReadFile(summary.RejectFile)
		t.Fatalf("%v: %+v\n%s", err, summary, rejected)
	}
	t.Logf("%s: %+v", path, *summary)
	answers := make(map[string]string)
	for _, metric := range []string{"bot_visits", "human_visits", "ai_referred_human_visits", "unique_human_visitors", "unique_pages", "bot_user_agents"} {
		for _, group := range []string{"", "&groupBy[]=platform", "&groupBy[]=botType&groupBy[]=urlPath"} {
			target := "/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T00:00:00Z&metrics[]=" + metric + group
			status, _, body, err := s.Do("GET", target, key)
			if err != nil || status != 200 {
				t.Fatalf("%d %s %v", status, body, err)
			}
			answers[target] = string(body)
		}
	}
	return answers
}
