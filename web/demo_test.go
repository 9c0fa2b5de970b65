package web

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/demotest"
)

// The demo of these tests has two weeks: one to show, and the one before.
var (
	demoFrom = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	demoNow  = time.Date(2026, 3, 16, 8, 0, 0, 0, time.UTC)
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheDemoInTheDashboard(t *testing.T) {
	demo := demotest.Start(t, demoFrom, demoNow)
	base, key := demo.URL, demo.Keys[demotest.Lighthouse]
	d := dashboardOf(t, usual(), func(o *Options) {
		o.BaseURL, o.APIKey, o.Now = base, key, func() time.Time { return demoNow }
	})
	t.Run("pages are small", func(t *testing.T) { pagesAreSmall(t, d, key) })
	t.Run("calls can be repeated", func(t *testing.T) { callsCanBeRepeated(t, d, key) })
	t.Run("files hold what the API says", func(t *testing.T) { filesHoldTheAnswers(t, d, base, key) })
	t.Run("labels of another product are not sent", func(t *testing.T) {
		res := get(t, d, "/prompts?product=102&last=7d")
		res.shows(t, 200, "Inkfern")
		link := regexp.MustCompile(`href="([^"]*product=101[^"]*)"`).FindStringSubmatch(get(t, d, "/prompts?product=102&last=7d&label=23").body)
		get(t, d, html.UnescapeString(link[1])).shows(t, 200, "Taskharbor vs Plankwise")
	})
	t.Run("a label of others is explained", func(t *testing.T) {
		get(t, d, "/prompts?product=102&label=11").shows(t, 200, "did not understand the question (400)", "Clear the filters")
	})
}

var demoPages = []string{
	"/?last=7d", "/prompts?last=7d", "/prompts?last=7d&view=platform&sort=visibility&order=down", "/prompt?last=7d&prompt=what+is+Taskharbor",
	"/citations?last=7d", "/citations?last=7d&by=page", "/citations?last=7d&by=product", "/traffic?last=7d", "/traffic?last=7d&interval=week", "/?last=90d", "/traffic?last=90d",
}

// compressed returns what goes over the wire, and the text in it.
func compressed(t *testing.T, d *Dashboard, target string) (wire int, text string) {
	t.Helper()
	r := httptest.NewRequest("GET", target, nil)
	r.Host = "127.0.0.1"
	r.Header.Set("Accept-Encoding", "gzip")
	res := request(t, d, r)
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d", target, res.StatusCode)
	}
	if res.Header.Get("Content-Encoding") != "gzip" {
		return len(res.body), res.body
	}
	z, err := gzip.NewReader(strings.NewReader(res.body))
	must(t, err)
	plain, err := io.ReadAll(z)
	must(t, err)
	return len(res.body), string(plain)
}

// A page with everything it loads is under 100 kB, and has the key nowhere.
func pagesAreSmall(t *testing.T, d *Dashboard, key string) {
	asset := regexp.MustCompile(`(?:src|href)="(/assets/[^"]+)"`)
	for _, target := range demoPages {
		sum, text := compressed(t, d, target)
		seen := make(map[string]bool)
		for _, m := range asset.FindAllStringSubmatch(text, -1) {
			if !seen[m[1]] {
				n, body := compressed(t, d, m[1])
				sum, text = sum+n, text+body
				seen[m[1]] = true
			}
		}
		if sum > 100_000 || len(seen) < 5 {
			t.Errorf("%s: %d bytes in %d files", target, sum, 1+len(seen))
		}
		if strings.Contains(text, key) || strings.Contains(text, key[3:20]) {
			t.Errorf("%s shows the key", target)
		}
		t.Logf("%s: %d bytes over the wire", target, sum)
	}
}

// callsCanBeRepeated runs the calls that the pages show, with the key.
func callsCanBeRepeated(t *testing.T, d *Dashboard, key string) {
	shown := regexp.MustCompile(`curl -gsS -H &#34;Authorization: Bearer \$SIGHTLINE_API_KEY&#34; &#39;([^<]*)&#39;</pre>`)
	ran := 0
	for _, target := range []string{"/?last=7d", "/prompts?last=7d&label=11", "/citations?last=7d", "/traffic?last=7d&bot=gptbot&path=/pricing"} {
		for _, m := range shown.FindAllStringSubmatch(get(t, d, target).body, -1) {
			req, err := http.NewRequest("GET", html.UnescapeString(m[1]), nil)
			must(t, err)
			req.Header.Set("Authorization", "Bearer "+key)
			res, err := http.DefaultClient.Do(req)
			must(t, err)
			res.Body.Close()
			if ran++; res.StatusCode != http.StatusOK {
				t.Errorf("%s: %d", m[1], res.StatusCode)
			}
		}
	}
	if ran < 20 {
		t.Errorf("only %d calls are shown", ran)
	}
}

func filesHoldTheAnswers(t *testing.T, d *Dashboard, base, key string) {
	res := get(t, d, "/prompts.csv?last=7d&view=platform&table=prompts")
	res.shows(t, 200)
	if got := res.Header.Get("Content-Disposition"); got != `attachment; filename="sightline-prompts-2026-03-09-2026-03-15.csv"` {
		t.Error(got)
	}
	rows, err := csv.NewReader(strings.NewReader(res.body)).ReadAll()
	must(t, err)
	req, err := http.NewRequest("GET", base+"/v1/products/101/prompts?domain=taskharbor.example&dateFrom=2026-03-09T00:00:00Z&dateTo=2026-03-15T23:59:59Z", nil)
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(req)
	must(t, err)
	defer answer.Body.Close()
	var want []api.PromptMetric
	must(t, json.NewDecoder(answer.Body).Decode(&want))
	if len(rows) != len(want)+1 || len(want) < 40 {
		t.Fatalf("%d lines for %d rows", len(rows), len(want))
	}
	for i, w := range want {
		got := rows[i+1]
		if got[0] != w.PromptText || got[1] != w.Platform || got[3] != float(w.Visibility) || got[7] != float(w.Position) || got[8] != integer(w.Rank) || got[10] != integer(w.RunCount) {
			t.Errorf("line %d: %v for %+v", i+2, got, w)
		}
	}
	for _, file := range []string{"/overview.csv?table=trend", "/overview.csv?table=traffic", "/prompt.csv?table=platforms&prompt=what+is+Taskharbor",
		"/prompt.csv?table=steps&prompt=what+is+Taskharbor", "/citations.csv?table=citations&by=page", "/traffic.csv?table=agents", "/traffic.csv?table=types",
		"/traffic.csv?table=pages", "/traffic.csv?table=people", "/traffic.csv?table=landings"} {
		rows, err := csv.NewReader(strings.NewReader(get(t, d, file+"&last=7d").body)).ReadAll()
		if err != nil || len(rows) < 4 || len(rows[0]) < 2 {
			t.Errorf("%s: %v, %d lines", file, err, len(rows))
		}
	}
}
