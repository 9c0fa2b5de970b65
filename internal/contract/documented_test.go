package contract_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/contract"
)

// reply is what a test server answers, whatever it is asked.
type reply struct {
	status int
	header http.Header
	body   string
}

func (r reply) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for name, values := range r.header {
		w.Header()[name] = values
	}
	w.WriteHeader(r.status)
	io.WriteString(w, r.body)
}

// recorder is a test that collects its errors instead of failing.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// ask sends one request to a server with one reply and returns what the
// client received and what the contract had to say.
func ask(t *testing.T, method, target string, r http.Handler) (*http.Response, []string) {
	t.Helper()
	server := httptest.NewServer(r)
	defer server.Close()
	req, err := http.NewRequest(method, server.URL+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	rec := &recorder{TB: t}
	before := contract.Requests()
	res, err := contract.NewClient(rec).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if n := contract.Requests() - before; n != 1 {
		t.Errorf("%d responses were checked, not 1", n)
	}
	return res, rec.errors
}

// documented calls f with every route, status and example of the document.
func documented(t *testing.T, f func(path, name string, r reply)) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(api.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		for status, response := range item.Get.Responses.Map() {
			code, err := strconv.Atoi(status)
			if err != nil {
				t.Fatalf("%s: status %q", path, status)
			}
			for kind, media := range response.Value.Content {
				for i, body := range bodies(t, kind, media) {
					r := reply{code, headers(response.Value), body}
					r.contentType(kind)
					f(path, fmt.Sprintf("%s %s %d", path, status, i), r)
				}
			}
		}
	}
}

// contentType fits the headers, which are those of all forms, to one of them.
func (r reply) contentType(kind string) {
	extensions := map[string]string{api.MediaCSV: ".csv", api.MediaNDJSON: ".ndjson", api.MediaParquet: ".parquet"}
	if kind == api.MediaCSV {
		r.header.Set("Content-Type", kind+"; charset=utf-8; header=present")
	} else {
		r.header.Set("Content-Type", kind)
	}
	if extensions[kind] != "" {
		r.header.Set("Content-Disposition", `attachment; filename="sightline-x`+extensions[kind]+`"`)
		return
	}
	r.header.Del("Content-Disposition")
	for name := range r.header {
		if strings.HasPrefix(name, "Sightline-") && (strings.HasSuffix(name, "Page") || strings.Contains(name, "-Total-")) {
			r.header.Del(name)
		}
	}
}

func bodies(t *testing.T, kind string, media *openapi3.MediaType) (all []string) {
	t.Helper()
	switch kind {
	case "application/yaml":
		return []string{string(api.OpenAPI)}
	case "text/html":
		return []string{"<!doctype html><title>Docs</title>"}
	case api.MediaParquet:
		return []string{"PAR1....PAR1"}
	case api.MediaCSV, api.MediaNDJSON:
		return []string{media.Example.(string)}
	}
	values := []any{media.Example}
	for _, example := range media.Examples {
		values = append(values, example.Value.Value)
	}
	for _, value := range values {
		if value == nil {
			continue
		}
		body, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(body))
	}
	return all
}

func headers(response *openapi3.Response) http.Header {
	h := make(http.Header)
	for name, header := range response.Headers {
		h.Set(name, fmt.Sprint(header.Value.Example))
	}
	return h
}

func TestEveryDocumentedResponsePasses(t *testing.T) {
	n := 0
	documented(t, func(path, name string, r reply) {
		n++
		target := strings.Replace(path, "{productId}", "101", 1)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			_, problems := ask(t, method, target, r)
			if len(problems) > 0 {
				t.Errorf("%s %s: %s", method, name, problems)
			}
		}
	})
	// Two routes with 4 statuses, five with 5, seven with three exports, and two pages.
	if n < 2*4+5*5+7*3+2 {
		t.Errorf("only %d responses were found in the document", n)
	}
}

func TestRequestsAreNeverRejected(t *testing.T) {
	bad := reply{http.StatusBadRequest, http.Header{
		"Content-Type": {"application/json"}, "Cache-Control": {"private, no-cache"}, "Vary": {"Authorization"},
		"Sightline-Request-Id": {"0123456789"}, "Sightline-Error-Detail": {"page: must be at least 1"},
	}, `{"message":"Invalid request parameters."}` + "\n"}
	res, problems := ask(t, http.MethodGet, "/v1/products/101/analytics/timeseries?page=0&page=x&%ff=%00", bad)
	if len(problems) > 0 {
		t.Errorf("a documented answer to a bad request was refused: %s", problems)
	}
	if body, err := io.ReadAll(res.Body); err != nil || string(body) != bad.body {
		t.Errorf("the caller read %q, %v; the server wrote %q", body, err, bad.body)
	}
}

func TestClientsMayBeShared(t *testing.T) {
	server := httptest.NewServer(good(http.StatusOK, summaryBody))
	defer server.Close()
	client := contract.NewClient(t)
	before := contract.Requests()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 10 {
				res, err := client.Get(server.URL + summary)
				if err != nil {
					t.Error(err)
					return
				}
				res.Body.Close()
			}
		})
	}
	group.Wait()
	if n := contract.Requests() - before; n != 40 {
		t.Errorf("%d of 40 responses were checked", n)
	}
}
