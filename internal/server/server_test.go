package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

const workspace = `
teams: [{id: acme, name: Acme}, {id: other, name: Other}]
products:
  - id: 101
    team: acme
    name: Acme <Rocket> & Co
    website: https://www.acme.com
    domain: acme.com
    competitors: [202]
    websites: [{websiteId: w, domain: acme.com}]
    prompts: [{id: 11, text: rocket, platforms: [openai]}]
  - {id: 202, team: other, name: Other, website: "https://other.example", domain: other.example}
`

const march = "dateFrom=2026-03-01T00:00:00Z&dateTo=2026-03-31T23:59:59Z"

// fixture is a server on a catalog, and on facts that a test can replace.
type fixture struct {
	*httptest.Server
	client  *http.Client
	key     string
	revoked string
	log     *strings.Builder
}

func serve(t *testing.T, change func(*server.Server)) *fixture {
	t.Helper()
	ctx := t.Context()
	store, err := catalog.Open(ctx, filepath.Join(t.TempDir(), "catalog.db"))
	check(t, err)
	defer store.Close()
	w, err := catalog.ParseWorkspace("w", []byte(workspace))
	check(t, err)
	_, err = store.Apply(ctx, w)
	check(t, err)
	_, key, err := store.CreateKey(ctx, "acme", "")
	check(t, err)
	info, revoked, err := store.CreateKey(ctx, "acme", "")
	check(t, err)
	check(t, store.RevokeKey(ctx, info.ID))
	snapshot, err := store.Snapshot(ctx)
	check(t, err)
	source, err := duckdb.Follow(ctx, t.TempDir(), duckdb.Options{Poll: time.Hour})
	check(t, err)
	t.Cleanup(func() { source.Close() })

	f := &fixture{client: contract.NewClient(t), key: key, revoked: revoked, log: &strings.Builder{}}
	s := &server.Server{
		Catalog: func() *catalog.Snapshot { return snapshot }, Reports: &report.Reports{Facts: source},
		Log:     slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Timeout: 10 * time.Second, Queries: 2, Queue: 100, Patience: 10 * time.Second, Cache: 1 << 20,
	}
	if change != nil {
		change(s)
	}
	f.Server = httptest.NewServer(s.Handler())
	t.Cleanup(f.Close)
	return f
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) do(t *testing.T, method, path, authorization string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, f.URL+path, nil)
	check(t, err)
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	res, err := f.client.Do(req)
	check(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check(t, err)
	return res, string(body)
}

// logged ends the server, so that its log is complete, and returns the log.
func (f *fixture) logged() string {
	f.Close()
	return f.log.String()
}

func (f *fixture) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	return f.do(t, "GET", path, "Bearer "+f.key)
}

func TestEveryUnauthorizedAnswerIsTheSame(t *testing.T) {
	f := serve(t, nil)
	good := "Bearer " + f.key
	var first http.Header
	for _, c := range []struct{ name, path, authorization string }{
		{"no key", "/v1/products", ""},
		{"no key, a product's route", "/v1/products/101/websites", ""},
		{"junk key", "/v1/products", "Bearer junk"},
		{"empty key", "/v1/products", "Bearer "},
		{"well-formed key that does not exist", "/v1/products", "Bearer sl_0000000000000000000000000000000000000000"},
		{"revoked key", "/v1/products", "Bearer " + f.revoked},
		{"another scheme", "/v1/products", "Basic " + f.key},
		{"the key twice", "/v1/products", good + " " + f.key},
		{"malformed product", "/v1/products/abc/websites", good},
		{"product with a sign", "/v1/products/+101/websites", good},
		{"product with a leading zero", "/v1/products/0101/websites", good},
		{"product with a slash in it", "/v1/products/101%2F1/websites", good},
		{"product that is a dot", "/v1/products/%2e/websites", good},
		{"product too large", "/v1/products/99999999999999999999/websites", good},
		{"product that does not exist", "/v1/products/999/websites", good},
		{"another team's product", "/v1/products/202/websites", good},
		{"another team's product, and wrong parameters", "/v1/products/202/prompts?dateFrom=x", good},
		{"no key, and wrong parameters", "/v1/products/101/prompts?dateFrom=x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, body := f.do(t, "GET", c.path, c.authorization)
			if res.StatusCode != 401 || body != `{"message":"Unauthorized."}`+"\n" {
				t.Fatalf("%d %q", res.StatusCode, body)
			}
			res.Header.Del("Date")
			res.Header.Del("Sightline-Request-Id")
			if first == nil {
				first = res.Header
			}
			if diff := cmp.Diff(first, res.Header); diff != "" {
				t.Errorf("headers differ from another 401's:\n%s", diff)
			}
		})
	}
	if first.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("a 401 must say how to authenticate: %v", first)
	}
}

func TestKeysAreReadAsHTTPReadsThem(t *testing.T) {
	f := serve(t, nil)
	for _, authorization := range []string{"Bearer " + f.key, "bearer " + f.key, "BEARER   " + f.key} {
		if res, body := f.do(t, "GET", "/v1/products", authorization); res.StatusCode != 200 {
			t.Errorf("%s…: %d %s", authorization[:8], res.StatusCode, body)
		}
	}
	req, _ := http.NewRequest("GET", f.URL+"/v1/products", nil)
	req.Header["Authorization"] = []string{"Bearer " + f.key, "Bearer " + f.key}
	res, err := f.client.Do(req)
	check(t, err)
	res.Body.Close()
	if res.StatusCode != 401 {
		t.Errorf("two Authorization headers: %d, want 401", res.StatusCode)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	f := serve(t, nil)
	for _, path := range []string{
		"/", "/v1", "/v1/", "/v1/products/", "/v1/products/101", "/v1/products/101/", "/v1/products/101/websites/", "//v1/products",
		"/v1//products", "/v1/./products", "/v1/x/../products", "/v1/products//websites", "/v2/products", "/V1/products", "/docs/",
		"/v1/products/101/prompts/summary/", "/favicon.ico",
	} {
		res, body := f.get(t, path)
		if res.StatusCode != 404 || body != `{"message":"Not found."}`+"\n" {
			t.Errorf("%s: %d %s", path, res.StatusCode, body)
		}
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
		for _, path := range []string{"/v1/products", "/v1/products/101/prompts", "/docs", "/openapi.yaml"} {
			res, body := f.do(t, method, path, "Bearer "+f.key)
			if res.StatusCode != 405 || body != `{"message":"Method not allowed."}`+"\n" || res.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d %s %v", method, path, res.StatusCode, body, res.Header)
			}
		}
	}
}

func TestHeadAnswersLikeGet(t *testing.T) {
	f := serve(t, nil)
	for _, path := range []string{"/v1/products", "/v1/products/101/prompts?domain=acme.com&" + march, "/v1/products/101/prompts",
		"/v1/products/7/websites", "/nowhere", "/docs", "/openapi.yaml"} {
		get, body := f.get(t, path)
		head, empty := f.do(t, "HEAD", path, "Bearer "+f.key)
		for _, h := range []http.Header{get.Header, head.Header} {
			h.Del("Date")
			h.Del("Sightline-Request-Id")
		}
		if head.StatusCode != get.StatusCode || empty != "" || head.ContentLength != int64(len(body)) {
			t.Errorf("%s: HEAD %d with %d bytes of %d, GET %d", path, head.StatusCode, len(empty), head.ContentLength, get.StatusCode)
		}
		if diff := cmp.Diff(get.Header, head.Header); diff != "" {
			t.Errorf("%s: headers differ:\n%s", path, diff)
		}
	}
}

func TestAnswersAreNotEscapedForHTML(t *testing.T) {
	_, body := serve(t, nil).get(t, "/v1/products")
	if !strings.Contains(body, `"name":"Acme <Rocket> & Co"`) {
		t.Error(body)
	}
}

func TestRoutesWithoutParametersNeverAnswer400(t *testing.T) {
	f := serve(t, nil)
	for _, path := range []string{"/v1/products", "/v1/products/101/websites"} {
		if res, body := f.get(t, path+"?dateFrom=x&%zz&a=1;b=2&platforms[]="); res.StatusCode != 200 {
			t.Errorf("%s: %d %s", path, res.StatusCode, body)
		}
	}
}

func TestRequestIDsDiffer(t *testing.T) {
	f := serve(t, nil)
	a, _ := f.get(t, "/v1/products")
	b, _ := f.get(t, "/v1/products")
	if a.Header.Get("Sightline-Request-Id") == b.Header.Get("Sightline-Request-Id") {
		t.Error("two requests have one id")
	}
	if !strings.Contains(f.logged(), a.Header.Get("Sightline-Request-Id")) {
		t.Error("the id is not in the log")
	}
}

func TestTheLogHoldsNoKeyAndNoQuery(t *testing.T) {
	f := serve(t, nil)
	f.get(t, "/v1/products/101/prompts?domain=secret-domain&api_key=topsecret&"+march)
	f.do(t, "GET", "/v1/products", "Bearer "+f.revoked)
	log := f.logged()
	if !strings.Contains(log, "status=401") || !strings.Contains(log, "unknown or revoked key") {
		t.Errorf("requests are not logged: %s", log)
	}
	for _, secret := range []string{f.key, f.revoked, "secret-domain", "topsecret"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q: %s", secret, log)
		}
	}
}

func TestDocumentsNeedNoKey(t *testing.T) {
	f := serve(t, nil)
	for path, want := range map[string]string{"/docs": "<html", "/openapi.yaml": "openapi: 3.1"} {
		res, body := f.do(t, "GET", path, "")
		if res.StatusCode != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.80s", path, res.StatusCode, body)
		}
	}
}

// stubborn is a source of facts that does what a test wants.
type stubborn func(ctx context.Context) error

func (s stubborn) Acquire() (facts.Set, error)                        { return s, nil }
func (s stubborn) Again() facts.Set                                   { return s }
func (s stubborn) Version() int64                                     { return 1 }
func (s stubborn) Edition() int64                                     { return 1 }
func (s stubborn) Dialect() facts.Dialect                             { return duckdb.Dialect{} }
func (s stubborn) Table(t facts.Table, _ []string, _, _ int64) string { return string(t) }
func (s stubborn) Within(facts.Table, int64, int64) string            { return "true" }
func (s stubborn) Has(facts.Table, int64, int64) bool                 { return true }
func (s stubborn) Stretches(_ facts.Table, first, last int64) []facts.Stretch {
	return []facts.Stretch{{First: first, Last: last}}
}
func (s stubborn) Close() {}
func (s stubborn) Query(ctx context.Context, _ facts.Statement, _ func(facts.Scan) error) error {
	return s(ctx)
}

const summary = "/v1/products/101/prompts/summary?domain=acme.com&" + march

func TestFailuresAreThe500AndTheReasonIsLogged(t *testing.T) {
	for name, fail := range map[string]stubborn{
		"an engine that fails": func(context.Context) error { return errors.New("engine on fire") },
		"a panic":              func(context.Context) error { panic("engine on fire") },
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t, func(s *server.Server) { s.Reports = &report.Reports{Facts: fail} })
			res, body := f.get(t, summary)
			if res.StatusCode != 500 || body != `{"message":"Internal server error."}`+"\n" {
				t.Errorf("%d %s", res.StatusCode, body)
			}
			if log := f.logged(); !strings.Contains(log, "engine on fire") {
				t.Errorf("the reason is not in the log: %s", log)
			}
		})
	}
}

func TestAQueryPastItsDeadlineIsThe500(t *testing.T) {
	f := serve(t, func(s *server.Server) {
		s.Timeout = 20 * time.Millisecond
		s.Reports = &report.Reports{Facts: stubborn(func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})}
	})
	if res, body := f.get(t, summary); res.StatusCode != 500 {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

func TestTooManyQueriesAreTurnedAway(t *testing.T) {
	release, running := make(chan struct{}), atomic.Int64{}
	f := serve(t, func(s *server.Server) {
		s.Queries, s.Queue, s.Patience = 2, 1, 20*time.Millisecond
		s.Reports = &report.Reports{Facts: stubborn(func(context.Context) error {
			running.Add(1)
			<-release
			return nil
		})}
	})
	first := make(chan int, 2)
	for i := range 2 {
		go func() {
			res, _ := f.get(t, summary+"&platforms[]="+fmt.Sprint(i))
			first <- res.StatusCode
		}()
	}
	for running.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	res, body := f.get(t, summary)
	if res.StatusCode != 503 || body != `{"message":"Service unavailable."}`+"\n" || res.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s %v", res.StatusCode, body, res.Header)
	}
	close(release)
	for range 2 {
		if status := <-first; status != 200 {
			t.Errorf("a query that had its place: %d", status)
		}
	}
}

func TestAnAnswerThatTheCallerHasIsNotSentAgain(t *testing.T) {
	f := serve(t, nil)
	for _, path := range []string{"/v1/products", "/v1/products/101/websites", summary} {
		first, body := f.get(t, path)
		tag := first.Header.Get("ETag")
		for _, c := range []struct {
			sent   string
			status int
		}{
			{tag, 304}, {"W/" + tag, 304}, {`"x", ` + tag, 304}, {"*", 304}, {`"x"`, 200}, {strings.Trim(tag, `"`), 200},
		} {
			req, err := http.NewRequest("GET", f.URL+path, nil)
			check(t, err)
			req.Header.Set("Authorization", "Bearer "+f.key)
			req.Header.Set("If-None-Match", c.sent)
			res, err := f.client.Do(req)
			check(t, err)
			got, err := io.ReadAll(res.Body)
			check(t, err)
			res.Body.Close()
			want := body
			if c.status == 304 {
				want = ""
			}
			if res.StatusCode != c.status || string(got) != want || res.Header.Get("ETag") != tag {
				t.Errorf("%s, If-None-Match: %s: %d %s", path, c.sent, res.StatusCode, got)
			}
		}
		if res, _ := f.do(t, "GET", path, "Bearer junk"); res.StatusCode != 401 || res.Header.Get("ETag") != "" {
			t.Errorf("%s with a wrong key: %d", path, res.StatusCode)
		}
	}
}

// versioned is facts whose version a test can move on.
type versioned struct {
	stubborn
	version *atomic.Int64
}

func (v versioned) Acquire() (facts.Set, error) { return v, nil }
func (v versioned) Again() facts.Set            { return v }
func (v versioned) Edition() int64              { return v.version.Load() }

func TestAnswersAreRememberedForOneVersionOfTheFacts(t *testing.T) {
	var version, queries atomic.Int64
	f := serve(t, func(s *server.Server) {
		s.Reports = &report.Reports{Facts: versioned{func(context.Context) error { queries.Add(1); return nil }, &version}}
	})
	ask := func(path string) int64 {
		before := queries.Load()
		f.get(t, path)
		return queries.Load() - before
	}
	first := ask(summary)
	if first == 0 {
		t.Fatal("nothing was asked")
	}
	if n := ask(summary); n != 0 {
		t.Errorf("the same question again: %d queries", n)
	}
	if n := ask("/v1/products/101/prompts/summary?dateTo=2026-03-31T23:59:59.000Z&domain=acme.com&unknown=1&dateFrom=2026-03-01T01:00:00%2B01:00"); n != 0 {
		t.Errorf("the same question in other words: %d queries", n)
	}
	if n := ask(summary + "&platforms[]=openai"); n != first {
		t.Errorf("another question: %d queries", n)
	}
	version.Add(1)
	if n := ask(summary); n != first {
		t.Errorf("after a load: %d queries", n)
	}
}

func TestTheTimeOfAReportIsToldIfAskedFor(t *testing.T) {
	for name, timing := range map[string]bool{"asked for": true, "not asked for": false} {
		t.Run(name, func(t *testing.T) {
			f := serve(t, func(s *server.Server) { s.Timing = timing })
			res, _ := f.do(t, "GET", summary, "Bearer "+f.key)
			if got := strings.HasPrefix(res.Header.Get("Server-Timing"), "report;dur="); res.StatusCode != 200 || got != timing {
				t.Errorf("status %d, Server-Timing: %s", res.StatusCode, res.Header.Get("Server-Timing"))
			}
		})
	}
}
