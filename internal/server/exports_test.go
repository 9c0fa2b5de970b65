package server_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/report"
	"github.com/sightline-hq/sightline/internal/server"
)

const (
	csv     = "text/csv"
	ndjson  = "application/x-ndjson"
	parquet = "application/vnd.apache.parquet"
)

// reports are the seven, and what their files are called.
var reports = map[string]string{
	"/v1/products":              "sightline-products",
	"/v1/products/101/websites": "sightline-websites-101",
	"/v1/products/101/prompts?domain=acme.com&" + march: "sightline-prompts-101-2026-03-01-2026-03-31",
	summary: "sightline-summary-101-2026-03-01-2026-03-31",
	"/v1/products/101/prompts/dates?domain=acme.com&" + march:            "sightline-dates-101-2026-03-01-2026-03-31",
	"/v1/products/101/citations?domain=acme.com&" + march:                "sightline-citations-101-2026-03-01-2026-03-31",
	"/v1/products/101/citations?groupBy=byPage&domain=acme.com&" + march: "sightline-citations-by-page-101-2026-03-01-2026-03-31",
	"/v1/products/101/analytics/timeseries?page=2&" + march:              "sightline-timeseries-101-2026-03-01-2026-03-31-page-2",
}

// as asks for an answer in a form.
func (f *fixture) as(t *testing.T, method, path, accept, etag string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, f.URL+path, nil)
	check(t, err)
	req.Header.Set("Authorization", "Bearer "+f.key)
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	res, err := f.client.Do(req)
	check(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check(t, err)
	return res, string(body)
}

func TestEveryReportComesInEveryForm(t *testing.T) {
	f := serve(t, nil)
	for path, file := range reports {
		tags := make(map[string]string)
		for accept, want := range map[string]struct{ kind, extension string }{
			"": {"application/json", ""}, csv: {"text/csv; charset=utf-8; header=present", ".csv"}, ndjson: {ndjson, ".ndjson"}, parquet: {parquet, ".parquet"},
		} {
			get, body := f.as(t, "GET", path, accept, "")
			disposition := `attachment; filename="` + file + want.extension + `"`
			if accept == "" {
				disposition = ""
			}
			h := get.Header
			if get.StatusCode != 200 || h.Get("Content-Type") != want.kind || h.Get("Content-Disposition") != disposition || h.Get("Vary") != "Authorization, Accept" {
				t.Errorf("%s as %q: %d %v", path, accept, get.StatusCode, h)
			}
			if other, taken := tags[h.Get("ETag")]; taken {
				t.Errorf("%s: %q and %q have the same tag", path, accept, other)
			}
			tags[h.Get("ETag")] = accept
			head, empty := f.as(t, "HEAD", path, accept, "")
			for _, h := range []http.Header{h, head.Header} {
				h.Del("Date")
				h.Del("Sightline-Request-Id")
			}
			if diff := cmp.Diff(h, head.Header); diff != "" || empty != "" || head.ContentLength != int64(len(body)) {
				t.Errorf("%s as %q: HEAD differs: %s", path, accept, diff)
			}
		}
		for etag, accept := range tags {
			for _, asked := range []string{"", csv, ndjson, parquet} {
				want := http.StatusOK
				if asked == accept {
					want = http.StatusNotModified
				}
				res, body := f.as(t, "GET", path, asked, etag)
				if res.StatusCode != want || want == 304 && (body != "" || res.Header.Get("ETag") != etag || res.Header.Get("Content-Disposition") != "") {
					t.Errorf("%s as %q with the tag of %q: %d %q", path, asked, accept, res.StatusCode, body)
				}
			}
		}
	}
}

func TestJSONIsTheDefaultForEveryAccept(t *testing.T) {
	f := serve(t, nil)
	for path := range reports {
		first, want := f.as(t, "GET", path, "", "")
		for _, accept := range []string{"*/*", "application/json", "application/json, text/csv;q=0.9", "text/html, */*;q=0.1", "image/png", "nonsense;;", "text/csv;q=0"} {
			res, body := f.as(t, "GET", path, accept, "")
			if body != want || res.Header.Get("ETag") != first.Header.Get("ETag") || res.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s with Accept: %s: %s", path, accept, body)
			}
		}
	}
}

func TestErrorsAreJSONWhateverIsAccepted(t *testing.T) {
	f := serve(t, func(s *server.Server) {
		s.Reports = &report.Reports{Facts: stubborn(func(context.Context) error { return errors.New("engine on fire") })}
	})
	for path, status := range map[string]int{
		"/v1/products/7/websites": 401, "/v1/products/101/prompts": 400, "/nowhere": 404, summary: 500,
		"/v1/products/101/analytics/timeseries?perPage=1000000&" + march: 500,
	} {
		for _, accept := range []string{csv, ndjson, parquet} {
			res, body := f.as(t, "GET", path, accept, "")
			if res.StatusCode != status || !strings.HasPrefix(body, `{"message":"`) || res.Header.Get("Vary") != "Authorization" || res.Header.Get("Content-Disposition") != "" {
				t.Errorf("%s as %s: %d %s %v", path, accept, res.StatusCode, body, res.Header)
			}
		}
	}
}

func TestEachFormIsRememberedForItself(t *testing.T) {
	var version, queries atomic.Int64
	f := serve(t, func(s *server.Server) {
		s.Reports = &report.Reports{Facts: versioned{func(context.Context) error { queries.Add(1); return nil }, &version}}
	})
	seen := make(map[string]bool)
	for _, accept := range []string{"", csv, ndjson, parquet} {
		before := queries.Load()
		first, _ := f.as(t, "GET", summary, accept, "")
		if queries.Load() == before || seen[first.Header.Get("Content-Type")] {
			t.Errorf("%q was answered from another form", accept)
		}
		seen[first.Header.Get("Content-Type")] = true
		before = queries.Load()
		if again, _ := f.as(t, "GET", summary, accept, ""); queries.Load() != before || again.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
			t.Errorf("%q again: %v", accept, again.Header)
		}
	}
}

// rows is facts that count a million rows, give some of them, and then fail.
type rows struct {
	stubborn
	some int
}

func (r rows) Acquire() (facts.Set, error) { return r, nil }
func (r rows) Again() facts.Set            { return r }
func (r rows) Query(_ context.Context, s facts.Statement, each func(facts.Scan) error) error {
	fill := func(n int64) facts.Scan {
		return func(into ...any) error {
			for _, v := range into {
				if i, ok := v.(*facts.Int); ok {
					*i = facts.Int(n)
				}
			}
			return nil
		}
	}
	if !strings.Contains(strings.ToLower(s.SQL), "limit") {
		return each(fill(1_000_000))
	}
	for range r.some {
		if err := each(fill(1)); err != nil {
			return err
		}
	}
	return errors.New("engine on fire")
}

func TestAnExportThatFailsIsNeverTakenForAWholeOne(t *testing.T) {
	for _, accept := range []string{"", csv, ndjson, parquet} {
		late := 50_000
		if accept == parquet {
			late = 400_000 // a group of rows is sent when it is complete
		}
		for _, some := range []int{1, late} {
			f := serve(t, func(s *server.Server) { s.Reports = &report.Reports{Facts: rows{some: some}} })
			req, err := http.NewRequest("GET", f.URL+"/v1/products/101/analytics/timeseries?groupBy[]=urlPath&perPage=1000000&"+march, nil)
			check(t, err)
			req.Header.Set("Authorization", "Bearer "+f.key)
			req.Header.Set("Accept", accept)
			res, err := f.client.Do(req)
			check(t, err)
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			early := some == 1
			if early && (res.StatusCode != 500 || err != nil || string(body) != `{"message":"Internal server error."}`+"\n" || res.Header.Get("Sightline-Total-Items") != "") {
				t.Errorf("%q fails at once: %d, %d bytes, %v, %v", accept, res.StatusCode, len(body), err, res.Header)
			}
			if !early && (res.StatusCode != 200 || err == nil) {
				t.Errorf("%q fails late: %d, %d bytes, %v", accept, res.StatusCode, len(body), err)
			}
		}
	}
}
