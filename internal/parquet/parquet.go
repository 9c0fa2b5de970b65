// Package parquet reads the rows of a Parquet file as JSON objects, one at a
// time and in the order of the file, through the DuckDB that is linked in
// anyway.
//
// The driver collects the whole result of a query before it gives the first
// row. So the rows are no result here: the engine calls a function of ours with
// each of them. It does so on one thread, which keeps them in order, and it
// goes over the file once, whatever the size of its row groups.
package parquet

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"

	duck "github.com/duckdb/duckdb-go/v2"
)

// File is an open Parquet file. It is used by one goroutine at a time.
type File struct {
	db      *sql.DB
	conn    *sql.Conn // the one that knows the receiver
	from    string    // SQL
	rows    int64
	columns []column
	receiver
}

// Open opens a file of which some columns are wanted. The file must have at
// least one of them, by exactly this name. No other file can be read through
// it, whatever is in it.
func Open(ctx context.Context, path string, columns []string) (*File, error) {
	source, err := newSource(path)
	if err != nil {
		return nil, err
	}
	connector, err := duck.NewConnector("", nil)
	if err != nil {
		return nil, err
	}
	f := &File{db: sql.OpenDB(connector), from: source.sql()}
	if err := f.open(ctx, source, columns); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *File) open(ctx context.Context, source source, columns []string) (err error) {
	if f.conn, err = f.db.Conn(ctx); err != nil {
		return err
	}
	if _, err := f.conn.ExecContext(ctx, source.lockdown()); err != nil {
		return err
	}
	if err := f.receiver.register(f.conn); err != nil {
		return err
	}
	counted := f.conn.QueryRowContext(ctx, "select num_rows from parquet_file_metadata("+source.literal()+")")
	if err := counted.Scan(&f.rows); err != nil {
		return explain(ctx, err)
	}
	all, err := readSchema(ctx, f.conn, source)
	if err != nil {
		return explain(ctx, err)
	}
	f.from += " as file(" + aliases(len(all)) + ")"
	f.columns, err = choose(all, columns)
	return err
}

// Rows is how many rows the file says it has.
func (f *File) Rows() int64 { return f.rows }

// Columns are the wanted columns that the file has, in the order in which they
// were wanted.
func (f *File) Columns() (names []string) {
	for _, c := range f.columns {
		names = append(names, c.name)
	}
	return names
}

// Close closes the file.
func (f *File) Close() (err error) {
	if f.conn != nil {
		err = f.conn.Close()
	}
	return errors.Join(err, f.db.Close())
}

// Each calls a function with each row, counted from 1, as a JSON object that
// the function may keep. What is null is left out of it. An error of the
// function ends reading and is returned as it is.
func (f *File) Each(ctx context.Context, each func(row int64, object []byte) error) error {
	var row int64
	var size int
	var failed error
	f.take = func(values []driver.Value) error {
		if failed = ctx.Err(); failed != nil {
			return failed
		}
		if values[0] != row {
			failed = fmt.Errorf("row %v of the Parquet file came where row %d was due", values[0], row)
			return failed
		}
		o := object(f.columns, values[1:], size)
		size = min(len(o)+len(o)/8, 64<<10) // the next one is probably about as long
		row++
		failed = each(row, o)
		return failed
	}
	var taken sql.NullBool
	err := f.conn.QueryRowContext(ctx, f.statement()).Scan(&taken)
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return explain(ctx, err)
	case row != f.rows:
		return fmt.Errorf("%w (it has %d rows, and says it has %d)", errDamaged, row, f.rows)
	}
	return nil
}

// statement makes the engine call the receiver with each row.
func (f *File) statement() string {
	var s strings.Builder
	s.WriteString("select bool_and(" + receiverName + "(file_row_number")
	for _, c := range f.columns {
		s.WriteString(", " + c.expression())
	}
	s.WriteString(")) from " + f.from)
	return s.String()
}

// alias is what the column at a place is called in statements: names in a file
// can differ only in case, and can be those of the engine's own columns.
func alias(place int) string { return "c" + strconv.Itoa(place) }

func aliases(count int) string {
	all := make([]string, count)
	for i := range all {
		all[i] = alias(i)
	}
	return strings.Join(all, ", ")
}
