package check

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/sightline-hq/sightline/api"
)

// exports are the forms that a server may offer beside JSON, and how the rows of
// one are compared with those of the JSON.
var exports = []struct {
	media   string
	compare func(p *probe, a answer, want []record)
}{
	{api.MediaNDJSON, (*probe).wantLines}, {api.MediaCSV, (*probe).wantTable}, {api.MediaParquet, (*probe).wantParquet},
}

// record is a row in JSON.
type record map[string]any

// exported asks a route for a form. A server that has it not answers in JSON.
func (p *probe) exported(route, accept string) (a answer, offered bool) {
	target := p.queryOf(route).at(p.path(route))
	if route == api.RouteCitations {
		target += "&groupBy=" + string(api.GroupPage) // one list
	}
	a = p.send(request{method: http.MethodGet, target: target, as: p.key, accept: accept})
	kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	p.wantStatus(a, http.StatusOK)
	return a, kind == accept
}

// An export has the rows of the JSON, in the same order and under the same names.
func exportRows(p *probe) {
	compared := 0
	for _, route := range api.Routes {
		whole, _ := p.exported(route, "")
		for _, e := range exports {
			a, offered := p.exported(route, e.media)
			if !offered || p.ended {
				continue
			}
			compared++
			e.compare(p, a, recordsOf(whole.body))
			if p.ended {
				return
			}
			if tag := whole.header.Get("ETag"); tag != "" && a.header.Get("ETag") == tag {
				p.failf(a, "the ETag of the JSON, for other bytes")
			}
		}
	}
	if compared == 0 {
		p.notApplicable("the server offers no exports")
	}
}

// What a caller accepts changes nothing unless it is an export.
func exportDefault(p *probe) {
	for _, route := range api.Routes {
		want, _ := p.exported(route, "")
		for _, accept := range []string{"*/*", "image/png", "text/csv;q=0.5, " + api.MediaJSON} {
			a, _ := p.exported(route, accept)
			p.wantSame(a, want)
		}
	}
}

// recordsOf finds the rows of an answer: a list, the only list in it, or itself.
func recordsOf(body []byte) (rows []record) {
	if json.Unmarshal(body, &rows) == nil {
		return rows
	}
	var whole record
	if json.Unmarshal(body, &whole) != nil {
		return nil
	}
	for _, field := range whole {
		if _, ok := field.([]any); ok {
			text, _ := json.Marshal(field) // it was JSON
			json.Unmarshal(text, &rows)
			return rows
		}
	}
	return []record{whole}
}

func (p *probe) wantLines(a answer, want []record) {
	n := 0
	for line := range bytes.Lines(a.body) {
		var row record
		if err := json.Unmarshal(line, &row); err != nil || n >= len(want) || !reflect.DeepEqual(row, want[n]) {
			p.failf(a, "line %d is %s, which is not row %d of the JSON", n+1, line, n+1)
			return
		}
		n++
	}
	if n != len(want) {
		p.failf(a, "%d rows, but %d in JSON", n, len(want))
	}
}

// wantTable compares names, numbers and nulls: of texts, CSV may defuse some.
func (p *probe) wantTable(a answer, want []record) {
	records, err := csv.NewReader(bytes.NewReader(a.body)).ReadAll()
	if err != nil || len(records) != len(want)+1 {
		p.failf(a, "%d lines of CSV for a header and %d rows in JSON (%v)", len(records), len(want), err)
		return
	}
	for i, row := range want {
		for name, value := range row {
			at := slices.Index(records[0], name)
			if at < 0 || !isCell(records[i+1][at], value) {
				p.failf(a, "row %d is %q, but in JSON %s is %s", i+1, records[i+1], name, show(value))
				return
			}
		}
	}
}

func isCell(cell string, value any) bool {
	switch v := value.(type) {
	case nil:
		return cell == ""
	case float64:
		n, err := strconv.ParseFloat(cell, 64)
		return err == nil && n == v
	}
	return true
}

// wantParquet looks at both ends of a file, which say what it is.
func (p *probe) wantParquet(a answer, _ []record) {
	const magic = "PAR1"
	if !bytes.HasPrefix(a.body, []byte(magic)) || !bytes.HasSuffix(a.body, []byte(magic)) {
		p.failf(a, "no Parquet file: %d bytes", len(a.body))
	}
}
