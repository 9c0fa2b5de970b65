package web

import (
	"encoding/csv"
	"encoding/json"
	"html"
	"net/http"
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
	t.Run("calls can be repeated", func(t *testing.T) { callsCanBeRepeated(t, d, key) })
	t.Run("files hold what the API says", func(t *testing.T) { filesHoldTheAnswers(t, d, base, key) })
	t.Run("labels of another product are not sent", func(t *testing.T) {
		res := get(t, d, "/prompts?product=102&last=7d")
		res.shows(t, 200, "Inkfern")
		link := regexp.MustCompile(`href="([^"]*product=101[^"]*)"`).FindStringSubmatch(get(t, d, "/prompts?product=102&last=7d&label=23").body)
		get(t, d, html.UnescapeString(link[1])).shows(t, 200, "Taskharbor vs Plankwise")
	})
	t.Run("every table can be downloaded", func(t *testing.T) { everyTableIsAFile(t, d) })
	t.Run("a website that is not there can be undone", func(t *testing.T) {
		get(t, d, "/traffic?website=nowhere").shows(t, 200, `<option value="nowhere" selected>nowhere</option>`, " · nowhere</p>")
		get(t, d, "/traffic?website=w-taskharbor").shows(t, 200, `<option value="w-taskharbor" selected>taskharbor.example</option>`, " · taskharbor.example</p>")
		get(t, d, "/traffic?domain=docs.taskharbor.example").shows(t, 200, " · all websites</p>")
		get(t, d, "/?domain=docs.taskharbor.example").shows(t, 200, " · docs.taskharbor.example</p>")
	})
	t.Run("a label of others is explained", func(t *testing.T) {
		get(t, d, "/prompts?product=102&label=11").shows(t, 200, "did not understand the question (400)", "Clear the filters")
		get(t, d, "/prompts.csv?table=prompts&product=102&label=11").shows(t, 400, "did not understand the question (400)", "Clear the filters")
	})
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
	if got := res.Header.Get("Content-Disposition"); got != `attachment; filename="sightline-taskharbor-prompts-by-platform-2026-03-09-2026-03-15.csv"` {
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
		"/traffic.csv?table=pages", "/traffic.csv?table=people", "/traffic.csv?table=landings", "/traffic.csv?table=platforms", "/traffic.csv?table=senders", "/overview.csv?table=citations"} {
		rows, err := csv.NewReader(strings.NewReader(get(t, d, file+"&last=7d").body)).ReadAll()
		if err != nil || len(rows) < 4 || len(rows[0]) < 2 {
			t.Errorf("%s: %v, %d lines", file, err, len(rows))
		}
	}
}

// everyTableIsAFile follows the links to files: there are as many as tables and
// lists, and each leads to one.
func everyTableIsAFile(t *testing.T, d *Dashboard) {
	link := regexp.MustCompile(`class="csv" href="([^"]*)"`)
	for target, want := range map[string]int{"/?last=7d": 4, "/prompts?last=7d": 1, "/prompt?last=7d&prompt=what+is+Taskharbor": 2, "/citations?last=7d": 1, "/traffic?last=7d": 7} {
		body := get(t, d, target).body
		files := link.FindAllStringSubmatch(body, -1)
		empty := strings.Count(body, "No prompt changed by more")
		if len(files)+empty != want {
			t.Errorf("%s: %d files, want %d", target, len(files), want)
		}
		for _, m := range files {
			res := get(t, d, html.UnescapeString(m[1]))
			if rows, err := csv.NewReader(strings.NewReader(res.body)).ReadAll(); res.StatusCode != 200 || err != nil || len(rows) < 2 {
				t.Errorf("%s: %d, %v, %d lines", m[1], res.StatusCode, err, len(rows))
			}
		}
	}
}
