package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/faults"
)

// twoWeeks is visits and answers in the weeks of March 2 and March 9, one line each.
func twoWeeks(p *program) {
	visit := func(i int) string {
		return fmt.Sprintf(`{"at":"2026-03-%02dT09:00:00Z","websiteId":"w-acme","url":"https://acme.com/%d","userAgent":"curl/8.5.0"}`, 2+7*(i%2), i)
	}
	answer := func(i int) string {
		return fmt.Sprintf(`{"id":"%d","promptId":11,"platform":"openai","at":"2026-03-%02dT09:00:00Z","mentions":[{"productId":101,"position":1}],"citations":["https://a.example/%d"]}`, i, 2+7*(i%2), i)
	}
	must(p.t, "--data", p.data, "load", "pageviews", write(p.t, "v.ndjson", 10, visit))
	must(p.t, "--data", p.data, "load", "answers", write(p.t, "a.ndjson", 10, answer))
}

// questions are the reports on a week, by its Monday in March; each time anew, so
// that none is answered from memory.
func questions(monday, salt int) []string {
	window := fmt.Sprintf("dateFrom=2026-03-%02dT00:00:00Z&dateTo=2026-03-%02dT23:59:59Z&salt=%d", monday, monday+6, salt)
	return []string{
		"/v1/products/101/analytics/timeseries?" + window,
		"/v1/products/101/analytics/timeseries?groupBy[]=urlPath&" + window,
		"/v1/products/101/prompts?domain=acme.com&" + window,
		"/v1/products/101/prompts/summary?domain=acme.com&" + window,
		"/v1/products/101/prompts/dates?domain=acme.com&" + window,
		"/v1/products/101/citations?domain=acme.com&" + window,
	}
}

// A weekly file is broken under a running server: that week's reports are right
// or the 500, those of the other week are right; a backup heals it without a restart.
func TestADamagedWeekIsThe500AndTheOthersGoOn(t *testing.T) {
	f := faults.New(t)
	port := must2(freePort())(t)
	admin := fmt.Sprintf("127.0.0.1:%d", port)
	p := newProgram(t, filepath.Join(t.TempDir(), "data"), "SIGHTLINE_NO_CACHE=true", "SIGHTLINE_ADMIN="+admin)
	twoWeeks(p)
	saved := filepath.Join(t.TempDir(), "saved")
	must(t, "--data", p.data, "backup", saved)
	var log output
	p.serveTo(&log)
	want := map[int][]string{}
	for _, monday := range []int{2, 9} {
		for _, q := range questions(monday, 0) {
			want[monday] = append(want[monday], must2(p.get(q))(t))
		}
	}
	salt := 0
	// ask counts the failures of a week; any other answer must be the right one.
	ask := func(monday int) (failed int) {
		salt++
		for i, q := range questions(monday, salt) {
			answer, err := p.get(q)
			if err != nil && strings.Contains(err.Error(), "status 500") {
				failed++
			} else if err != nil || answer != want[monday][i] {
				t.Fatalf("%s: %s %v, want %s", q, answer, err, want[monday][i])
			}
		}
		return failed
	}
	for _, name := range []string{"visits", "answers"} {
		path, err := filepath.Glob(filepath.Join(p.data, "facts", name+"-20260302-*.duckdb"))
		if err != nil || len(path) != 1 {
			t.Fatal(path, err)
		}
		for _, fault := range f.Some(3) {
			if fault.Name == "missing" {
				continue // it is open: internal/facts/duckdb has that
			}
			fault.Break(path[0])
			lost := map[string]int{"visits": 2, "answers": 4}[name]
			p.until(func() (string, error) { return fmt.Sprint(ask(2)), nil }, fmt.Sprint(lost))
			p.until(func() (string, error) { // the engine may fail before the file is known to be the reason
				text := readiness(t, admin)
				named := strings.Contains(text, path[0]) && strings.Contains(text, "sightline restore DIR --repair")
				return fmt.Sprintf("%.5s, named %t", text, named), nil
			}, "ready, named true")
			if failed := ask(9); failed > 0 {
				t.Errorf("%s %s: %d reports on another week fail", name, fault.Name, failed)
			}
			must(t, "--data", p.data, "restore", "--repair", saved)
			p.until(func() (string, error) { return fmt.Sprint(ask(2)), nil }, "0")
			p.until(func() (string, error) { return readiness(t, admin), nil }, "ready\n")
		}
	}
	p.stop()
	for _, text := range []string{"a file of facts is damaged", "visits-20260302-v1.duckdb", "answers-20260302-v2.duckdb", "all files of facts are whole again", "sightline restore DIR --repair"} {
		if !strings.Contains(log.String(), text) {
			t.Errorf("the log does not say %q:\n%s", text, log.String())
		}
	}
}

func readiness(t *testing.T, admin string) string {
	t.Helper()
	res := must2(http.Get("http://" + admin + "/readyz"))(t)
	defer res.Body.Close()
	return string(must2(io.ReadAll(res.Body))(t))
}

// The catalog is broken under a running server: it goes on with what it knows,
// and follows again when the catalog is back.
func TestADamagedCatalogLeavesTheServerWithWhatItKnows(t *testing.T) {
	f := faults.New(t)
	p := newProgram(t, filepath.Join(t.TempDir(), "data"))
	twoWeeks(p)
	var log output
	p.serveTo(&log)
	before := p.wait("5")
	path := filepath.Join(p.data, "catalog.db")
	for _, fault := range []faults.Fault{{Name: "missing", Break: f.Remove}, {Name: "emptied", Break: f.Empty}, {Name: "overwritten", Break: func(path string) { f.OverwriteAt(path, 0) }}} {
		restore := f.Keep(path)
		fault.Break(path)
		time.Sleep(2 * pollEvery)
		p.until(p.visits, before)
		said, code := sightline("--data", p.data, "serve", "--listen", "127.0.0.1:0")
		if code != exitFailed || !strings.Contains(said, path) {
			t.Errorf("a server that starts with a catalog that is %s: %d %s", fault.Name, code, said)
		}
		restore()
	}
	p.key = strings.TrimSpace(p.run("key", "create", "--team", "acme"))
	p.until(p.visits, before) // it follows the catalog again
	p.stop()
	if text := log.String(); !strings.Contains(text, "cannot follow the catalog; going on with what is known") || !strings.Contains(text, "following the catalog again") {
		t.Errorf("the log says:\n%s", text)
	}
}

// A byte of the catalog changes so that a revoked key would work again: it does not,
// others do, and everybody who looks is told which key it is.
func TestADamagedKeyIsThe401AndOthersGoOn(t *testing.T) {
	admin := fmt.Sprintf("127.0.0.1:%d", must2(freePort())(t))
	p := newProgram(t, filepath.Join(t.TempDir(), "data"), "SIGHTLINE_ADMIN="+admin)
	twoWeeks(p)
	first := p.key
	revoked := strings.TrimSpace(p.run("key", "create", "--team", "acme", "--name", "revoked"))
	id := regexp.MustCompile(`(k_\S+) .* revoked `).FindStringSubmatch(p.run("key", "list"))[1]
	p.run("key", "revoke", id)
	var log output
	p.serveTo(&log)
	want := p.wait("5")
	db := must2(sql.Open("sqlite", filepath.Join(p.data, "catalog.db")))(t)
	defer db.Close()
	must2(db.Exec(`update api_keys set revoked_at = null where id = ?; update meta set catalog_version = catalog_version + 1`, id))(t)
	const advice = " is damaged, and no longer works: remove it with 'sightline key revoke "
	p.until(func() (string, error) {
		return fmt.Sprint(strings.Contains(readiness(t, admin), "catalog: key "+id+advice+id)), nil
	}, "true")
	p.key = revoked
	if answer, err := p.visits(); err == nil || !strings.Contains(err.Error(), "status 401") {
		t.Errorf("the revoked key gets %s, %v", answer, err)
	}
	p.key = first
	p.until(p.visits, want)
	if said, code := sightline("--data", p.data, "verify"); code != exitFailed || !strings.Contains(said, "catalog.db: key "+id+advice) {
		t.Errorf("verify says %d %s", code, said)
	}
	if list := p.run("key", "list"); !strings.Contains(list, "damaged") {
		t.Errorf("listed as %s", list)
	}
	p.run("key", "revoke", id)
	p.until(func() (string, error) { return readiness(t, admin), nil }, "ready\n")
	must(t, "--data", p.data, "verify")
	p.stop()
	if text := log.String(); !strings.Contains(text, "a key is damaged and refused; others go on") || !strings.Contains(text, "all keys are whole again") {
		t.Errorf("the log says:\n%s", text)
	}
}

// Connections are cut off and stall in the middle of requests and answers: what
// arrives whole is right, the rest is seen to be broken, and the server does not mind.
func TestConnectionsThatBreakNeverGiveAWrongAnswer(t *testing.T) {
	f := faults.New(t)
	p := newProgram(t, filepath.Join(t.TempDir(), "data"))
	twoWeeks(p)
	p.serve()
	want := make(map[string]string)
	for _, q := range questions(2, 0) {
		want[q] = must2(p.get(q))(t)
	}
	proxy := f.NewProxy(strings.TrimPrefix(p.base, "http://"))
	direct := p.base
	p.base, p.client = "http://"+proxy.Addr, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	whole := 0
	for range 3 * f.Rounds() {
		for q, right := range want {
			switch answer, err := p.get(q); {
			case err == nil && answer != right:
				t.Fatalf("%s: a broken connection gives %s", q, answer)
			case err == nil:
				whole++
			case strings.HasPrefix(err.Error(), "status "):
				t.Fatalf("%s: a broken connection gives %v", q, err)
			}
		}
	}
	if proxy.Broken() == 0 || whole == 0 {
		t.Errorf("%d connections were broken, %d answers whole", proxy.Broken(), whole)
	}
	p.base = direct
	for q, right := range want {
		if answer := must2(p.get(q))(t); answer != right {
			t.Errorf("%s: afterwards the server says %s", q, answer)
		}
	}
}
