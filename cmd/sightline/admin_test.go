package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// administered is a program with an admin port.
func administered(t *testing.T, env ...string) (p *program, admin string) {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	p = newProgram(t, filepath.Join(t.TempDir(), "data"), append(env, "SIGHTLINE_ADMIN="+address)...)
	return p, "http://" + address
}

// adminPage reads a page of the admin port.
func adminPage(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// figures are those of /metrics, as the parser of Prometheus reads them.
type figures map[string]*dto.MetricFamily

func scrape(t *testing.T, admin string) figures {
	t.Helper()
	status, text := adminPage(t, admin+"/metrics")
	if status != http.StatusOK {
		t.Fatalf("/metrics: %d %s", status, text)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return families
}

// value is that of the metric with these labels: name, value, ….
func (f figures) value(t *testing.T, name string, labels ...string) float64 {
	t.Helper()
	for _, m := range f[name].GetMetric() {
		has := make(map[string]string)
		for _, l := range m.GetLabel() {
			has[l.GetName()] = l.GetValue()
		}
		all := len(has) == len(labels)/2
		for i := 0; i < len(labels); i += 2 {
			all = all && has[labels[i]] == labels[i+1]
		}
		if all {
			return m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	t.Errorf("there is no %s %v", name, labels)
	return -1
}

func TestTheAdminPortTellsHowTheServerFares(t *testing.T) {
	p, admin := administered(t)
	p.run("load", "pageviews", adminVisits(t))
	p.serve()
	for range 3 {
		if _, err := p.visits(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.get("/v1/products/101/prompts"); err == nil {
		t.Error("no parameters are enough")
	}
	right := p.key
	for key, path := range map[string]string{"": "/v1/products", "sl_wrong": "/v1/products/101/websites", right: "/v1/products/7/websites"} {
		p.key = key
		if _, err := p.get(path); err == nil || !strings.Contains(err.Error(), "401") {
			t.Errorf("%s: %v", path, err)
		}
	}
	p.key = right
	if res, err := http.Get(p.base + "/nowhere/" + right); err == nil {
		res.Body.Close()
	}

	const timeseries = "/v1/products/{productId}/analytics/timeseries"
	f := scrape(t, admin)
	for _, c := range []struct {
		name   string
		want   float64
		labels []string
	}{
		{"sightline_http_requests_total", 3, []string{"route", timeseries, "status", "200"}},
		{"sightline_http_requests_total", 1, []string{"route", "/v1/products/{productId}/prompts", "status", "400"}},
		{"sightline_http_requests_total", 2, []string{"route", "/v1/products/{productId}/websites", "status", "401"}},
		{"sightline_http_requests_total", 1, []string{"route", "none", "status", "404"}},
		{"sightline_http_request_duration_seconds", 3, []string{"route", timeseries}},
		{"sightline_cache_hits_total", 2, nil}, {"sightline_cache_misses_total", 1, nil},
		{"sightline_failed_authentications_total", 1, []string{"reason", "no_key"}},
		{"sightline_failed_authentications_total", 1, []string{"reason", "wrong_key"}},
		{"sightline_failed_authentications_total", 1, []string{"reason", "wrong_product"}},
		{"sightline_failed_authentications_slowed", 0, nil},
		{"sightline_queries_running", 0, nil}, {"sightline_queries_waiting", 0, nil}, {"sightline_queries_turned_away_total", 0, nil},
		{"sightline_facts_version", 1, nil}, {"sightline_check_ok", 1, []string{"check", "facts"}}, {"sightline_check_ok", 1, []string{"check", "catalog"}},
		{"sightline_build_info", 1, []string{"version", version}},
	} {
		if got := f.value(t, c.name, c.labels...); got != c.want {
			t.Errorf("%s %v is %v, want %v", c.name, c.labels, got, c.want)
		}
	}
	for _, positive := range []string{"sightline_cache_bytes", "sightline_engine_memory_bytes", "sightline_catalog_version", "sightline_connections_open",
		"go_goroutines", "process_resident_memory_bytes"} {
		if got := f.value(t, positive); got <= 0 {
			t.Errorf("%s is %v", positive, got)
		}
	}
	newest := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if age := f.value(t, "sightline_newest_event_age_seconds", "kind", "visits"); age < 0 || age > time.Since(newest).Seconds() {
		t.Errorf("the newest visit is %v seconds old", age)
	}
	if _, text := adminPage(t, admin+"/metrics"); strings.Contains(text, right) || strings.Contains(text, "nowhere") {
		t.Error("a caller's words are in the figures")
	}
}

func TestReadinessSaysWhatIsWrong(t *testing.T) {
	p, admin := administered(t)
	p.run("load", "pageviews", adminVisits(t))
	p.serve()
	if status, text := adminPage(t, admin+"/livez"); status != 200 || text != "alive\n" {
		t.Errorf("%d %s", status, text)
	}
	if status, text := adminPage(t, admin+"/readyz"); status != 200 || text != "ready\n" {
		t.Errorf("%d %s", status, text)
	}
	// A catalog that cannot be read is told; the server goes on.
	catalog := filepath.Join(p.data, "catalog.db")
	if err := os.WriteFile(catalog, bytes.Repeat([]byte("nonsense"), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(catalog + "-wal")
	os.Remove(catalog + "-shm")
	var text string
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(text, "catalog: cannot be read; going on with version") && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		_, text = adminPage(t, admin+"/readyz")
	}
	status, text := adminPage(t, admin+"/readyz")
	if status != 200 || !strings.HasPrefix(text, "ready\ncatalog: cannot be read; going on with version") || strings.Count(text, "\n") != 2 {
		t.Errorf("%d %s", status, text)
	}
	if got := scrape(t, admin).value(t, "sightline_check_ok", "check", "catalog"); got != 0 {
		t.Errorf("the check of the catalog is %v", got)
	}
	if _, err := p.visits(); err != nil {
		t.Errorf("it does not go on: %v", err)
	}
}

// SIGTERM: what is under way is answered whole, nothing new is taken, and the exit
// code is 0.
func TestAStopAnswersWhatIsUnderWay(t *testing.T) {
	p, admin := administered(t)
	var log output
	res := underWay(p, &log)
	defer res.Body.Close()
	if err := p.server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	told := false
	for deadline := time.Now().Add(10 * time.Second); !told && time.Now().Before(deadline); {
		status, text := adminPage(t, admin+"/readyz")
		told = status == 503 && strings.Contains(text, "server: stopping")
	}
	if !told {
		t.Error("readiness does not tell of the stop")
	}
	if other, err := http.Get(p.base + "/openapi.yaml"); err == nil {
		other.Body.Close()
		t.Error("a new connection was taken")
	}
	time.Sleep(300 * time.Millisecond) // the reader takes its time
	body, err := io.ReadAll(res.Body)
	if n := bytes.Count(body, []byte(`"timestamp"`)); err != nil || n != underWayRows || !bytes.HasSuffix(body, []byte("]}\n")) {
		t.Errorf("%d rows, %v", n, err)
	}
	read := time.Now()
	if err := p.server.Wait(); err != nil {
		t.Errorf("the server ended with %v: %s", err, log.String())
	}
	if text := log.String(); !strings.Contains(text, `msg="stopping; answering what is under way" requests=1`) || !strings.HasSuffix(text, "msg=stopped\n") {
		t.Errorf("the log says %s", text)
	}
	t.Logf("ended %s after the answer", time.Since(read).Round(time.Millisecond))
	p.server = nil
}

const underWayRows = 15_000

// underWay serves, and returns an answer that is too long to be sent before it is read.
func underWay(p *program, log *output) *http.Response {
	p.t.Helper()
	long := strings.Repeat("/so-that-the-answer-does-not-fit-into-buffers", 20)
	p.run("load", "pageviews", write(p.t, "views.ndjson", underWayRows, func(i int) string {
		return fmt.Sprintf(`{"at":"2026-03-02T09:00:00Z","websiteId":"w-acme","url":"%s/%d","userAgent":"curl/8.5.0"}`, long, i)
	}))
	p.serveTo(log)
	req, err := http.NewRequest("GET", p.base+"/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T00:00:00Z&groupBy[]=urlPath&perPage=1000000", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	return res
}

// A second signal cuts what is under way; the log says so, and is JSON to its end.
func TestASecondSignalEndsAServer(t *testing.T) {
	p, admin := administered(t, "SIGHTLINE_LOG_FORMAT=json")
	var log output
	res := underWay(p, &log)
	defer res.Body.Close()
	if err := p.server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if _, text := adminPage(t, admin+"/readyz"); strings.Contains(text, "server: stopping") {
			break
		}
	}
	if err := p.server.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	signalled := time.Now()
	p.server.Wait()
	if code := p.server.ProcessState.ExitCode(); code != exitFailed || time.Since(signalled) > 20*time.Second {
		t.Errorf("exit code %d after %s", code, time.Since(signalled))
	}
	p.server = nil
	var said []string
	for line := range strings.Lines(log.String()) {
		var event struct{ Msg, Error string }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Errorf("%q is no JSON", line)
		}
		said = append(said, strings.TrimSpace(event.Msg+" "+event.Error))
	}
	text := strings.Join(said, "\n")
	for _, want := range []string{"Sightline answers on ", "stopping; answering what is under way\na second signal: stopping at once\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log does not say %q:\n%s", want, text)
		}
	}
	if !strings.HasSuffix(text, "\nstopped 1 request was cut: a second signal came") {
		t.Errorf("the log ends otherwise:\n%s", text)
	}
}

func adminVisits(t *testing.T) string {
	return write(t, "views.ndjson", 300, func(i int) string {
		return fmt.Sprintf(`{"at":"2026-03-02T09:%02d:00Z","websiteId":"w-acme","url":"/%d","userAgent":"curl/8.5.0"}`, i%60, i)
	})
}
