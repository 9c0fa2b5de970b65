package contract_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/contract"
	"github.com/sightline-hq/sightline/internal/contract/document"
)

const (
	summary    = "/v1/products/101/prompts/summary"
	timeseries = "/v1/products/101/analytics/timeseries"
	products   = "/v1/products"
)

// good returns a right answer to change.
func good(status int, body string) reply {
	h := http.Header{}
	for _, line := range []string{
		"Content-Type: application/json", "Sightline-Request-Id: abc_DEF-123",
		"Cache-Control: private, no-cache", "Vary: Authorization",
	} {
		name, value, _ := strings.Cut(line, ": ")
		h.Set(name, value)
	}
	if status == 200 {
		h.Set("Vary", "Authorization, Accept")
	}
	extra := map[int][2]string{
		400: {"Sightline-Error-Detail", "dateFrom: required"}, 401: {"WWW-Authenticate", "Bearer"},
		405: {"Allow", "GET, HEAD"}, 503: {"Retry-After", "2"},
	}
	if e, ok := extra[status]; ok {
		h.Set(e[0], e[1])
	}
	return reply{status, h, body}
}

// exported returns a right export to change.
func exported(kind, extension, body string) reply {
	return good(200, body).with("Content-Type", kind).with("Content-Disposition", `attachment; filename="sightline-x`+extension+`"`)
}

// paged adds the numbers of a page.
func (r reply) paged() reply {
	for _, name := range []string{"Current-Page", "Total-Pages", "Total-Items", "Per-Page"} {
		r.header.Set("Sightline-"+name, "1")
	}
	return r
}

func (r reply) with(name, value string) reply {
	r.header.Set(name, value)
	return r
}

func (r reply) without(name string) reply {
	r.header.Del(name)
	return r
}

const (
	summaryBody = `{"position":1.5,"visibility":0.5,"rank":1,"totalCompetitors":2}`
	unauthBody  = `{"message":"Unauthorized."}`
	csvType     = "text/csv; charset=utf-8; header=present"
	ndjsonType  = "application/x-ndjson"
	parquetType = "application/vnd.apache.parquet"
	summaryCSV  = "position,visibility,rank,totalCompetitors\r\n1.5,0.5,1,2\r\n"
	seriesCSV   = "timestamp,botVisits\r\n2026-03-02T00:00:00Z,1\r\n"
	pageBody    = `{"previousPage":null,"currentPage":1,"nextPage":null,"totalPages":1,"totalItems":1,"perPage":20,"items":[ROW]}`
)

func row(fields string) string { return strings.Replace(pageBody, "ROW", fields, 1) }

func TestBrokenResponsesAreCaught(t *testing.T) {
	cases := []struct {
		name, method, target string
		reply                reply
		want                 string // empty: right
	}{
		{"nothing wrong", "GET", summary, good(200, summaryBody), ""},
		{"final newline", "GET", summary, good(200, summaryBody+"\n"), ""},
		{"row with one metric", "GET", timeseries, good(200, row(`{"timestamp":"2026-03-02T00:00:00Z","botVisits":1}`)), ""},

		{"further field", "GET", summary, good(200, strings.Replace(summaryBody, "}", `,"x":1}`, 1)), `'x' not allowed`},
		{"nullable field missing", "GET", summary, good(200, strings.Replace(summaryBody, `"position":1.5,`, "", 1)), `missing property 'position'`},
		{"null where none is allowed", "GET", summary, good(200, strings.Replace(summaryBody, `:2`, ":null", 1)), "totalCompetitors"},
		{"string for a number", "GET", summary, good(200, strings.Replace(summaryBody, `1.5`, `"1.5"`, 1)), "position"},
		{"fraction for an integer", "GET", summary, good(200, strings.Replace(summaryBody, `"rank":1`, `"rank":1.5`, 1)), "rank"},
		{"visibility above 1", "GET", summary, good(200, strings.Replace(summaryBody, `0.5`, `50`, 1)), "visibility"},
		{"object for an array", "GET", products, good(200, `{}`), "array"},
		{"null for an array", "GET", products, good(200, `null`), "nullable"},
		{"broken nested row", "GET", timeseries, good(200, row(`{"timestamp":"2026-03-02T00:00:00Z","botVisits":-1}`)), "botVisits"},
		{"bare date", "GET", timeseries, good(200, row(`{"timestamp":"2026-03-02"}`)), "timestamp"},
		{"bucket that starts at noon", "GET", timeseries, good(200, row(`{"timestamp":"2026-03-02T12:00:00Z"}`)), "timestamp"},
		{"no citation list", "GET", "/v1/products/101/citations", good(200, `{}`), "properties"},

		{"cut body", "GET", summary, good(200, summaryBody[:20]), "body"},
		{"empty body", "GET", summary, good(200, ""), "body"},
		{"second value", "GET", products, good(200, `[][]`), "follows"},
		{"key twice", "GET", summary, good(200, strings.Replace(summaryBody, "}", `,"rank":1}`, 1)), `"rank" twice`},
		{"invalid UTF-8", "GET", products, good(200, "[\"\xff\"]"), "UTF-8"},

		{"undocumented status", "GET", products, good(400, `{"message":"Invalid request parameters."}`), "400 is not documented"},
		{"teapot", "GET", summary, good(418, `{"message":"Teapot."}`), "418 is not documented"},
		{"redirect", "GET", summary, good(307, "").with("Location", products), "307 is not documented"},
		{"404 on a documented path", "GET", summary, good(404, `{"message":"Not found."}`), "404 is not documented"},

		{"another message", "GET", summary, good(401, `{"message":"Key revoked."}`), "exactly"},
		{"message of another status", "GET", summary, good(500, unauthBody), "exactly"},
		{"message with spaces", "GET", summary, good(401, `{"message": "Unauthorized."}`), "exactly"},
		{"further field in an error", "GET", summary, good(401, `{"message":"Unauthorized.","code":7}`), "exactly"},

		{"plain text", "GET", summary, good(200, summaryBody).with("Content-Type", "text/plain"), "Content-Type"},
		{"JSON with charset", "GET", summary, good(200, summaryBody).with("Content-Type", "application/json; charset=utf-8"), "Content-Type"},
		{"no request id", "GET", summary, good(200, summaryBody).without("Sightline-Request-Id"), "Sightline-Request-Id"},
		{"short request id", "GET", summary, good(200, summaryBody).with("Sightline-Request-Id", "abc"), "Sightline-Request-Id"},
		{"no Cache-Control", "GET", summary, good(200, summaryBody).without("Cache-Control"), "Cache-Control"},
		{"public", "GET", summary, good(401, unauthBody).with("Cache-Control", "public"), "Cache-Control"},
		{"no Vary", "GET", summary, good(401, unauthBody).without("Vary"), "Vary"},
		{"no WWW-Authenticate", "GET", summary, good(401, unauthBody).without("WWW-Authenticate"), "WWW-Authenticate"},
		{"detail on a 401", "GET", summary, good(401, unauthBody).with("Sightline-Error-Detail", "key: revoked"), "only a 400"},
		{"no detail on a 400", "GET", summary, good(400, `{"message":"Invalid request parameters."}`).without("Sightline-Error-Detail"), "Sightline-Error-Detail"},
		{"no Retry-After", "GET", summary, good(503, `{"message":"Service unavailable."}`).without("Retry-After"), "Retry-After"},
		{"Retry-After in words", "GET", summary, good(503, `{"message":"Service unavailable."}`).with("Retry-After", "soon"), "Retry-After"},

		{"HEAD", "HEAD", summary, good(200, ""), ""},
		{"HEAD of a 401", "HEAD", summary, good(401, ""), ""},
		{"HEAD without WWW-Authenticate", "HEAD", summary, good(401, "").without("WWW-Authenticate"), "WWW-Authenticate"},
		{"HEAD without type", "HEAD", summary, good(200, "").with("Content-Type", "text/html"), "Content-Type"},
		{"HEAD with undocumented status", "HEAD", products, good(400, ""), "400 is not documented"},

		{"other method", "POST", summary, good(405, `{"message":"Method not allowed."}`), ""},
		{"other method of a page", "PUT", "/docs", good(405, `{"message":"Method not allowed."}`), ""},
		{"other method that works", "DELETE", summary, good(200, summaryBody), "200 is not documented"},
		{"other method without Allow", "POST", summary, good(405, `{"message":"Method not allowed."}`).without("Allow"), "Allow"},
		{"other method, shared cache", "POST", summary, good(405, `{"message":"Method not allowed."}`).without("Cache-Control"), "Cache-Control"},

		{"unknown path", "GET", "/v2/products", good(404, `{"message":"Not found."}`), ""},
		{"unknown path, other method", "POST", "/", good(404, `{"message":"Not found."}`), ""},
		{"trailing slash", "GET", "/v1/products/", good(404, `{"message":"Not found."}`), ""},
		{"doubled slash", "GET", "//v1/products", good(404, `{"message":"Not found."}`), ""},
		{"doubled slash that works", "GET", "//v1/products", good(200, `[]`), "200 is not documented"},
		{"dot segment that works", "GET", "/v1/./products", good(200, `[]`), "200 is not documented"},
		{"escaped slash in an id", "GET", "/v1/products/1%2F2/websites", good(401, unauthBody), ""},
		{"unknown path without id", "GET", "/x", good(404, `{"message":"Not found."}`).without("Sightline-Request-Id"), "Sightline-Request-Id"},
		{"unknown path, shared cache", "GET", "/x", good(404, `{"message":"Not found."}`).with("Cache-Control", "public"), "Cache-Control"},
		{"unknown path as text", "GET", "/x", good(404, "404 page not found\n").with("Content-Type", "text/plain"), "Content-Type"},

		{"CSV", "GET", summary, exported(csvType, ".csv", summaryCSV), ""},
		{"NDJSON", "GET", summary, exported(ndjsonType, ".ndjson", summaryBody+"\n"), ""},
		{"NDJSON without rows", "GET", products, exported(ndjsonType, ".ndjson", ""), ""},
		{"Parquet", "GET", summary, exported(parquetType, ".parquet", "PAR1....PAR1"), ""},
		{"CSV of a page", "GET", timeseries, exported(csvType, ".csv", seriesCSV).paged(), ""},
		{"CSV of a page without its numbers", "GET", timeseries, exported(csvType, ".csv", seriesCSV), "Sightline-Current-Page"},
		{"JSON with numbers of a page", "GET", timeseries, good(200, row(`{"timestamp":"2026-03-02T00:00:00Z"}`)).paged(), "Sightline-Current-Page"},
		{"a page number that is none", "GET", timeseries, exported(csvType, ".csv", seriesCSV).paged().with("Sightline-Next-Page", "none"), "Sightline-Next-Page"},
		{"CSV that does not vary", "GET", summary, exported(csvType, ".csv", summaryCSV).with("Vary", "Authorization"), "Vary"},
		{"CSV without a name", "GET", summary, exported(csvType, ".csv", summaryCSV).without("Content-Disposition"), "Content-Disposition"},
		{"CSV with the name of another", "GET", summary, exported(csvType, ".ndjson", summaryCSV), "Content-Disposition"},
		{"JSON with the name of a file", "GET", summary, exported("application/json", ".csv", summaryBody), "Content-Disposition"},
		{"CSV without saying that it has a header", "GET", summary, exported("text/csv; charset=utf-8", ".csv", summaryCSV), "Content-Type"},
		{"CSV with another column", "GET", summary, exported(csvType, ".csv", "x"+summaryCSV), "columns"},
		{"CSV without a column", "GET", summary, exported(csvType, ".csv", "rank\n1\n"), "columns"},
		{"CSV without a header", "GET", summary, exported(csvType, ".csv", ""), "header"},
		{"CSV with a ragged row", "GET", summary, exported(csvType, ".csv", summaryCSV+"1\n"), "number of fields"},
		{"NDJSON with another field", "GET", summary, exported(ndjsonType, ".ndjson", strings.Replace(summaryBody, "}", `,"x":1}`, 1)+"\n"), "line 1"},
		{"NDJSON with a wrong second row", "GET", summary, exported(ndjsonType, ".ndjson", summaryBody+"\n{}\n"), "line 2"},
		{"NDJSON that is cut off", "GET", summary, exported(ndjsonType, ".ndjson", summaryBody), "does not end"},
		{"Parquet that is cut off", "GET", summary, exported(parquetType, ".parquet", "PAR1...."), "Parquet"},
		{"an error as CSV", "GET", summary, good(401, "message\nUnauthorized.\n").with("Content-Type", csvType), "Content-Type"},
		{"an undocumented export", "GET", summary, exported("application/vnd.ms-excel", ".xls", "x"), "Content-Type"},

		{"document that is none", "GET", "/openapi.yaml", good(200, "a: 1").with("Content-Type", "application/yaml"), "openapi"},
		{"page with charset", "GET", "/docs", good(200, "<p>").with("Content-Type", "text/html; charset=utf-8"), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, problems := ask(t, c.method, c.target, c.reply)
			got := strings.Join(problems, "\n")
			switch {
			case c.want == "" && got != "":
				t.Errorf("a right answer was refused: %s", got)
			case c.want != "" && !strings.Contains(got, c.want):
				t.Errorf("got %q, which does not speak of %q", got, c.want)
			}
		})
	}
}

func TestHeadWithBodyIsCaught(t *testing.T) {
	// net/http never delivers the body of a HEAD, so the rule is asked directly.
	req := httptest.NewRequest(http.MethodHead, summary, nil)
	rec := httptest.NewRecorder()
	good(200, summaryBody).ServeHTTP(rec, req)
	err := document.Check(req, rec.Result(), rec.Body.Bytes())
	if err == nil || !strings.Contains(err.Error(), "HEAD: a body") {
		t.Errorf("got %v", err)
	}
}

func TestCutResponseIsTheCallersError(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, `{"position":`)
	}))
	defer server.Close()
	before := contract.Requests()
	res, err := contract.NewClient(t).Get(server.URL + summary)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != io.ErrUnexpectedEOF || string(body) != `{"position":` {
		t.Errorf("read %q, %v", body, err)
	}
	if contract.Requests() != before {
		t.Error("a response that did not arrive whole counts as checked")
	}
}

func TestDeadServerIsTheCallersError(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	if res, err := contract.NewClient(t).Get(server.URL + products); err == nil {
		res.Body.Close()
		t.Error("no error")
	}
}
