package export

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"
)

// object is a row of JSON: its names in their order, and its values as JSON.
type object struct {
	names  []string
	values map[string]string
}

// objectsOf reads the rows of an answer off its JSON, which is what exports are
// compared with.
func objectsOf(answer any) (rows []object) {
	text := encoded(answer)
	if text[0] == '{' {
		whole := readObject(text)
		switch {
		case whole.values["position"] != "": // a summary
			return []object{whole}
		case len(whole.names) == 1:
			return objectsIn(whole.values[whole.names[0]])
		}
		for _, name := range whole.names {
			for _, row := range objectsIn(whole.values[name]) {
				all := object{[]string{"groupBy", "domain", "url", "name", "products", "count", "isMentioned"}, map[string]string{"groupBy": `"` + name + `"`}}
				for _, n := range all.names[1:] {
					if all.values[n] = row.values[n]; row.values[n] == "" {
						all.values[n] = "null"
					}
				}
				rows = append(rows, all)
			}
		}
		return rows
	}
	return objectsIn(text)
}

func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func objectsIn(list string) (rows []object) {
	var all []json.RawMessage
	if err := json.Unmarshal([]byte(list), &all); err != nil {
		panic(err)
	}
	for _, one := range all {
		rows = append(rows, readObject(string(one)))
	}
	return rows
}

func readObject(text string) (o object) {
	d := json.NewDecoder(strings.NewReader(text))
	d.Token()
	o.values = make(map[string]string)
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			panic(err)
		}
		o.names = append(o.names, name.(string))
		o.values[name.(string)] = plain(string(value))
	}
	return o
}

// plain is JSON without what may be written in several ways: escapes.
func plain(value string) string {
	var text string
	if value[0] != '"' || json.Unmarshal([]byte(value), &text) != nil {
		return value
	}
	return encoded(text)
}

// readCSV is a reader that tells an empty cell from an empty text: nil and "".
func readCSV(text string) (records [][]*string, err error) {
	for text != "" {
		var record []*string
		for {
			cell, rest, err := readCell(text)
			if err != nil {
				return records, err
			}
			record = append(record, cell)
			if next, ok := strings.CutPrefix(rest, "\r\n"); ok {
				text = next
				break
			}
			if text, ok := strings.CutPrefix(rest, ","); !ok {
				return records, fmt.Errorf("after a cell: %q", text)
			}
			text = rest[1:]
		}
		records = append(records, record)
	}
	return records, nil
}

func readCell(text string) (cell *string, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexAny(text, ",\r\n")
		if end < 0 {
			return nil, "", errors.New("a line without an end")
		}
		if end == 0 {
			return nil, text, nil
		}
		value := text[:end]
		return &value, text[end:], nil
	}
	var value strings.Builder
	for text = text[1:]; ; text = text[1:] {
		end := strings.IndexByte(text, '"')
		if end < 0 {
			return nil, "", errors.New("a quote without an end")
		}
		value.WriteString(text[:end])
		if text = text[end+1:]; !strings.HasPrefix(text, `"`) {
			whole := value.String()
			return &whole, text, nil
		}
		value.WriteByte('"')
	}
}

// engine reads Parquet, in the order of the file.
var engine = sync.OnceValues(func() (*sql.DB, error) {
	db, err := sql.Open("duckdb", "?threads=1")
	if err == nil {
		_, err = db.Exec("set timezone = 'UTC'")
	}
	return db, err
})

var files atomic.Int64

// readParquet reads a file with an engine that is not ours: names and types of
// the columns, and rows.
func readParquet(dir string, file []byte) (names, types []string, rows [][]any, err error) {
	db, err := engine()
	if err != nil {
		return nil, nil, nil, err
	}
	// Each file has a name of its own: the engine remembers files by their names.
	path := filepath.Join(dir, fmt.Sprintf("%d.parquet", files.Add(1)))
	if err := os.WriteFile(path, file, 0o600); err != nil {
		return nil, nil, nil, err
	}
	defer os.Remove(path)
	described, err := db.Query("select column_name, column_type from (describe from read_parquet('" + path + "'))")
	if err != nil {
		return nil, nil, nil, err
	}
	defer described.Close()
	var columns []string
	for described.Next() {
		var name, kind string
		if err := described.Scan(&name, &kind); err != nil {
			return nil, nil, nil, err
		}
		names, types = append(names, name), append(types, kind)
		if column := `"` + name + `"`; kind == "JSON" {
			columns = append(columns, column+"::varchar") // the driver would decode it
		} else {
			columns = append(columns, column)
		}
	}
	if err := described.Err(); err != nil {
		return nil, nil, nil, err
	}
	result, err := db.Query("select " + strings.Join(columns, ", ") + " from read_parquet('" + path + "')")
	if err != nil {
		return nil, nil, nil, err
	}
	defer result.Close()
	for result.Next() {
		row, into := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := result.Scan(into...); err != nil {
			return nil, nil, nil, err
		}
		rows = append(rows, row)
	}
	return names, types, rows, result.Err()
}

// asJSON is a value of Parquet as the JSON has it. Lists are JSON already.
func asJSON(v any, kind string) string {
	switch v := v.(type) {
	case time.Time:
		return encoded(v.UTC().Format(time.RFC3339))
	case string:
		if kind == "JSON" {
			return v
		}
	}
	return encoded(v)
}
