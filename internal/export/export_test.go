package export

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/api"
)

// everyAnswer checks a property of random answers of all reports.
func everyAnswer(t *testing.T, property func(t *rapid.T, table Table, want []object)) {
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a := answer(t)
				property(t, Of(a), objectsOf(a))
			})
		})
	}
	t.Run("timeseries", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r, items := randomSeries(t)
			property(t, seriesTable(r, items), objectsOf(items))
		})
	})
}

func written(t interface{ Fatal(...any) }, f *Format, table Table) []byte {
	var b bytes.Buffer
	if err := f.Write(&b, table); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNDJSONHasTheRowsOfTheJSON(t *testing.T) {
	everyAnswer(t, func(t *rapid.T, table Table, want []object) {
		var lines []string
		if text := string(written(t, NDJSON, table)); text != "" {
			lines = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		}
		if len(lines) != len(want) {
			t.Fatalf("%d lines for %d rows", len(lines), len(want))
		}
		for i, line := range lines {
			if diff := cmp.Diff(want[i], readObject(line), cmp.AllowUnexported(object{})); diff != "" {
				t.Fatalf("row %d: %s", i, diff)
			}
		}
	})
}

func TestCSVHasTheRowsOfTheJSON(t *testing.T) {
	everyAnswer(t, func(t *rapid.T, table Table, want []object) {
		records, err := readCSV(string(written(t, CSV, table)))
		if err != nil || len(records) != len(want)+1 {
			t.Fatalf("%d lines for %d rows: %v", len(records), len(want), err)
		}
		for i, row := range want {
			for at, name := range row.names {
				if header := *records[0][at]; header != name {
					t.Fatalf("the column %s is called %s", name, header)
				}
				wantCell(t, records[i+1][at], row.values[name])
			}
		}
	})
}

// wantCell compares a cell with JSON. Apostrophes may have been added.
func wantCell(t *rapid.T, cell *string, value string) {
	var text string
	switch {
	case value == "null":
		if cell != nil {
			t.Fatalf("null is %q", *cell)
		}
		return
	case cell == nil:
		t.Fatalf("%s is empty", value)
	case value[0] == '[':
		var got, want any
		if json.Unmarshal([]byte(*cell), &got) != nil || json.Unmarshal([]byte(value), &want) != nil || !cmp.Equal(got, want) {
			t.Fatalf("%s is %s", value, *cell)
		}
		return
	case value[0] != '"':
		text = value
	default:
		json.Unmarshal([]byte(value), &text)
	}
	got := *cell
	if strings.ContainsAny(text, formulas) && value[0] == '"' {
		got, text = strings.ReplaceAll(got, "'", ""), strings.ReplaceAll(text, "'", "")
	}
	if got != text {
		t.Fatalf("%s is %q", value, *cell)
	}
}

func TestParquetHasTheRowsOfTheJSON(t *testing.T) {
	dir := t.TempDir()
	everyAnswer(t, func(t *rapid.T, table Table, want []object) {
		names, types, rows, err := readParquet(dir, written(t, Parquet, table))
		if err != nil || len(rows) != len(want) {
			t.Fatalf("%d rows for %d: %v", len(rows), len(want), err)
		}
		if !slices.Equal(names, namesOf(table.Columns)) {
			t.Fatalf("columns %q", names)
		}
		for i, row := range want {
			for at, name := range row.names {
				if got := asJSON(rows[i][at], types[at]); got != row.values[name] {
					t.Fatalf("%s of row %d is %s, not %s", name, i, got, row.values[name])
				}
			}
		}
	})
}

func TestParquetColumnsHaveTypes(t *testing.T) {
	_, types, _, err := readParquet(t.TempDir(), written(t, Parquet, Of([]api.PromptMetric{})))
	if want := []string{"VARCHAR", "VARCHAR", "VARCHAR", "DOUBLE", "DOUBLE", "BIGINT", "BIGINT", "JSON"}; err != nil || !slices.Equal(types, want) {
		t.Errorf("prompts: %q, %v", types, err)
	}
	all := seriesTable(api.TimeseriesRequest{Metrics: api.Metrics[:1], GroupBy: api.Dimensions[:1]}, nil)
	_, types, _, err = readParquet(t.TempDir(), written(t, Parquet, all))
	if want := []string{"TIMESTAMP WITH TIME ZONE", "VARCHAR", "BIGINT"}; err != nil || !slices.Equal(types, want) {
		t.Errorf("timeseries: %q, %v", types, err)
	}
	_, types, _, err = readParquet(t.TempDir(), written(t, Parquet, Of(api.CitationResponse{ByProduct: []api.CitationByProduct{}})))
	if want := []string{"VARCHAR", "VARCHAR", "BIGINT", "BOOLEAN"}; err != nil || !slices.Equal(types, want) {
		t.Errorf("citations: %q, %v", types, err)
	}
}

// long is a table of n rows with values, nulls and flags, of which none is kept.
func long(n int64) Table {
	columns := []Column{{"n", Integer}, {"even", Flag}, {"third", Text}}
	return Table{columns, func(row func([]any) error) error {
		for i := range n {
			values := []any{i, i%2 == 0, nil}
			if i%3 == 0 {
				values[2] = strings.Repeat("x", int(i%100))
			}
			if err := row(values); err != nil {
				return err
			}
		}
		return nil
	}}
}

func TestParquetOfSeveralRowGroupsIsWhole(t *testing.T) {
	const n = 2*groupRows + 11
	path := t.TempDir() + "/long.parquet"
	if err := os.WriteFile(path, written(t, Parquet, long(n)), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	var rows, groups, right int64
	if err := db.QueryRow("select count(*), count(*) filter (where n = file_row_number and even = (n % 2 = 0) and "+
		"third is not distinct from case when n % 3 = 0 then repeat('x', (n % 100)::int) end) from read_parquet('"+path+"', file_row_number = true)").Scan(&rows, &right); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRow("select count(distinct row_group_id) from parquet_metadata('" + path + "')").Scan(&groups); err != nil {
		t.Fatal(err)
	}
	if rows != n || right != n || groups != 3 {
		t.Errorf("%d rows, %d of them right, in %d groups", rows, right, groups)
	}
}

// counter counts bytes and how many came at once at most.
type counter struct{ total, largest int }

func (c *counter) Write(p []byte) (int, error) {
	c.total += len(p)
	c.largest = max(c.largest, len(p))
	return len(p), nil
}

func TestMemoryDoesNotGrowWithTheRows(t *testing.T) {
	for _, f := range Formats {
		short, far := &counter{}, &counter{}
		few := testing.AllocsPerRun(1, func() { f.Write(short, long(groupRows)) })
		many := testing.AllocsPerRun(1, func() { f.Write(far, long(4*groupRows)) })
		if far.largest > 2*short.largest {
			t.Errorf("%s writes %d bytes at once", f.Media, far.largest)
		}
		if many > 5*few {
			t.Errorf("%s: %v allocations, then %v", f.Media, few, many)
		}
	}
}

// broken takes some bytes and no more.
type broken struct{ left int }

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestAnErrorOfTheConnectionIsReturned(t *testing.T) {
	for _, f := range Formats {
		for _, left := range []int{0, 3, 40} {
			if err := f.Write(&broken{left}, long(100)); err != io.ErrClosedPipe {
				t.Errorf("%s after %d bytes: %v", f.Media, left, err)
			}
		}
	}
}
