package engines

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // the driver

	"github.com/sightline-hq/sightline/bench/compare/data"
)

// duck is DuckDB in this process.
type duck struct {
	db     *sql.DB
	folder string
}

func openDuckDB(_ context.Context, folder string) (Engine, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	db, err := sql.Open("duckdb", filepath.Join(folder, "plain.duckdb"))
	if err != nil {
		return nil, err
	}
	// The other engines are open at the same time.
	if _, err := db.Exec("set memory_limit = '8GiB'; set preserve_insertion_order = true"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &duck{db, folder}, nil
}

func (d *duck) Dialect() Dialect { return DuckDB }
func (d *duck) Close() error     { return d.db.Close() }

func (d *duck) Version(ctx context.Context) (v string, err error) {
	err = d.db.QueryRowContext(ctx, "select version()").Scan(&v)
	return v, err
}

func (d *duck) Exec(ctx context.Context, text string) error {
	_, err := d.db.ExecContext(ctx, text)
	return err
}

// Insert lets DuckDB read its rows from a pipe with a name.
func (d *duck) Insert(ctx context.Context, table data.Table, rows func(io.Writer) error) error {
	return throughPipe(d.folder, rows, func(pipe string) error {
		return d.Exec(ctx, fmt.Sprintf("insert into %s select * from read_csv('%s', header = false, delim = '\t', quote = '', escape = '', "+
			"auto_detect = false, parallel = false, columns = %s)", table, pipe, d.columns(ctx, table)))
	})
}

// columns describes a table for read_csv; what is an enum is read as text.
func (d *duck) columns(ctx context.Context, table data.Table) string {
	var text string
	row := d.db.QueryRowContext(ctx, `select '{' || string_agg('''' || column_name || ''': ''' ||
		case when data_type like 'ENUM%' then 'VARCHAR' else data_type end || '''', ', ' order by column_index) || '}'
		from duckdb_columns() where table_name = ?`, string(table))
	if err := row.Scan(&text); err != nil {
		return "{}" // read_csv will say what is wrong
	}
	return text
}

func (d *duck) Ask(ctx context.Context, query string) (Rows, error) {
	found := Rows{All: -1}
	rows, err := d.db.QueryContext(ctx, query)
	if err != nil {
		return found, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return found, err
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return found, err
		}
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = asText(v)
		}
		found.Values = append(found.Values, row)
	}
	return found, rows.Err()
}

func asText(v any) string {
	switch v := v.(type) {
	case nil:
		return Null
	case time.Time:
		return v.Format(time.DateTime)
	}
	return fmt.Sprint(v)
}

// throughPipe writes rows into a named pipe while somebody reads it.
func throughPipe(folder string, rows func(io.Writer) error, read func(pipe string) error) error {
	pipe := filepath.Join(folder, "rows.tsv")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		return err
	}
	defer os.Remove(pipe)
	wrote := make(chan error, 1)
	go func() {
		f, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the reader
		if err != nil {
			wrote <- err
			return
		}
		w := bufio.NewWriterSize(f, 1<<20)
		wrote <- errors.Join(rows(w), w.Flush(), f.Close())
	}()
	if err := read(pipe); err != nil {
		// A reader that failed never opened the pipe, perhaps: let the writer go.
		if f, openErr := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0); openErr == nil {
			f.Close()
		}
		return err
	}
	return <-wrote
}
