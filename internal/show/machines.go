package show

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

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
// does not have are empty, as is what is not known.
//
// A text that a spreadsheet would take for a formula gets an apostrophe in
// front. Numbers are left alone.
func CSV(w io.Writer, tables ...Table) error {
	out := csv.NewWriter(w)
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
	out.Write(header)
	for _, t := range tables {
		for row, err := range t.Rows {
			if err != nil {
				out.Flush()
				return err
			}
			record := make([]string, len(header))
			f := flatten(t, several, row)
			for i, name := range f.names {
				record[at[name]] = csvCell(f.values[i])
			}
			out.Write(record)
		}
	}
	out.Flush()
	return out.Error()
}

func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return defuse(v)
	case Names:
		return defuse(strings.Join(v.Names, "; "))
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	panic(fmt.Sprintf("a value of type %T", v))
}

// defuse keeps a spreadsheet from running a text: some take the wide forms of
// these characters for the same.
func defuse(s string) string {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(s, start) {
			return "'" + s
		}
	}
	return s
}

// NDJSON writes an object for each row.
func NDJSON(w io.Writer, tables ...Table) error {
	out := bufio.NewWriter(w)
	for _, t := range tables {
		for row, err := range t.Rows {
			var text []byte
			if err == nil {
				text, err = flatten(t, len(tables) > 1, row).MarshalJSON()
			}
			if err != nil {
				out.Flush()
				return err
			}
			out.Write(append(text, '\n'))
		}
	}
	return out.Flush()
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
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, v := range f.values {
		if i > 0 {
			b.WriteByte(',')
		}
		if n, ok := v.(Names); ok {
			v = n.Things
		}
		fmt.Fprintf(&b, "%q:", f.names[i])
		if err := e.Encode(v); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return []byte(strings.ReplaceAll(b.String(), "\n", "")), nil
}
