package show

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/export"
	"github.com/sightline-hq/sightline/internal/insight"
)

// flat is a row as machines read it: intervals are two values, and where a
// report has several tables the first says which one the row is of.
type flat struct {
	names  []string
	values []any
}

func flatten(t Table, several bool, row Row) (f flat) {
	if several {
		f.add("groupBy", t.Name)
	}
	for i, c := range t.Columns {
		switch v := row[i].(type) {
		case *insight.Interval:
			f.interval(c.Name, v)
		case Delta:
			f.add(c.Name, rounded(v.Change))
			if c.Runs != "" {
				f.interval(c.Name, v.Within)
			}
		case nil:
			if c.Unit != Range {
				f.add(c.Name, nil)
			}
			if c.Unit == Range || c.Unit == Points && c.Runs != "" {
				f.interval(c.Name, nil)
			}
		case float64:
			if c.role == roleChange {
				v = rounded(v)
			}
			f.add(c.Name, v)
		default:
			f.add(c.Name, v)
		}
	}
	return f
}

// rounded leaves six decimals of what is computed here: further ones would say
// nothing, and would not be the same on all machines.
func rounded(v float64) float64 {
	if r := math.Round(v*1e6) / 1e6; r != 0 {
		return r
	}
	return 0 // never -0
}

func (f *flat) add(name string, v any) {
	f.names, f.values = append(f.names, name), append(f.values, v)
}

func (f *flat) interval(name string, i *insight.Interval) {
	var low, high any
	if i != nil {
		low, high = rounded(i.Low), rounded(i.High)
	}
	f.add(name+"Low", low)
	f.add(name+"High", high)
}

// CSV writes tables as one, with a line of names first. Columns that a table
// does not have are empty, as is what is not known; lists are names.
func CSV(w io.Writer, tables ...Table) error {
	several := len(tables) > 1
	var header []string
	at := make(map[string]int)
	for _, t := range tables {
		for _, name := range flatten(t, several, make(Row, len(t.Columns))).names {
			if _, ok := at[name]; !ok {
				at[name] = len(header)
				header = append(header, name)
			}
		}
	}
	buffer := bufio.NewWriter(w)
	out, err := export.NewCSV(buffer, "\n", header)
	if err != nil {
		return err
	}
	return eachFlat(buffer, tables, func(f flat) error {
		record := make([]any, len(header))
		for i, name := range f.names {
			record[at[name]] = joined(f.values[i])
		}
		return out.Row(record)
	})
}

// eachFlat goes over the rows of tables. What was written before an error is
// written all the same.
func eachFlat(buffer *bufio.Writer, tables []Table, row func(flat) error) error {
	for _, t := range tables {
		for values, err := range t.Rows {
			if err == nil {
				err = row(flatten(t, len(tables) > 1, values))
			}
			if err != nil {
				buffer.Flush()
				return err
			}
		}
	}
	return buffer.Flush()
}

// joined is a list as one text, which a person can read in a cell.
func joined(v any) any {
	names, ok := v.(Names)
	switch {
	case !ok:
		return v
	case len(names.Names) == 0:
		return nil
	}
	return strings.Join(names.Names, "; ")
}

// NDJSON writes an object for each row.
func NDJSON(w io.Writer, tables ...Table) error {
	buffer := bufio.NewWriter(w)
	return eachFlat(buffer, tables, func(f flat) error {
		text, err := f.MarshalJSON()
		buffer.Write(append(text, '\n')) // its error comes out of Flush
		return err
	})
}

// JSON writes a value indented, as it is.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Objects are the rows of a table for JSON, with the names that CSV has.
func Objects(t Table) (objects []json.Marshaler, err error) {
	objects = []json.Marshaler{}
	for row, err := range t.Rows {
		if err != nil {
			return nil, err
		}
		objects = append(objects, flatten(t, false, row))
	}
	return objects, nil
}

// MarshalJSON keeps the order of the columns.
func (f flat) MarshalJSON() ([]byte, error) {
	values := slices.Clone(f.values)
	for i, v := range values {
		if n, ok := v.(Names); ok {
			values[i] = n.Things
		}
	}
	var objects export.Objects
	return objects.Append(nil, f.names, values)
}
