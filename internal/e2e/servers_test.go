package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/accesslog"
	"github.com/sightline-hq/sightline/internal/ingest"
)

// Real web servers, configured as the recipes say, serve the same requests: the
// logs tell of them truly, and give the same answers, counted by hand.
func TestLogsOfRealServers(t *testing.T) {
	for _, c := range []struct {
		name    string
		server  *webServer
		format  string
		website string // named where the log has no hosts
	}{
		{"nginx combined", nginx("access_log off;", recipe(t, "nginx-combined.conf"), "acme.com.access.log"), "combined", "w-acme"},
		{"nginx JSON", nginx(recipe(t, "nginx-json.conf"), "", "sightline.log"), "nginx-json", ""},
		{"Apache combined", apache("", recipe(t, "apache-combined.conf"), "acme.com.access.log"), "combined", "w-acme"},
		{"Apache vhost_combined", apache(recipe(t, "apache-vhost.conf"), "", "sightline.log"), "vhost-combined", ""},
		{"Caddy", caddy(recipe(t, "caddy-log.conf"), "acme.com.log"), "caddy", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.server
			w.prepare(t)
			publish(t, w.root())
			stop := w.run(t)
			avoidEndOfWeek()
			for _, r := range requests {
				r.send(t, w)
			}
			for _, text := range noise {
				exchange(t, w, "", strings.Replace(text, "HOST", fmt.Sprintf("acme.com:%d", w.port), 1))
			}
			stop()
			log := read(t, filepath.Join(w.logs(), w.log))
			tellsOfAll(t, log, c.format)
			countsByHand(t, log, ingest.LogOptions{Website: c.website})
			if t.Failed() {
				t.Logf("the log:\n%s", log)
			}
		})
	}
}

// tellsOfAll compares what a log tells with what was sent to acme.com.
func tellsOfAll(t *testing.T, log []byte, format string) {
	t.Helper()
	lines := bytes.Split(bytes.TrimSuffix(log, []byte("\n")), []byte("\n"))
	f, err := accesslog.Detect(lines)
	if err != nil || f.Name() != format {
		t.Fatalf("recognised as %v: %v", f, err)
	}
	var got, want []string
	for _, line := range lines {
		var h accesslog.Hit
		var noise *accesslog.Skip
		if err := f.Layout().Parse(line, &h); errors.As(err, &noise) {
			continue
		} else if err != nil {
			t.Errorf("%s\nis %v", line, err)
		}
		if host := string(h.Host); host == "" || strings.TrimPrefix(host, "www.") == "acme.com" {
			got = append(got, told(string(h.Method), string(h.Target), string(h.UserAgent), string(h.Referrer)))
		}
	}
	for _, r := range requests {
		if r.host != "other.example" {
			want = append(want, told(r.method, r.target, r.userAgent, r.referrer))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sent (-) and logged (+):\n%s", diff)
	}
}

var absolute = regexp.MustCompile(`^http://acme\.com(:\d+)?`)

// told is a request in a line. nginx leaves out the host of an absolute target,
// and Caddy cannot tell which byte it was that is not UTF-8.
func told(method, target, userAgent, referrer string) string {
	target = strings.ReplaceAll(absolute.ReplaceAllString(target, ""), "%E9", "\xe9")
	text := strings.Join([]string{method, target, "by", userAgent, "from", referrer}, " ")
	return strings.ToValidUTF8(text, "\uFFFD")
}

// countsByHand loads a log and compares the answers with the comments on the
// requests.
func countsByHand(t *testing.T, log []byte, options ingest.LogOptions) {
	t.Helper()
	s := start(t)
	s.must(s.apply([]byte(logWorkspace)))
	key, err := s.key("acme")
	s.must(err)
	summary, err := s.loadLog(log, options)
	if err != nil || summary.RejectedLines() > 0 {
		t.Fatalf("%v: %+v", err, summary)
	}
	for query, want := range byHand {
		if diff := cmp.Diff(want, s.week(key, query)); diff != "" {
			t.Errorf("%s, by hand (-) and answered (+):\n%s", query, diff)
		}
	}
}

// byHand is what the comments on the requests add up to.
var byHand = map[string]string{
	"metrics[]=bot_visits&groupBy[]=botType": `
		{"botType":"chatgpt-user","botVisits":5}
		{"botType":"gptbot","botVisits":4}
		{"botType":"claudebot","botVisits":2}
		{"botType":"other","botVisits":1}
		{"botType":"perplexitybot","botVisits":1}`,
	"metrics[]=human_visits&metrics[]=referred_human_visits&metrics[]=ai_referred_human_visits": `
		{"humanVisits":7,"referredHumanVisits":4,"aiReferredHumanVisits":3}`,
	"metrics[]=unique_human_visitors&metrics[]=unique_human_pages&metrics[]=unique_human_platforms": `
		{"uniqueHumanVisitors":4,"uniqueHumanPages":3,"uniqueHumanPlatforms":2}`,
	"metrics[]=unique_pages&metrics[]=bot_user_agents": `
		{"uniquePages":9,"botUserAgents":6}`,
}

// week asks for this week's rows, and returns them as lines without their time.
func (s *system) week(key, query string) (rows string) {
	s.t.Helper()
	now := time.Now().UTC()
	target := fmt.Sprintf("/v1/products/101/analytics/timeseries?interval=week&perPage=100&dateFrom=%s&dateTo=%s&%s",
		now.AddDate(0, 0, -1).Format(time.RFC3339), now.AddDate(0, 0, 1).Format(time.RFC3339), query)
	status, _, body, err := s.Do("GET", target, key)
	if err != nil || status != 200 {
		s.t.Fatalf("%d %s %v", status, body, err)
	}
	var page struct{ Items []json.RawMessage }
	s.must(json.Unmarshal(body, &page))
	for _, item := range page.Items {
		_, rest, _ := strings.Cut(string(item), ",")
		rows += "\n\t\t{" + rest
	}
	return rows
}

// avoidEndOfWeek waits if a week is about to end, which would part the requests.
func avoidEndOfWeek() {
	now := time.Now().UTC()
	if now.Weekday() == time.Sunday && now.Add(time.Minute).Weekday() == time.Monday {
		time.Sleep(time.Minute)
	}
}
