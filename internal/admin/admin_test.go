package admin_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/admin"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/server"
)

// closed is facts that cannot be had.
type closed struct{}

func (closed) Acquire() (facts.Set, error) { return nil, errors.New("facts are closed") }

func port(checks ...admin.Check) *admin.Admin {
	return admin.New(admin.Parts{
		Version: "test", Checks: checks, Facts: closed{},
		Server:      func() server.Figures { return server.Figures{TurnedAway: 7} },
		Connections: func() server.ConnectionFigures { return server.ConnectionFigures{Evicted: 3} },
		Catalog:     func() int64 { return 5 },
		Newest:      func(context.Context) (map[facts.Kind]int64, error) { return nil, errors.New("unknown") },
		Certificate: func() time.Time { return time.Unix(2_000_000_000, 0) },
	})
}

func get(a *admin.Admin, method, path string) (int, string) {
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Code, w.Body.String()
}

func TestReadinessListsWhatIsWrongInOrder(t *testing.T) {
	well := admin.Check{Name: "well", Run: func(context.Context) error { return nil }}
	noted := admin.Check{Name: "noted", Run: func(context.Context) error { return admin.Note(errors.New("old, but whole")) }}
	wrong := admin.Check{Name: "wrong", Run: func(context.Context) error { return errors.New("file a.duckdb\nis damaged") }}
	panics := admin.Check{Name: "panics", Run: func(context.Context) error { panic("on fire") }}
	for _, c := range []struct {
		name   string
		checks []admin.Check
		status int
		text   string
	}{
		{"nothing to check", nil, 200, "ready\n"},
		{"all is well", []admin.Check{well}, 200, "ready\n"},
		{"something is noted", []admin.Check{well, noted}, 200, "ready\nnoted: old, but whole\n"},
		{"something is wrong", []admin.Check{noted, wrong, well}, 503, "not ready\nnoted: old, but whole\nwrong: file a.duckdb is damaged\n"},
		{"a check panics", []admin.Check{panics}, 503, "not ready\npanics: panic: on fire\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if status, text := get(port(c.checks...), "GET", "/readyz"); status != c.status || text != c.text {
				t.Errorf("%d %q", status, text)
			}
		})
	}
	if admin.Note(nil) != nil {
		t.Error("no error became one")
	}
}

func TestACheckThatHangsIsGivenUp(t *testing.T) {
	t.Parallel()
	hangs := admin.Check{Name: "hangs", Run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
	started := time.Now()
	status, text := get(port(hangs), "GET", "/readyz")
	if status != 503 || !strings.Contains(text, "hangs: context deadline exceeded") || time.Since(started) > 20*time.Second {
		t.Errorf("%d %q after %s", status, text, time.Since(started))
	}
}

func TestAServerThatStopsLivesAndIsNotReady(t *testing.T) {
	a := port()
	a.Stop()
	if status, text := get(a, "GET", "/readyz"); status != 503 || !strings.Contains(text, "stopping") {
		t.Errorf("%d %q", status, text)
	}
	if status, _ := get(a, "GET", "/livez"); status != 200 {
		t.Errorf("%d", status)
	}
}

func TestFiguresAreToldAsFarAsTheyCanBeRead(t *testing.T) {
	a := port(admin.FactsCheck(live{}, func(context.Context) (map[facts.Kind]int64, error) { return nil, nil }))
	a.Observe("/v1/products", 200, time.Millisecond)
	a.Observe("", 404, time.Millisecond)
	status, text := get(a, "GET", "/metrics")
	for _, want := range []string{
		`sightline_http_requests_total{route="/v1/products",status="200"} 1`, `sightline_http_requests_total{route="none",status="404"} 1`,
		`sightline_queries_turned_away_total 7`, `sightline_connections_evicted_total 3`, `sightline_catalog_version 5`,
		`sightline_check_ok{check="facts"} 0`, `sightline_certificate_expiry_timestamp_seconds 2e+09`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is not there", want)
		}
	}
	if status != 200 || strings.Contains(text, "sightline_facts_version ") {
		t.Errorf("%d %s", status, text)
	}
}

type certificate struct {
	expires time.Time
	refused error
}

func (c certificate) Expires() time.Time { return c.expires }
func (c certificate) Refused() error     { return c.refused }

func TestACertificateThatIsRefusedOrExpiredIsNoted(t *testing.T) {
	past, ahead := time.Unix(1_700_000_000, 0), time.Unix(4_000_000_000, 0)
	for _, c := range []struct {
		name        string
		certificate certificate
		text        string
	}{
		{"a good one", certificate{ahead, nil}, "ready\n"},
		{"expired", certificate{past, nil}, "ready\ncertificate: expired on 2023-11-14T22:13:20Z\n"},
		{"refused", certificate{ahead, errors.New("no key")}, "ready\ncertificate: the new one is not used; going on with the one until 2096-10-02T07:06:40Z: no key\n"},
	} {
		if status, text := get(port(admin.CertificateCheck(c.certificate)), "GET", "/readyz"); status != 200 || text != c.text {
			t.Errorf("%s: %d %q", c.name, status, text)
		}
	}
}

func TestDamagedFilesAreNamedAndTheServerStaysReady(t *testing.T) {
	status, text := get(port(admin.FilesCheck(live{damaged: []facts.Damage{{What: "visits-1 is missing"}, {What: "visits-2 is damaged"}}})), "GET", "/readyz")
	if status != 200 || text != "ready\nfiles: visits-1 is missing\nfiles: visits-2 is damaged\n" {
		t.Errorf("%d %q", status, text)
	}
	if status, text := get(port(admin.FilesCheck(live{})), "GET", "/readyz"); status != 200 || text != "ready\n" {
		t.Errorf("%d %q", status, text)
	}
}

// live is followed facts that cannot be had.
type live struct {
	closed
	damaged []facts.Damage
}

func (live) Err() error                { return nil }
func (l live) Damaged() []facts.Damage { return l.damaged }
func (live) Close() error              { return nil }

func TestThePortOnlyReads(t *testing.T) {
	for _, path := range []string{"/livez", "/readyz", "/metrics"} {
		if status, _ := get(port(), "POST", path); status != 405 {
			t.Errorf("POST %s: %d", path, status)
		}
	}
	for _, path := range []string{"/", "/debug/pprof/", "/v1/products"} {
		if status, _ := get(port(), "GET", path); status != 404 {
			t.Errorf("%s: %d", path, status)
		}
	}
}
