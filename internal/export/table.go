package export

import (
	"fmt"
	"reflect"
	"strings"
)

// Kind is what the values of a column are.
type Kind int

// The kinds, and the Go types of their values.
const (
	Text    Kind = iota // string
	Integer             // int64
	Number              // float64
	Flag                // bool
	Moment              // string, a time in RFC 3339
	List                // a slice, written as JSON where a cell can hold only text
)

// Column is a column of a table.
type Column struct {
	Name string
	Kind Kind
}

// Table is rows, all with the same columns.
type Table struct {
	Columns []Column
	// Each calls a function with each row. The row is valid until it returns.
	Each func(row func(values []any) error) error
}

// moments are the fields that hold times; the contract has them as text.
var moments = map[string]bool{"timestamp": true, "date": true}

// fields are the columns of a type and where their values are.
type fields struct {
	columns []Column
	places  []int
}

// fieldsOf reads the columns off the JSON names of a type.
func fieldsOf(t reflect.Type, wanted func(name string) bool) (f fields) {
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if wanted(name) {
			f.columns = append(f.columns, Column{name, kindOf(name, t.Field(i).Type)})
			f.places = append(f.places, i)
		}
	}
	return f
}

func kindOf(name string, t reflect.Type) Kind {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		if moments[name] {
			return Moment
		}
		return Text
	case reflect.Int64:
		return Integer
	case reflect.Float64:
		return Number
	case reflect.Bool:
		return Flag
	case reflect.Slice:
		return List
	}
	panic(fmt.Sprintf("export: a column of %s", t))
}

// read fills a row with the fields of a value. A pointer or slice that is nil is
// what the JSON has as null.
func (f fields) read(v reflect.Value, row []any) {
	for i, place := range f.places {
		field := v.Field(place)
		switch field.Kind() {
		case reflect.Pointer:
			if row[i] = nil; !field.IsNil() {
				row[i] = field.Elem().Interface()
			}
		case reflect.Slice:
			if row[i] = nil; !field.IsNil() {
				row[i] = field.Interface()
			}
		default:
			row[i] = field.Interface()
		}
	}
}

func every(string) bool { return true }

// list is a table with a row for each element.
func list[T any](items []T) Table {
	f := fieldsOf(reflect.TypeFor[T](), every)
	return Table{f.columns, func(row func([]any) error) error {
		values := make([]any, len(f.columns))
		for i := range items {
			f.read(reflect.ValueOf(&items[i]).Elem(), values)
			if err := row(values); err != nil {
				return err
			}
		}
		return nil
	}}
}
