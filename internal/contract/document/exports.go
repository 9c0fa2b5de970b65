package document

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sightline-hq/sightline/api"
)

// extensions are those of the files of exports.
var extensions = map[string]string{api.MediaCSV: ".csv", api.MediaNDJSON: ".ndjson", api.MediaParquet: ".parquet"}

// pageNumbers are on every export of a page; its neighbours may not exist.
var pageNumbers = []string{api.HeaderCurrentPage, api.HeaderTotalPages, api.HeaderTotalItems, api.HeaderPerPage}

func kindOf(h http.Header) string {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind
}

// checkExportHeaders wants a name for the file, and the numbers of a page where
// the document has them, on exports and on nothing else.
func checkExportHeaders(h http.Header, response *openapi3.Response) error {
	extension := extensions[kindOf(h)]
	_, names, _ := mime.ParseMediaType(h.Get("Content-Disposition"))
	if h.Get("Content-Disposition") != "" && names["filename"] == "" {
		return errors.New("Content-Disposition: no name of a file")
	}
	if (extension != "") != (names["filename"] != "") || !strings.HasSuffix(names["filename"], extension) {
		return fmt.Errorf("Content-Disposition: %q for %q", h.Get("Content-Disposition"), h.Get("Content-Type"))
	}
	for _, name := range pageNumbers {
		if wanted := extension != "" && response.Headers[name] != nil; wanted != (h.Get(name) != "") && h.Get("Content-Type") != "" {
			return fmt.Errorf("%s: %q for %q", name, h.Get(name), h.Get("Content-Type"))
		}
	}
	return nil
}

// checkRows holds the rows of an export to the schemas that the document has
// for those of NDJSON.
func checkRows(kind string, response *openapi3.Response, body []byte) error {
	media := response.Content[api.MediaNDJSON]
	if extensions[kind] == "" || media == nil {
		return nil
	}
	rows := media.Schema.Value.ContentSchema.Value
	switch kind {
	case api.MediaNDJSON:
		return checkLines(rows, body)
	case api.MediaCSV:
		return checkRecords(rows, body)
	}
	if !bytes.HasPrefix(body, []byte("PAR1")) || !bytes.HasSuffix(body, []byte("PAR1")) || len(body) < 12 {
		return errors.New("body: no Parquet file")
	}
	return nil
}

func checkLines(schema *openapi3.Schema, body []byte) error {
	values := []any{}
	for line := range bytes.Lines(body) {
		n := len(values) + 1
		if !bytes.HasSuffix(line, []byte("\n")) {
			return fmt.Errorf("body: line %d does not end", n)
		}
		if err := strictJSON(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		var value any
		if err := json.Unmarshal(line, &value); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		values = append(values, value)
	}
	// The validator compiles the schema for every value, so it gets all lines as one.
	if visit(openapi3.NewArraySchema().WithItems(schema), values) == nil {
		return nil
	}
	for i, value := range values {
		if err := visit(schema, value); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

func visit(schema *openapi3.Schema, value any) error {
	return schema.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.VisitAsResponse(), openapi3.EnableFormatValidation())
}

// checkRecords wants records of equal length, and a header with the names of one
// of the schemas: all that it requires, and none that it does not have.
func checkRecords(schema *openapi3.Schema, body []byte) error {
	records, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
	if err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if len(records) == 0 {
		return errors.New("body: CSV without a header")
	}
	for _, one := range append(openapi3.SchemaRefs{{Value: schema}}, schema.OneOf...) {
		if names(one.Value, records[0]) {
			return nil
		}
	}
	return fmt.Errorf("body: the columns %q are not documented here", records[0])
}

func names(schema *openapi3.Schema, columns []string) bool {
	has := make(map[string]bool)
	for _, c := range columns {
		if schema.Properties[c] == nil || has[c] {
			return false
		}
		has[c] = true
	}
	for _, r := range schema.Required {
		if !has[r] {
			return false
		}
	}
	return true
}
