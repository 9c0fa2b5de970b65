package random

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/oracle"
)

// flaw is a mistake that a server could make, at the place where it makes it.
type flaw struct {
	name           string
	world          func(*oracle.World) *oracle.World // what it has loaded
	query          func(url.Values)                  // what it reads
	prompts        func(*api.PromptsRequest)         // what it asks
	series         func(*api.TimeseriesRequest)
	summary        func(*oracle.World, string, int64, api.PromptsRequest, *api.PromptSummary) // what it finds
	pages          func(*api.TimeseriesResponse)
	response       func(method string, status int, header http.Header, body *[]byte) // what it sends
	tellsStrangers bool                                                              // 400 before 401
}

var flaws = slices.Concat(loadingFlaws, readingFlaws, reportingFlaws, sendingFlaws)

func eachAnswer(change func(*oracle.Answer, int)) func(*oracle.World) *oracle.World {
	return func(w *oracle.World) *oracle.World {
		for i := range w.Answers {
			change(&w.Answers[i], i)
		}
		return w
	}
}

func eachPageview(change func(*oracle.Pageview, int)) func(*oracle.World) *oracle.World {
	return func(w *oracle.World) *oracle.World {
		for i := range w.Pageviews {
			change(&w.Pageviews[i], i)
		}
		return w
	}
}

var loadingFlaws = []flaw{
	{name: "a replaced answer stays", world: eachAnswer(func(a *oracle.Answer, i int) { a.ID = fmt.Sprint(i) })},
	{name: "a replaced visit stays", world: eachPageview(func(l *oracle.Pageview, _ int) { l.ID = "" })},
	{name: "the first answer wins", world: func(w *oracle.World) *oracle.World { slices.Reverse(w.Answers); return w }},
	{name: "the first visit wins", world: func(w *oracle.World) *oracle.World { slices.Reverse(w.Pageviews); return w }},
	{name: "zones are ignored", world: eachAnswer(func(a *oracle.Answer, _ int) {
		a.At.Time, _ = time.Parse("2006-01-02T15:04:05", a.At.Sent[:19])
	})},
	{name: "seconds are rounded", world: eachPageview(func(l *oracle.Pageview, _ int) {
		if strings.Contains(l.At.Sent, ".999") {
			l.At.Time = l.At.Time.Add(time.Second)
		}
	})},
	{name: "URLs are not canonical", world: eachAnswer(func(a *oracle.Answer, _ int) {
		for i := range a.Citations {
			a.Citations[i].URL = a.Citations[i].Sent
		}
	})},
	{name: "HEAD counts for humans", world: eachPageview(func(l *oracle.Pageview, _ int) {
		l.Method = strings.Replace(l.Method, "HEAD", "GET", 1)
	})},
	{name: "a missing page counts", world: eachPageview(func(l *oracle.Pageview, _ int) { l.Status = 200 })},
	{name: "assets count", world: eachPageview(func(l *oracle.Pageview, _ int) { l.Truth.File = oracle.Page })},
	{name: "documents are dropped for bots", world: eachPageview(func(l *oracle.Pageview, _ int) {
		if l.Truth.File == oracle.Document {
			l.Truth.File = oracle.Asset
		}
	})},
	{name: "a stated bot type is ignored", world: eachPageview(func(l *oracle.Pageview, _ int) { l.BotType = "" })},
	{name: "utm_source is ignored", world: eachPageview(func(l *oracle.Pageview, _ int) {
		l.Truth.UTMSource, l.Truth.UTMPlatform = "", "none"
	})},
	{name: "the own host is a referrer", world: eachPageview(func(l *oracle.Pageview, _ int) { l.Truth.PageHost = "" })},
	{name: "IPv6 is not cut", world: eachPageview(func(l *oracle.Pageview, _ int) {
		l.IP = strings.ReplaceAll(l.IP, ":", "-")
	})},
	{name: "untracked websites count", world: func(w *oracle.World) *oracle.World {
		for _, p := range w.Catalog {
			for i := range p.Websites {
				p.Websites[i].Untracked = false
			}
		}
		return w
	}},
	{name: "managed teams of managed teams", world: func(w *oracle.World) *oracle.World {
		for i := len(w.Teams) - 1; i >= 0; i-- {
			for _, managed := range slices.Clone(w.Teams[i].Manages) {
				for _, team := range w.Teams {
					if team.ID == managed {
						w.Teams[i].Manages = slices.Concat(w.Teams[i].Manages, team.Manages)
					}
				}
			}
		}
		return w
	}},
}

var readingFlaws = []flaw{
	{name: "dateTo is exclusive", prompts: func(r *api.PromptsRequest) { r.To = r.To.Add(-1) }},
	{name: "dateTo is exclusive for traffic", series: func(r *api.TimeseriesRequest) { r.To = r.To.Add(-1) }},
	{name: "dateFrom is exclusive", series: func(r *api.TimeseriesRequest) { r.From = r.From.Add(1) }},
	{name: "the fraction of dateFrom is lost", series: func(r *api.TimeseriesRequest) { r.From = r.From.Truncate(time.Second) }},
	{name: "leap seconds are malformed", query: func(v url.Values) {
		if len(v["dateTo"]) == 1 && strings.Contains(v["dateTo"][0], ":60") {
			v.Set("dateTo", "malformed")
		}
	}},
	{name: "a lower-case t is malformed", query: func(v url.Values) {
		if len(v["dateFrom"]) == 1 && strings.Contains(v["dateFrom"][0], "t") {
			v.Set("dateFrom", "malformed")
		}
	}},
	{name: "empty list values are skipped", query: func(v url.Values) {
		v["platforms[]"] = slices.DeleteFunc(v["platforms[]"], func(s string) bool { return s == "" })
	}},
	{name: "the last of two counts", query: func(v url.Values) {
		for name, values := range v {
			if !strings.HasSuffix(name, "[]") {
				v[name] = values[len(values)-1:]
			}
		}
	}},
	{name: "a bad page is the first", query: func(v url.Values) {
		if v.Has("page") && !whole.MatchString(v.Get("page")) {
			v.Set("page", "1")
		}
	}},
	{name: "domains are compared as sent", prompts: func(r *api.PromptsRequest) {
		if strings.ToLower(r.Domain) != r.Domain {
			r.Domain = "nosuch.example"
		}
	}},
	{name: "all labels are needed", prompts: func(r *api.PromptsRequest) {
		if len(r.LabelIDs) > 1 {
			r.LabelIDs = r.LabelIDs[:1]
		}
	}},
	{name: "unknown platforms are ignored", prompts: func(r *api.PromptsRequest) {
		r.Platforms = slices.DeleteFunc(r.Platforms, func(p string) bool { return strings.Contains(p, "such") })
	}},
	{name: "paths are compared as sent", query: func(v url.Values) {
		if p := v.Get("urlPath"); p != "" && normalized(p) != p {
			v.Set("urlPath", "/nosuch")
		}
	}},
	{name: "the metrics are sorted", series: func(r *api.TimeseriesRequest) {
		r.Metrics = slices.Clone(r.Metrics)
		slices.Sort(r.Metrics)
	}},
	{name: "the dimensions are sorted", series: func(r *api.TimeseriesRequest) { slices.Sort(r.GroupBy) }},
	{name: "topLimit is ignored", series: func(r *api.TimeseriesRequest) { r.TopLimit = 0 }},
	{name: "perPage defaults to 50", query: func(v url.Values) {
		if !v.Has("perPage") {
			v.Set("perPage", "50")
		}
	}},
	{name: "parameters before access", tellsStrangers: true},
}

var reportingFlaws = []flaw{
	{name: "an average of averages", summary: averageOfAverages},
	{name: "ties are ranked one after the other", summary: brokenTies},
	{name: "competitors are counted, mentioned or not", summary: func(w *oracle.World, _ string, id int64, _ api.PromptsRequest, s *api.PromptSummary) {
		for _, p := range w.Catalog {
			if p.ID == id {
				s.TotalCompetitors = int64(len(p.Competitors))
			}
		}
	}},
	{name: "no way back from past the end", pages: func(a *api.TimeseriesResponse) {
		if a.CurrentPage > a.TotalPages {
			a.PreviousPage = nil
		}
	}},
	{name: "page - 1 from past the end", pages: func(a *api.TimeseriesResponse) {
		if a.CurrentPage > 1 {
			previous := a.CurrentPage - 1
			a.PreviousPage = &previous
		}
	}},
}

var sendingFlaws = []flaw{
	{name: "null for an empty list", response: replace("[]", "null")},
	{name: "nothing for null", response: replace(`"rank":null,`, "")},
	{name: "one more field", response: replace(`"runCount"`, `"id":1,"runCount"`)},
	{name: "another error message", response: replace("Unauthorized.", "Unauthorized: no such product.")},
	{name: "a 401 that tells why", response: func(_ string, status int, header http.Header, _ *[]byte) {
		if status == http.StatusUnauthorized {
			header.Set("Sightline-Error-Detail", "no such product")
		}
	}},
	{name: "a 400 that does not tell why", response: func(_ string, _ int, header http.Header, _ *[]byte) {
		header.Del("Sightline-Error-Detail")
	}},
	{name: "a 401 of its own form", response: func(_ string, status int, _ http.Header, body *[]byte) {
		if status == http.StatusUnauthorized && len(*body) > 0 {
			*body = append(*body, strings.Repeat(" ", int(Requests.Load()%2))...)
		}
	}},
	{name: "plain text", response: func(_ string, _ int, header http.Header, _ *[]byte) { header.Set("Content-Type", "text/plain") }},
	{name: "a body for HEAD", response: func(method string, _ int, _ http.Header, body *[]byte) {
		if method == http.MethodHead {
			*body = []byte("{}")
		}
	}},
}

func replace(old, with string) func(string, int, http.Header, *[]byte) {
	return func(_ string, _ int, _ http.Header, body *[]byte) {
		*body = []byte(strings.ReplaceAll(string(*body), old, with))
	}
}

func averageOfAverages(w *oracle.World, team string, id int64, r api.PromptsRequest, s *api.PromptSummary) {
	rows, _ := w.Prompts(team, id, r)
	var sum, n float64
	for _, row := range rows {
		if row.Visibility != nil {
			sum, n = sum+*row.Visibility, n+1
		}
	}
	if n > 0 {
		sum /= n
		s.Visibility = &sum
	}
}

// brokenTies puts the product behind every competitor that is just as visible.
// A competitor's visibility is found by giving it the product's place.
func brokenTies(w *oracle.World, _ string, id int64, r api.PromptsRequest, s *api.PromptSummary) {
	if s.Rank == nil {
		return
	}
	i := slices.IndexFunc(w.Catalog, func(p oracle.Product) bool { return p.ID == id })
	rank := *s.Rank
	for _, competitor := range w.Catalog[i].Competitors {
		swapped := clone(w)
		swapped.Catalog = []oracle.Product{w.Catalog[i]}
		swapped.Catalog[0].ID = competitor
		other, _ := swapped.PromptSummary(w.Catalog[i].Team, competitor, r)
		if *other.Visibility == *s.Visibility {
			rank++
		}
	}
	s.Rank = &rank
}
