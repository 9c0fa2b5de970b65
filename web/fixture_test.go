package web

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

const testKey = "sl_0123456789abcdefghijklmnopqrstuvABCDEF"

// today is the day after the fixture's last.
var today = time.Date(2026, 3, 29, 10, 0, 0, 0, time.UTC)

// answers are what a made-up API says, by the end of the path.
type answers map[string]string

// usual is an API with one product, two prompts and a little traffic.
func usual() answers {
	return answers{
		"/v1/products": `[{"id":7,"name":"Acme","website":"https://acme.example","domain":"acme.example","partnerWebsites":[]},
			{"id":8,"name":"Zoom","website":"https://zoom.example","domain":"zoom.example","partnerWebsites":[]}]`,
		"/websites": `[{"domain":"acme.example","websiteId":"w1"},{"domain":"docs.acme.example","websiteId":"w2"}]`,
		"/prompts": `[{"promptText":"best rocket","platform":"openai","domain":"acme.example","position":1.5,"visibility":0.5,"rank":1,"runCount":10,"labels":[{"id":1,"name":"brand"}]},
			{"promptText":"best rocket","platform":"claude","domain":"acme.example","position":3,"visibility":0.1,"rank":4,"runCount":30,"labels":[{"id":1,"name":"brand"}]},
			{"promptText":"cheap rocket","platform":"openai","domain":"acme.example","position":null,"visibility":null,"rank":null,"runCount":null,"labels":[]}]`,
		"/summary":   `{"position":1.9,"visibility":0.2,"rank":2,"totalCompetitors":4}`,
		"/dates":     `[{"date":"2026-03-02T00:00:00Z","platform":"openai","domain":"acme.example","visibility":0.5,"position":1.5,"rank":1}]`,
		"/citations": `{"byProperty":[{"domain":"a.example","products":[{"name":"Acme","domain":"acme.example"}],"count":9,"isMentioned":true},{"domain":"b.example","products":[],"count":3,"isMentioned":false}]}`,
		"/timeseries": `{"previousPage":null,"currentPage":1,"nextPage":null,"totalPages":1,"totalItems":1,"perPage":2500,
			"items":[{"timestamp":"2026-03-02T00:00:00Z","platform":"openai","botType":"gptbot","normalizedUrlPath":"/pricing","botVisits":12,"humanVisits":5,"aiReferredHumanVisits":4}]}`,
	}
}

func (a answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+testKey {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"message":"Unauthorized."}`)
		return
	}
	for end, body := range a {
		if strings.HasSuffix(r.URL.Path, end) {
			if body == "" {
				w.WriteHeader(http.StatusInternalServerError)
				body = `{"message":"Internal server error."}`
			}
			io.WriteString(w, body)
			return
		}
	}
	http.NotFound(w, r)
}

// dashboardOf returns a dashboard of an API, with changes to its options.
func dashboardOf(t *testing.T, h http.Handler, changes ...func(*Options)) *Dashboard {
	t.Helper()
	upstream := httptest.NewServer(h)
	t.Cleanup(upstream.Close)
	o := Options{BaseURL: upstream.URL, APIKey: testKey, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return today }, Timeout: 10 * time.Second}
	for _, change := range changes {
		change(&o)
	}
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	d.guard.failures.pause = 0
	return d
}

// response is an answer of the dashboard.
type response struct {
	*http.Response
	body string
}

// request asks the dashboard as a browser on this machine would.
func request(t *testing.T, d *Dashboard, r *http.Request) response {
	t.Helper()
	w := httptest.NewRecorder()
	d.Handler().ServeHTTP(w, r)
	res := w.Result()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response{res, string(body)}
}

func get(t *testing.T, d *Dashboard, target string) response {
	t.Helper()
	r := httptest.NewRequest("GET", target, nil)
	r.Host, r.RemoteAddr = "127.0.0.1:8090", "127.0.0.1:40000"
	return request(t, d, r)
}

func post(target string, form url.Values) *http.Request {
	r := httptest.NewRequest("POST", target, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Host, r.RemoteAddr = "127.0.0.1:8090", "127.0.0.1:40000"
	return r
}

// shows fails unless a page has all of some texts.
func (r response) shows(t *testing.T, status int, texts ...string) {
	t.Helper()
	if r.StatusCode != status {
		t.Errorf("status %d, want %d", r.StatusCode, status)
	}
	for _, s := range texts {
		if !strings.Contains(r.body, s) {
			t.Errorf("the page does not show %q:\n%s", s, r.body)
		}
	}
}

func (r response) hides(t *testing.T, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if strings.Contains(r.body, s) {
			t.Errorf("the page shows %q", s)
		}
	}
}
