package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/api"
)

const secretKey = "sl_secretsecretsecret"

// ask runs 'sightline get' against a server that answers as a function says.
func ask(t *testing.T, answer http.HandlerFunc, args ...string) (code int, out, errOut string) {
	t.Helper()
	return runAgainst(t, answer, append([]string{"get"}, args...)...)
}

func runAgainst(t *testing.T, answer http.HandlerFunc, args ...string) (code int, out, errOut string) {
	t.Helper()
	server := httptest.NewServer(answer)
	defer server.Close()
	environment := map[string]string{"SIGHTLINE_API_KEY": secretKey + "\n", "SIGHTLINE_BASE_URL": server.URL, "SIGHTLINE_ATTEMPTS": "1"}
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, func(name string) string { return environment[name] }, nil, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// refuse answers with an error.
func refuse(status int, message, detail string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(api.HeaderErrorDetail, detail)
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"message":%q}`, message)
	}
}

func TestAFailureSaysWhatToDoNext(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		code   int
		want   string
	}{
		{"unauthorized", refuse(401, api.MessageUnauthorized, ""), exitFailed, "401 Unauthorized.: check the key, and that it reaches the product"},
		{"bad request", refuse(400, api.MessageBadRequest, "groupBy[]: too many"), exitUsage, "the server does not accept --group-by: too many\n"},
		{"bad request of another kind", refuse(400, api.MessageBadRequest, "moon phase"), exitUsage, "does not accept moon phase\n"},
		{"bad request without a word", refuse(400, "", ""), exitUsage, "the server does not accept the request\n"},
		{"overload", refuse(503, api.MessageOverloaded, ""), exitFailed, "503 Service unavailable."},
		{"another service", refuse(404, "", ""), exitFailed, "is --base-url (SIGHTLINE_BASE_URL) the address of a server of this API, without its /v1?"},
		{"a page for people", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, exitFailed, "not the JSON of the API"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) }, exitFailed, "check the base URL"},
		{"text that acts on a terminal", refuse(500, "a\u009b31m\u202eb", ""), exitFailed, `500 a\u009b31m\u202eb`},
		{"a detail that acts on a terminal", refuse(400, "", "page: a\u202eb"), exitUsage, `--page: a\u202eb`},
		{"the key itself", refuse(500, "key "+secretKey, ""), exitFailed, "500 key [key]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errOut := ask(t, c.answer, "timeseries", "--product", "101")
			if code != c.code || out != "" || !strings.Contains(errOut, c.want) || strings.Contains(errOut, secretKey) {
				t.Errorf("exit code %d, want %d; printed %q and %q, want %q", code, c.code, out, errOut, c.want)
			}
		})
	}
}

// products answers with what a hostile server may call its products.
func products(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, `[{"id":1,"name":"=A\u001b[2J","website":"https://a.example","domain":"a.example","partnerWebsites":[]},`+
		`{"id":2,"name":"B\u202e","website":"https://b.example","domain":"b.example","partnerWebsites":[]}]`)
}

func TestNamesOfProductsAreHarmless(t *testing.T) {
	code, _, errOut := ask(t, products, "websites")
	if want := `needs --product: the key reaches 1 =A\x1b[2J, 2 B\u202e`; code != exitUsage || !strings.Contains(errOut, want) {
		t.Errorf("exit code %d, %q, want %q", code, errOut, want)
	}
	if _, out, _ := ask(t, products, "products"); !strings.Contains(out, `=A\x1b[2J`) || strings.Contains(out, "\x1b") {
		t.Errorf("printed %q", out)
	}
	if _, out, _ := ask(t, products, "products", "-o", "csv"); !strings.Contains(out, "\n1,'=A\x1b[2J,a.example,") {
		t.Errorf("a file has texts as they are, without formulas, but this is %q", out)
	}
	if _, out, _ := runAgainst(t, products, "__complete", "get", "websites", "--product", ""); !strings.HasPrefix(out, "1\t=A\\x1b[2J\n2\tB\\u202e\n") {
		t.Errorf("completed %q", out)
	}
}

func TestManyProductsAreNotAllListed(t *testing.T) {
	_, _, errOut := ask(t, func(w http.ResponseWriter, _ *http.Request) {
		var all []string
		for i := range 12 {
			all = append(all, fmt.Sprintf(`{"id":%d,"name":"P"}`, i+1))
		}
		fmt.Fprintf(w, "[%s]", strings.Join(all, ","))
	}, "summary")
	if !strings.Contains(errOut, "10 P, and 2 more ('sightline get products')") || strings.Contains(errOut, "11 P") {
		t.Error(errOut)
	}
}

// pages answers a timeseries of two pages, with a total for each.
func pages(totals ...int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		page, next := 1, "2"
		if r.FormValue("page") == "2" {
			page, next = 2, "null"
		}
		fmt.Fprintf(w, `{"previousPage":null,"currentPage":%d,"nextPage":%s,"totalPages":2,"totalItems":%d,"perPage":1,`+
			`"items":[{"timestamp":"2026-03-0%dT00:00:00Z","botVisits":%d}]}`, page, next, totals[page-1], page, page)
	}
}

func TestAllPagesAreOneReport(t *testing.T) {
	code, out, errOut := ask(t, pages(2, 2), "timeseries", "--product", "1", "--all-pages", "-o", "csv")
	want := "timestamp,botVisits\n2026-03-01T00:00:00Z,1\n2026-03-02T00:00:00Z,2\n"
	if code != exitDone || out != want || errOut != "" {
		t.Errorf("exit code %d, %q and %q, want %q", code, out, errOut, want)
	}
	for _, output := range outputs {
		code, _, errOut := ask(t, pages(2, 3), "timeseries", "--product", "1", "--all-pages", "-o", output)
		if code != exitFailed || !strings.Contains(errOut, "the data changed between two pages: ask again") {
			t.Errorf("%s of data that changed: exit code %d, %q", output, code, errOut)
		}
	}
	code, _, errOut = ask(t, pages(2, 3), "timeseries", "--product", "1", "--compare", "--last", "7d")
	if code != exitFailed || !strings.Contains(errOut, "ask again") {
		t.Errorf("a comparison of data that changed: exit code %d, %q", code, errOut)
	}
}

func TestTheSummaryIsAskedForOnceWhereItsRunsAreNotShown(t *testing.T) {
	asked := map[string]int{}
	answer := func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Path]++
		if strings.HasSuffix(r.URL.Path, "/summary") {
			fmt.Fprint(w, `{"position":null,"visibility":null,"rank":null,"totalCompetitors":0}`)
			return
		}
		fmt.Fprint(w, "[]")
	}
	ask(t, answer, "summary", "--product", "1", "--domain", "a.example", "-o", "json")
	if len(asked) != 1 || asked["/v1/products/1/prompts/summary"] != 1 {
		t.Errorf("asked for %v", asked)
	}
	ask(t, answer, "summary", "--product", "1", "--domain", "a.example")
	if asked["/v1/products/1/prompts"] != 1 || asked["/v1/products"] != 0 {
		t.Errorf("asked for %v", asked)
	}
}

func TestAServerThatLeavesGroupingsOutIsAnError(t *testing.T) {
	asked := 0
	code, _, errOut := ask(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			fmt.Fprint(w, `{"byPage":[]}`)
			return
		}
		fmt.Fprint(w, `{}`)
	}, "citations", "--product", "1", "--domain", "a.example", "--compare")
	if code != exitFailed || !strings.Contains(errOut, "groupings") {
		t.Errorf("exit code %d: %s", code, errOut)
	}
}
