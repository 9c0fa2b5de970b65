package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestAPartThatFailsLeavesTheOthers(t *testing.T) {
	a := usual()
	a["/citations"] = ""
	res := get(t, dashboardOf(t, a), "/")
	res.shows(t, 200, "The API could not answer just now.", "Try again in a moment", "20.0 %", "12")
	res.hides(t, "Nothing here")
	get(t, dashboardOf(t, a), "/citations.csv?table=citations").shows(t, http.StatusBadGateway, "The API could not answer")
}

func TestTroublesSayWhatToDo(t *testing.T) {
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	})
	for name, c := range map[string]struct {
		api    http.Handler
		change func(*Options)
		want   string
	}{
		"a wrong key":        {usual(), func(o *Options) { o.APIKey = "sl_other" }, "does not accept the key"},
		"a server that fell": {answers{"/v1/products": ""}, func(*Options) {}, "could not answer just now"},
		"no server":          {usual(), func(o *Options) { o.BaseURL = "http://127.0.0.1:1" }, "cannot be reached"},
		"another program":    {http.NotFoundHandler(), func(*Options) {}, "is not the API"},
		"a slow server":      {slow, func(o *Options) { o.Timeout = 50 * time.Millisecond }, "took too long"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dashboardOf(t, c.api, c.change)
			get(t, d, "/").shows(t, http.StatusBadGateway, c.want, `role="alert"`)
			get(t, d, "/prompts.csv?table=prompts").shows(t, http.StatusBadGateway, c.want)
		})
	}
}

func TestEmptyPagesHelp(t *testing.T) {
	none := dashboardOf(t, answers{"/v1/products": "[]"})
	get(t, none, "/").shows(t, 200, "This key sees no products yet", "sightline apply")
	get(t, none, "/prompts.csv?table=prompts").shows(t, 404, "This key sees no products yet")
	empty := usual()
	empty["/prompts"], empty["/dates"], empty["/citations"] = "[]", "[]", `{"byProperty":[]}`
	empty["/summary"] = `{"position":null,"visibility":null,"rank":null,"totalCompetitors":0}`
	empty["/timeseries"] = `{"previousPage":null,"currentPage":1,"nextPage":null,"totalPages":0,"totalItems":0,"perPage":2500,"items":[]}`
	d := dashboardOf(t, empty)
	for _, target := range everyPage {
		get(t, d, target).shows(t, 200, "Nothing here for this period", "last=90d", "sightline load")
	}
	get(t, d, "/prompts?platform=nobody").shows(t, 200, "and these filters", "Clear the filters", `value="nobody" checked`)
}

// tableOf is a table of a page.
var tableOf = map[string]string{"/": "trend", "/traffic": "agents", "/citations": "citations"}

func TestAddressesThatAreNotUnderstoodShowDefaults(t *testing.T) {
	d := dashboardOf(t, usual())
	for target, want := range map[string]string{
		"/?from=2026-03-09&to=2026-03-01": "from: 2026-03-09 is after",
		"/?last=7d&from=2026-03-01":       "last: not together with from",
		"/?last=forever":                  "last: must be a number of days",
		"/?product=x":                     "product: must be a number",
		"/?product=99":                    "product: not one of yours; this is Acme",
		"/?label=x":                       "label: must be a number",
		"/traffic?interval=year":          "interval: no such choice",
		"/citations?by=moon":              "by: no such choice",
		"/?from=0001-01-01&to=2026-03-01": "from: too long ago",
	} {
		t.Run(target, func(t *testing.T) {
			get(t, d, target).shows(t, http.StatusBadRequest, want, "Acme", "27 Feb 2026 to 28 Mar 2026")
			page, query, _ := strings.Cut(target, "?")
			file := get(t, d, fileOf(page)+"?table="+tableOf[page]+"&"+query)
			file.shows(t, http.StatusBadRequest, want)
			file.hides(t, "rocket", "a.example", "openai")
		})
	}
}

func TestAPageThatPanicsIsLoggedAndAnswered(t *testing.T) {
	var log bytes.Buffer
	d := dashboardOf(t, usual(), func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	d.pages = nil // which no page survives
	get(t, d, "/prompts?prompt=a+secret").shows(t, http.StatusInternalServerError, "This page failed")
	if got := log.String(); !strings.Contains(got, `route="GET /prompts"`) || !strings.Contains(got, "nil pointer") || strings.Contains(got, "secret") {
		t.Errorf("the log says %q", got)
	}
}

func TestARefusedQuestionIsNotLoggedAsSilence(t *testing.T) {
	var log bytes.Buffer
	refuse := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) })
	get(t, dashboardOf(t, refuse, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) }), "/")
	if got := log.String(); !strings.Contains(got, "the API refused a question") || strings.Contains(got, "did not answer") {
		t.Errorf("the log says %q", got)
	}
}
