package check_test

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

var brokenRequests = []breakage{
	{name: "the summary needs no domain", caughtBy: "parameters/required", before: ask("/summary", func(v url.Values) {
		if !v.Has("domain") {
			v.Set("domain", "taskharbor.example")
		}
	})},
	{name: "a 400 that explains itself", caughtBy: "parameters/required", after: func(_ *http.Request, a *reply) {
		if a.status == 400 {
			a.body = []byte(`{"message":"Invalid request parameters.","detail":"` + a.header.Get("Sightline-Error-Detail") + `"}`)
		}
	}},
	{name: "422 for 400", caughtBy: "parameters/required", after: func(_ *http.Request, a *reply) {
		if a.status == 400 {
			a.status = 422
		}
	}},
	{name: "an empty value is none", caughtBy: "parameters/empty", before: ask("/timeseries", func(v url.Values) {
		if v.Get("urlPath") == "" {
			v.Del("urlPath")
		}
	})},
	{name: "the first of two values wins", caughtBy: "parameters/twice", before: ask("/citations", func(v url.Values) {
		v["domain"] = v["domain"][:1]
	})},
	{name: "an unknown metric is left out", caughtBy: "parameters/values", before: ask("/timeseries", func(v url.Values) {
		var known []string
		for _, m := range v["metrics[]"] {
			for _, k := range api.Metrics {
				if m == string(k) {
					known = append(known, m)
				}
			}
		}
		v["metrics[]"] = known
	})},
	{name: "page 0 is page 1", caughtBy: "parameters/numbers", before: ask("/timeseries", func(v url.Values) {
		if v.Get("page") == "0" {
			v.Set("page", "1")
		}
	})},
	{name: "an unknown label is left out", caughtBy: "parameters/labels", before: ask("/dates", func(v url.Values) {
		if v.Get("labelIds[]") == "9007199254740991" {
			v.Del("labelIds[]")
		}
	})},
	{name: "a bare date is a time", caughtBy: "parameters/times", before: ask("/prompts", func(v url.Values) {
		for _, name := range []string{"dateFrom", "dateTo"} {
			if len(v.Get(name)) == len("2026-03-01") {
				v.Set(name, v.Get(name)+"T00:00:00Z")
			}
		}
	})},
	{name: "a window may run backwards", caughtBy: "parameters/window", before: ask("/timeseries", func(v url.Values) {
		if v.Get("dateFrom") > v.Get("dateTo") {
			v["dateFrom"], v["dateTo"] = v["dateTo"], v["dateFrom"]
		}
	})},
	{name: "a broken escape is dropped", caughtBy: "parameters/escapes", before: func(r *http.Request) {
		r.URL.RawQuery = strings.Replace(r.URL.RawQuery, "&domain=%zz", "", 1)
	}},
	{name: "the 400 of labels has a space", caughtBy: "parameters/same-answer", after: func(r *http.Request, a *reply) {
		if a.status == 400 && strings.Contains(r.URL.RawQuery, "labelIds") {
			a.body = []byte(`{"message": "Invalid request parameters."}`)
		}
	}},
	{name: "an unknown parameter is refused", caughtBy: "parameters/unknown", after: func(r *http.Request, a *reply) {
		if r.URL.Query().Has("colour") {
			say(a, 400, "Invalid request parameters.")
		}
	}},
	{name: "brackets must be escaped", caughtBy: "parameters/brackets", before: func(r *http.Request) {
		r.URL.RawQuery = strings.ReplaceAll(r.URL.RawQuery, "groupBy[]", "x")
	}},
	{name: "a list may not repeat a value", caughtBy: "parameters/repeated", after: func(r *http.Request, a *reply) {
		if p := r.URL.Query()["platforms[]"]; len(p) > 1 && p[0] == p[1] {
			say(a, 400, "Invalid request parameters.")
		}
	}},
	{name: "50 rows by default", caughtBy: "parameters/defaults", before: ask("/timeseries", func(v url.Values) {
		if !v.Has("perPage") {
			v.Set("perPage", "50")
		}
	})},
	{name: "offsets are dropped", caughtBy: "parameters/instants", before: ask("/timeseries", func(v url.Values) {
		v.Set("dateFrom", strings.Replace(v.Get("dateFrom"), "+01:00", "Z", 1))
	})},
	{name: "lower case is refused", caughtBy: "parameters/instants", after: func(r *http.Request, a *reply) {
		if strings.Contains(r.URL.Query().Get("dateFrom"), "t") {
			say(a, 400, "Invalid request parameters.")
		}
	}},
}

var brokenAnswers = []breakage{
	{name: "null for an empty list", caughtBy: "answers/bodies", after: func(r *http.Request, a *reply) {
		a.body = []byte(strings.Replace(string(a.body), `"items":[]`, `"items":null`, 1))
	}},
	{name: "a further field", caughtBy: "answers/bodies", after: func(r *http.Request, a *reply) {
		if on(r, "/products") {
			a.body = []byte(strings.Replace(string(a.body), `"partnerWebsites"`, `"team":"northwind","partnerWebsites"`, 1))
		}
	}},
	{name: "a number as text", caughtBy: "answers/bodies", after: func(r *http.Request, a *reply) {
		a.body = []byte(strings.Replace(string(a.body), `"totalItems":0`, `"totalItems":"0"`, 1))
	}},
	{name: "a field is missing", caughtBy: "answers/bodies", after: func(r *http.Request, a *reply) {
		a.body = []byte(strings.Replace(string(a.body), `"nextPage":null,`, "", 1))
	}},
	{name: "visibility in percent", caughtBy: "answers/bodies", after: tell("/prompts", func(rows *[]api.PromptMetric) {
		for _, r := range *rows {
			if r.Visibility != nil {
				*r.Visibility *= 100
			}
		}
	})},
	{name: "plain text", caughtBy: "answers/headers", after: func(_ *http.Request, a *reply) { a.header.Set("Content-Type", "text/plain") }},
	{name: "no Content-Type that a client knows", caughtBy: "answers/bodies", after: func(_ *http.Request, a *reply) {
		a.header.Set("Content-Type", "text/html")
	}},
	{name: "no request id", caughtBy: "answers/headers", after: func(_ *http.Request, a *reply) { a.header.Del("Sightline-Request-Id") }},
	{name: "for shared caches", caughtBy: "answers/headers", after: func(_ *http.Request, a *reply) { a.header.Set("Cache-Control", "public") }},
	{name: "the key in a header", caughtBy: "answers/no-key", after: func(r *http.Request, a *reply) {
		a.header.Set("X-Caller", r.Header.Get("Authorization"))
	}},
}
