package check_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/check"
)

// says answers everything with one body.
func says(body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, body)
	})
}

func TestNonsenseFailsAndNothingElse(t *testing.T) {
	for _, body := range []string{
		"", "null", "[]", "{}", "[{}]", `"x"`, "7", "[[]]", `{"items":[{}],"totalItems":9,"totalPages":3}`, "\xff", "<p>Welcome",
		`[{"id":101,"domain":"a.example"}]`, `[{"id":101,"date":"x","promptText":null,"platform":"p"}]`,
		`{"items":[{"timestamp":7,"botVisits":"x"}],"byPage":[{}],"byProperty":null,"totalItems":1,"totalPages":1}`,
	} {
		r := against(t, says(body), nil)
		if r.OK() || r.Count(check.Failed) < 10 {
			t.Errorf("%q: %d passed, %d failed", body, r.Count(check.Passed), r.Count(check.Failed))
		}
	}
}

// Products as they should be, and nonsense everywhere else.
func TestNonsenseReportsFail(t *testing.T) {
	for _, body := range []string{"null", "[]", "{}", "[{}]", `{"items":[{"timestamp":"x"}],"totalItems":9,"totalPages":1}`, `[{"date":"x"}]`} {
		r := against(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/products" || on(r, "/websites") {
				world.handler.ServeHTTP(w, r)
				return
			}
			says(body).ServeHTTP(w, r)
		}), nil)
		if r.OK() || r.Count(check.Failed) < 10 {
			t.Errorf("%q: %d passed, %d failed", body, r.Count(check.Passed), r.Count(check.Failed))
		}
	}
}

func TestReportsThatFailAreNotTakenForNoData(t *testing.T) {
	r := against(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if on(r, "/timeseries") && r.Header.Get("Authorization") != "" {
			http.Error(w, `{"message":"Internal server error."}`, http.StatusInternalServerError)
			return
		}
		world.handler.ServeHTTP(w, r)
	}), func(o *check.Options) { o.Only = []string{"paging/", "timeseries/"} })
	if r.Count(check.Failed) != len(r.Outcomes) || len(r.Outcomes) == 0 {
		t.Errorf("%d of %d failed", r.Count(check.Failed), len(r.Outcomes))
	}
}

func failed(r check.Report) (all []check.Outcome) {
	for _, o := range r.Outcomes {
		if o.State == check.Failed {
			all = append(all, o)
		}
	}
	return all
}

func TestUsedUpRequestsAreNoSuccess(t *testing.T) {
	r := against(t, world.handler, func(o *check.Options) { o.MaxRequests = 40 })
	if r.OK() || r.Count(check.NotRun) == 0 || r.Count(check.Passed) == 0 || r.Count(check.Failed) > 0 || r.Requests != 40 {
		t.Errorf("%d passed, %d not run, %d requests; failed: %+v", r.Count(check.Passed), r.Count(check.NotRun), r.Requests, failed(r))
	}
}

func TestFailFastStops(t *testing.T) {
	r := against(t, says("[]"), func(o *check.Options) { o.FailFast = true })
	if n := len(r.Outcomes); r.Count(check.Failed) != 1 || n == 0 || r.Outcomes[n-1].State != check.Failed {
		t.Errorf("%d outcomes, %d failed", n, r.Count(check.Failed))
	}
}

func TestNothingCheckedIsNoSuccess(t *testing.T) {
	r := against(t, world.handler, func(o *check.Options) { o.Only, o.SecondKey = []string{"auth/foreign-product"}, "" })
	if len(r.Outcomes) != 1 || r.Count(check.NotApplicable) != 1 || r.OK() {
		t.Errorf("%+v", r)
	}
	if (check.Report{}).OK() {
		t.Error("an empty report is all right")
	}
}

func TestAKeyWithoutProducts(t *testing.T) {
	r := against(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/products" && r.Header.Get("Authorization") == "Bearer "+world.northwind && r.Method == http.MethodGet {
			rec := httptest.NewRecorder()
			world.handler.ServeHTTP(rec, r)
			for name, values := range rec.Header() {
				w.Header()[name] = values
			}
			w.Header().Set("Content-Length", "3")
			io.WriteString(w, "[]\n")
			return
		}
		world.handler.ServeHTTP(w, r)
	}), func(o *check.Options) { o.SecondKey = "" })
	for _, o := range r.Outcomes {
		if o.State == check.Failed {
			t.Errorf("%s: %s\n%s", o.Name, o.Request, o.Seen)
		}
	}
	if r.Count(check.Passed) < 10 || r.Count(check.NotApplicable) < 40 {
		t.Errorf("%d passed, %d not applicable", r.Count(check.Passed), r.Count(check.NotApplicable))
	}
}

func TestAnOverloadedServerIsAskedAgain(t *testing.T) {
	var n atomic.Int64
	r := against(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1)%2 == 0 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		world.handler.ServeHTTP(w, r)
	}), func(o *check.Options) { o.Only = []string{"products/", "auth/missing-key"} })
	if !r.OK() || n.Load() < 10 {
		t.Errorf("%d requests: %+v", n.Load(), r.Outcomes)
	}
}

func TestTheKeysAreNeverShown(t *testing.T) {
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Caller", r.Header.Get("Authorization"))
		io.WriteString(w, `{"message":"you are `+r.Header.Get("Authorization")+`"}`)
	})
	r := against(t, echo, nil)
	var out bytes.Buffer
	for _, err := range []error{r.WriteTable(&out), r.WriteJSON(&out), r.WriteJUnit(&out)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	text := strings.ToLower(out.String())
	for _, key := range []string{world.northwind, world.solstice} {
		if strings.Contains(text, strings.ToLower(key[3:20])) {
			t.Error("a key is shown")
		}
	}
	if !strings.Contains(text, "you are bearer (key)") {
		t.Error("nothing was shown at all")
	}
}

func TestTheRunItselfCanFail(t *testing.T) {
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	running := httptest.NewServer(world.handler)
	defer running.Close()
	cases := map[string]struct {
		change func(*check.Options)
		want   string
	}{
		"nobody answers":        {func(o *check.Options) { o.BaseURL = dead.URL }, "does not answer"},
		"no address":            {func(o *check.Options) { o.BaseURL = "localhost:8080" }, "needs a plain http or https address"},
		"an address with a key": {func(o *check.Options) { o.BaseURL = "https://me:secret@a.example" }, "needs a plain http or https address"},
		"a foreign product":     {func(o *check.Options) { o.Products = []int64{101, 103} }, "product 103 is not one of the key's"},
		"a wrong key":           {func(o *check.Options) { o.Key = "secret" }, "does not accept the key (401"},
		"a wrong address":       {func(o *check.Options) { o.BaseURL += "/v1" }, "has no GET /v1/products (404)"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			o := check.Options{BaseURL: running.URL, Key: world.northwind, Timeout: time.Minute, MaxRequests: 100}
			c.change(&o)
			if _, err := check.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v", err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check.Run(ctx, check.Options{BaseURL: running.URL, MaxRequests: 100}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

func TestASlowAnswerIsAFailure(t *testing.T) {
	r := against(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if on(r, "/websites") {
			select {
			case <-r.Context().Done():
			case <-time.After(10 * time.Second):
			}
		}
		world.handler.ServeHTTP(w, r)
	}), func(o *check.Options) {
		o.Only, o.Products, o.Timeout = []string{"products/websites-order"}, []int64{101}, 200*time.Millisecond
	})
	if len(r.Outcomes) != 1 || r.Outcomes[0].State != check.Failed || !strings.Contains(r.Outcomes[0].Seen, "no answer") {
		t.Errorf("%+v", r.Outcomes)
	}
}

func TestRoutesMayBeginBelowAPath(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/reports/", http.StripPrefix("/reports", world.handler))
	r := against(t, mux, func(o *check.Options) {
		o.BaseURL += "/reports/"
		o.Only, o.Products = []string{"products/", "auth/missing-key", "paging/empty", "answers/"}, []int64{101}
	})
	if !r.OK() {
		t.Errorf("%+v", r.Outcomes)
	}
}

func TestChecksIntroduceThemselves(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range check.Checks {
		group, name, ok := strings.Cut(c.Name, "/")
		if !ok || group == "" || name == "" || seen[c.Name] || !strings.HasSuffix(c.Promise, ".") || c.Where == "" {
			t.Errorf("%+v", c)
		}
		seen[c.Name] = true
	}
	if !check.Known([]string{"paging/", "auth/missing-key"}) || check.Known([]string{"paging/", "nonsense"}) {
		t.Error("names are not known")
	}
}
