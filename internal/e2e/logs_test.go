package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
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

// events is what the fixtures tell, counted by hand from combined.log: of twelve
// requests, three are dropped (a POST, a 301, a 500).
const events = `
day         bots humans referred ai-referred visitors pages
2024-02-29     0      1        1           1        1     0
2025-12-31     0      1        1           1        1     0
2026-03-02     2      4        2           2        4     2
2026-03-29     0      1        0           0        1     0`

// The same requests, told by every kind of log and as pageviews in every
// format, give the same answers, byte for byte.
func TestEveryFormatGivesTheSameAnswers(t *testing.T) {
	const dir = "../accesslog/testdata/"
	names := []string{"combined.log", "vhost-combined.log", "cloudfront.log", "iis.log", "caddy.ndjson", "cloudflare.ndjson",
		"vercel.ndjson", "netlify.ndjson", "traefik.ndjson", "nginx.ndjson", "fields.ndjson"}
	loads := make(map[string]func(s *system) (*ingest.Summary, error))
	for _, name := range names {
		loads[name] = func(s *system) (*ingest.Summary, error) {
			options := ingest.LogOptions{}
			if name == "combined.log" {
				options.Website = "w-acme"
			}
			if name == "fields.ndjson" {
				options.Format = fieldMap(t, dir+"fields.map.json")
			}
			return s.loadLog(read(t, dir+name), options)
		}
	}
	for name, text := range pageviewFormats(t, read(t, dir+"combined.log")) {
		names = append(names, name)
		loads[name] = func(s *system) (*ingest.Summary, error) { return s.load(ingest.Pageviews, text) }
	}
	want := make(map[string]string)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			s.must(s.apply([]byte(logWorkspace)))
			summary, err := loads[name](s)
			if err != nil {
				rejected, _ := os.ReadFile(summary.RejectFile)
				t.Fatalf("%v: %+v\n%s", err, summary, rejected)
			}
			got := s.trafficAnswers()
			if len(want) == 0 {
				maps.Copy(want, got)
			}
			for target, answer := range got {
				if answer != want[target] {
					t.Errorf("%s\nanswers %s\nwhile %s gives %s", target, answer, names[0], want[target])
				}
			}
			if got := s.trafficByDay(); got != events {
				t.Errorf("got %s\nwant %s", got, events)
			}
		})
	}
}

func fieldMap(t *testing.T, path string) accesslog.Format {
	t.Helper()
	format, err := accesslog.ParseFieldMap(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return format
}

const logWindow = "dateFrom=2024-01-01T00:00:00Z&dateTo=2026-12-31T23:59:59Z"

// trafficAnswers asks everything about visits.
func (s *system) trafficAnswers() map[string]string {
	s.t.Helper()
	answers := make(map[string]string)
	for _, metric := range []string{"bot_visits", "human_visits", "ai_referred_human_visits", "unique_human_visitors", "unique_pages", "bot_user_agents"} {
		for _, group := range []string{"", "&groupBy[]=platform", "&groupBy[]=botType&groupBy[]=urlPath"} {
			target := "/v1/products/101/analytics/timeseries?" + logWindow + "&metrics[]=" + metric + group
			answers[target] = s.ask(target)
		}
	}
	return answers
}

// trafficByDay asks for the totals that were counted by hand.
func (s *system) trafficByDay() string {
	s.t.Helper()
	var answer struct {
		Items []struct {
			Timestamp                                                                                            string
			BotVisits, HumanVisits, ReferredHumanVisits, AIReferredHumanVisits, UniqueHumanVisitors, UniquePages int
		}
	}
	body := s.ask("/v1/products/101/analytics/timeseries?" + logWindow + "&interval=day&metrics[]=bot_visits&metrics[]=human_visits" +
		"&metrics[]=referred_human_visits&metrics[]=ai_referred_human_visits&metrics[]=unique_human_visitors&metrics[]=unique_pages")
	s.must(json.Unmarshal([]byte(body), &answer))
	table := "\nday         bots humans referred ai-referred visitors pages"
	for _, i := range answer.Items {
		table += fmt.Sprintf("\n%s %5d %6d %8d %11d %8d %5d", i.Timestamp[:10], i.BotVisits, i.HumanVisits, i.ReferredHumanVisits,
			i.AIReferredHumanVisits, i.UniqueHumanVisitors, i.UniquePages)
	}
	return table
}

func (s *system) ask(target string) string {
	s.t.Helper()
	if s.acme == "" {
		key, err := s.key("acme")
		s.must(err)
		s.acme = key
	}
	status, _, body, err := s.Do("GET", target, s.acme)
	if err != nil || status != 200 {
		s.t.Fatalf("%s: %d %s %v", target, status, body, err)
	}
	return string(body)
}
