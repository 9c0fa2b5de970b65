package e2e

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/demo"
	"github.com/sightline-hq/sightline/internal/ingest"
	"github.com/sightline-hq/sightline/internal/parquet"
)

// record is a row of an answer: what is null is nil.
type record map[string]any

// as asks for an answer in a form.
func (s *system) as(path, key, accept string) (http.Header, []byte) {
	s.t.Helper()
	req, err := http.NewRequest("GET", s.server.URL+path, nil)
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Accept", accept)
	res, err := s.client.Do(req)
	s.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	s.must(err)
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), accept) {
		s.t.Fatalf("%s as %s: %d %s", path, accept, res.StatusCode, res.Header.Get("Content-Type"))
	}
	return res.Header, body
}

func decode(t testing.TB, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
}

// recordsOf are the rows of an answer in JSON, as exports have them.
func recordsOf(t testing.TB, body []byte) (rows []record) {
	t.Helper()
	if body[0] == '[' {
		decode(t, body, &rows)
		return rows
	}
	var fields map[string]json.RawMessage
	decode(t, body, &fields)
	if fields["totalCompetitors"] != nil {
		rows = []record{nil}
		decode(t, body, &rows[0])
		return rows
	}
	if fields["items"] != nil {
		decode(t, fields["items"], &rows)
		return rows
	}
	for _, name := range []string{"byProperty", "byPage", "byProduct"} {
		var part []record
		if fields[name] == nil {
			continue
		}
		decode(t, fields[name], &part)
		for _, r := range part {
			if len(fields) > 1 {
				all := record{"groupBy": name, "url": nil, "name": nil, "products": nil}
				for k, v := range r {
					all[k] = v
				}
				r = all
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func ndjsonRecords(t testing.TB, body []byte) (rows []record) {
	for line := range bytes.Lines(body) {
		var r record
		decode(t, line, &r)
		rows = append(rows, r)
	}
	return rows
}

// csvRecords reads cells by what the JSON has in the same place: CSV has no types.
func csvRecords(t testing.TB, body []byte, like []record) (rows []record) {
	t.Helper()
	records, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil || len(records) != len(like)+1 {
		t.Fatalf("%d lines for %d rows: %v", len(records), len(like), err)
	}
	for i, cells := range records[1:] {
		r := make(record)
		for at, name := range records[0] {
			switch like[i][name].(type) {
			case nil:
				if r[name] = nil; cells[at] != "" {
					r[name] = cells[at]
				}
			case json.Number:
				r[name] = json.Number(cells[at])
			case string:
				r[name] = cells[at]
			default: // a list or a boolean
				var value any
				decode(t, []byte(cells[at]), &value)
				r[name] = value
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// parquetRecords reads a file as 'sightline load' would, which leaves nulls out.
func parquetRecords(t testing.TB, body []byte, like []record) (rows []record) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.parquet")
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	var columns []string
	for name := range like[0] {
		columns = append(columns, name)
	}
	slices.Sort(columns)
	file, err := parquet.Open(t.Context(), path, columns)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if !slices.Equal(file.Columns(), columns) {
		t.Fatalf("columns %q, want %q", file.Columns(), columns)
	}
	err = file.Each(t.Context(), func(_ int64, object []byte) error {
		r := make(record)
		for _, name := range columns {
			r[name] = nil
		}
		decode(t, object, &r)
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// compareExports asks for an answer in all forms, and returns how many rows all of
// them have.
func (s *system) compareExports(path, key string) int {
	s.t.Helper()
	jsonHeader, body := s.as(path, key, api.MediaJSON)
	want := recordsOf(s.t, body)
	if len(want) == 0 {
		s.t.Errorf("%s: nothing to compare", path)
		return 0
	}
	for accept, read := range map[string]func(body []byte) []record{
		api.MediaNDJSON:  func(b []byte) []record { return ndjsonRecords(s.t, b) },
		api.MediaCSV:     func(b []byte) []record { return csvRecords(s.t, b, want) },
		api.MediaParquet: func(b []byte) []record { return parquetRecords(s.t, b, want) },
	} {
		header, export := s.as(path, key, accept)
		if got := read(export); !reflect.DeepEqual(want, got) {
			s.t.Errorf("%s as %s differs from JSON: %.2000s", path, accept, cmp.Diff(want, got))
		}
		if (jsonHeader.Get("Content-Length") == "") != (header.Get("Content-Length") == "") {
			s.t.Errorf("%s as %s: only one of JSON and export is streamed", path, accept)
		}
		if strings.Contains(path, "/timeseries") {
			s.wantPageHeaders(path, header, body)
		}
	}
	return len(want)
}

// wantPageHeaders wants the headers to say what the JSON says beside its items.
func (s *system) wantPageHeaders(path string, header http.Header, body []byte) {
	s.t.Helper()
	var page map[string]any
	decode(s.t, body, &page)
	for field, name := range map[string]string{
		"previousPage": api.HeaderPreviousPage, "currentPage": api.HeaderCurrentPage, "nextPage": api.HeaderNextPage,
		"totalPages": api.HeaderTotalPages, "totalItems": api.HeaderTotalItems, "perPage": api.HeaderPerPage,
	} {
		want := ""
		if page[field] != nil {
			want = fmt.Sprint(page[field])
		}
		if header.Get(name) != want {
			s.t.Errorf("%s: %s: %q, want %q", path, name, header.Get(name), want)
		}
	}
}

func TestExportsHaveTheRowsOfTheJSON(t *testing.T) {
	from, to := time.Date(2026, 3, 8, 23, 59, 59, 0, time.UTC), time.Date(2026, 3, 15, 23, 59, 59, 0, time.UTC)
	s := start(t)
	s.must(s.apply(demo.Workspace()))
	key, err := s.key("northwind")
	s.must(err)
	for source, generate := range map[ingest.Source]func(io.Writer, time.Time, time.Time) (int, error){
		ingest.Answers: demo.Answers, ingest.Pageviews: demo.Pageviews,
	} {
		var lines bytes.Buffer
		_, err := generate(&lines, from, to)
		s.must(err)
		s.must(s.loadPart(source, lines.Bytes()))
	}
	const week = "dateFrom=2026-03-09T00:00:00Z&dateTo=2026-03-15T23:59:59Z"
	const prompts = "?domain=taskharbor.example&" + week
	for _, path := range []string{
		"/v1/products", "/v1/products/101/websites", "/v1/products/101/prompts" + prompts, "/v1/products/101/prompts/summary" + prompts,
		"/v1/products/101/prompts/dates" + prompts, "/v1/products/101/citations" + prompts, "/v1/products/101/citations" + prompts + "&groupBy=property",
		"/v1/products/101/citations" + prompts + "&groupBy=page", "/v1/products/101/citations" + prompts + "&groupBy=byProduct",
		"/v1/products/101/analytics/timeseries?" + week,
		"/v1/products/101/analytics/timeseries?page=2&perPage=7&metrics[]=unique_pages&metrics[]=bot_visits&groupBy[]=botType&groupBy[]=platform&" + week,
		"/v1/products/101/analytics/timeseries?perPage=20000&groupBy[]=urlPath&metrics[]=human_visits&" + week,
	} {
		s.compareExports(path, key)
	}
}

// Texts that formats have trouble with, and a page that is streamed.
func TestLargeExportsHaveTheRowsOfTheJSON(t *testing.T) {
	const rows = 12_000
	s := start(t)
	s.must(s.apply([]byte(logWorkspace)))
	key, err := s.key("acme")
	s.must(err)
	var lines bytes.Buffer
	for i := range rows {
		url, err := json.Marshal(fmt.Sprintf(`/a,"b" é '<%d>'`, i))
		s.must(err)
		fmt.Fprintf(&lines, `{"at":"2026-03-02T09:00:00Z","websiteId":"w-acme","url":%s,"userAgent":"curl/8.5.0"}`+"\n", url)
	}
	s.must(s.loadPart(ingest.Pageviews, lines.Bytes()))
	path := "/v1/products/101/analytics/timeseries?dateFrom=2026-01-01T00:00:00Z&dateTo=2026-12-31T00:00:00Z&groupBy[]=urlPath&perPage=1000000"
	if n := s.compareExports(path, key); n != rows {
		t.Errorf("%d rows", n)
	}
	if header, _ := s.as(path, key, api.MediaParquet); header.Get("Content-Length") != "" {
		t.Error("the export was not streamed")
	}
}
