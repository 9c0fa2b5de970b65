package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var everyPage = []string{"/", "/prompts", "/prompts?view=platform", "/prompt?prompt=best+rocket", "/citations", "/citations?by=page", "/citations?by=product", "/traffic", "/traffic?interval=week"}

func TestPagesShowWhatTheAPISays(t *testing.T) {
	d := dashboardOf(t, usual())
	for target, texts := range map[string][]string{
		"/":                          {"20.0 %", "of 5 products", "OpenAI", "50.0 %", "a.example", "Acme", "27 Feb 2026 to 28 Mar 2026", "from 40 answers"},
		"/prompts":                   {"best rocket", "20.0 %", "10.5 % to 34.8 %", "1 to 4", "cheap rocket", "brand"},
		"/prompts?view=platform":     {"Claude", "10.0 %", "OpenAI", "50.0 %"},
		"/prompt?prompt=best+rocket": {"best rocket", "Over time", "Claude", "2.2"},
		"/citations":                 {"a.example", "9", "yes", "b.example", "no"},
		"/traffic":                   {"12", "gptbot", "/pricing", "OpenAI", "by day"},
	} {
		t.Run(target, func(t *testing.T) { get(t, d, target).shows(t, 200, texts...) })
	}
	for _, target := range []string{"/citations", "/citations?by=page", "/citations?by=product"} {
		res := get(t, d, target)
		res.shows(t, 200, "A citation is one URL cited by one answer")
		res.hides(t, ">Answers<", `data-label="Answers"`)
	}
	get(t, d, "/").shows(t, 200, `>Source</th><th scope="col" class="n">Citations</th>`)
	get(t, d, "/citations?mentioned=no").hides(t, "a.example")
	get(t, d, "/citations?mentioned=yes").hides(t, "b.example")
}

func TestPagesAreKeptByNobodyAndRunNothingOfOthers(t *testing.T) {
	d := dashboardOf(t, usual())
	inline := regexp.MustCompile(`(?i)<script(?:[^>]*)>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:`)
	for _, target := range append(everyPage, "/nothing") {
		res := get(t, d, target)
		h := res.Header
		if h.Get("Content-Security-Policy") != policy || h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", target, h)
		}
		if found := inline.FindString(res.body); found != "" {
			t.Errorf("%s has %q in it", target, found)
		}
		if strings.Contains(res.body, "ZgotmplZ") {
			t.Errorf("%s: a template puts a value where none may be", target)
		}
	}
	if strings.Contains(policy, "unsafe") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Error("the policy allows too much")
	}
}

func TestTextsOfOthersAreShownAndNeverRun(t *testing.T) {
	a := usual()
	const evil = `<script>alert(1)</script>`
	a["/v1/products"] = strings.ReplaceAll(a["/v1/products"], "Acme", evil)
	a["/prompts"] = strings.ReplaceAll(a["/prompts"], "rocket", evil)
	a["/prompts"] = strings.ReplaceAll(a["/prompts"], `"brand"`, `"\"><img src=x onerror=alert(1)>"`)
	a["/timeseries"] = strings.ReplaceAll(a["/timeseries"], "/pricing", "/"+evil)
	a["/citations"] = `{"byPage":[{"domain":"x","url":"javascript:alert(1)","products":[{"name":"` + evil + `","domain":"y"}],"count":1,"isMentioned":true}]}`
	d := dashboardOf(t, a)
	for _, target := range append(everyPage, "/prompt?prompt="+evil, "/traffic?path="+evil, "/?domain="+evil+"&platform="+evil+"&label=%22%3E"+evil) {
		get(t, d, target).hides(t, evil, "<img src=x", `href="javascript:`)
	}
	get(t, d, "/prompts").shows(t, 200, "best &lt;script&gt;")
}

func TestTheCallsBehindTheNumbersAreShownWithoutTheKey(t *testing.T) {
	d := dashboardOf(t, usual())
	res := get(t, d, "/prompts?platform=openai&label=1&last=7d")
	res.shows(t, 200, "/v1/products/7/prompts?dateFrom=2026-03-22T00:00:00Z&amp;dateTo=2026-03-28T23:59:59Z&amp;domain=acme.example&amp;labelIds[]=1&amp;platforms[]=openai",
		"dateFrom=2026-03-15T00:00:00Z&amp;dateTo=2026-03-21T23:59:59Z", "Bearer $SIGHTLINE_API_KEY")
	for _, target := range everyPage {
		res := get(t, d, target)
		res.hides(t, testKey, testKey[3:20])
		for _, c := range res.Cookies() {
			t.Errorf("%s sets %v", target, c)
		}
	}
}

func TestOtherAddressesLeadBack(t *testing.T) {
	d := dashboardOf(t, usual())
	get(t, d, "/nothing").shows(t, 404, "No such page", `href="/"`)
	get(t, d, "/nothing.csv").shows(t, 404)
	get(t, d, "/prompts.csv?table=nothing").shows(t, 404)
	get(t, d, "/assets/vendor/uplot/README.md").shows(t, 404)
	r := post("/prompts", nil)
	if res := request(t, d, r); res.StatusCode == http.StatusOK {
		t.Error("a page may be posted to")
	}
}
