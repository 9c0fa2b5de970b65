package house

import (
	"database/sql"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2" // the engine that the program has

	"github.com/sightline-hq/sightline/api"
)

// runSQL runs the statements of a document's block in a folder. The last one of
// a block asks something, and must be answered.
func runSQL(t *testing.T, dir, text string) (rows []map[string]any) {
	t.Helper()
	t.Chdir(dir)
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	found, err := db.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for found.Next() {
		values, row := make([]any, len(columns)), make(map[string]any)
		for i := range values {
			values[i] = new(any)
		}
		if err := found.Scan(values...); err != nil {
			t.Fatal(err)
		}
		for i, c := range columns {
			row[c] = *values[i].(*any)
		}
		rows = append(rows, row)
	}
	if err := found.Err(); err != nil || len(rows) == 0 {
		t.Errorf("%d rows, %v:\n%s", len(rows), err, text)
	}
	return rows
}

// What the SQL in bi.md says of each platform is what the API says of it.
func pooledVisibilityIsTheSummarys(t *testing.T, rows []map[string]any, environment []string) {
	t.Helper()
	set := make(map[string]string)
	for _, v := range environment {
		name, value, _ := strings.Cut(v, "=")
		set[name] = value
	}
	from, to := quickstartWindow()
	for _, row := range rows {
		var s api.PromptSummary
		query := url.Values{
			api.ParamDomain: {set["DOMAIN"]}, api.ParamPlatforms: {row["platform"].(string)},
			api.ParamDateFrom: {from.Format("2006-01-02T15:04:05Z")}, api.ParamDateTo: {to.Format("2006-01-02T15:04:05Z")},
		}
		ask(t, set["BASE"]+"/v1/products/"+set["PRODUCT"]+"/prompts/summary?"+query.Encode(), set["KEY"], &s)
		got, err := float(row["visibility"])
		if err != nil || s.Visibility == nil || math.Abs(got-*s.Visibility) > 1e-9 {
			t.Errorf("%v: the SQL says %v, the API %v", row["platform"], row["visibility"], s.Visibility)
		}
	}
	if len(rows) < 4 {
		t.Errorf("only %d platforms", len(rows))
	}
}

func float(v any) (f float64, err error) {
	_, err = fmt.Sscan(fmt.Sprint(v), &f)
	return f, err
}
