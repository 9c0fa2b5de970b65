// Package engines are those that are asked the same questions as Sightline, in
// hand-written SQL on plain tables: DuckDB, PostgreSQL, ClickHouse of Debian and
// today's as a library. Each keeps its data in a folder of its own, and is filled
// once.
package engines

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/sightline-hq/sightline/bench/compare/data"
)

// Null is how an engine's rows say that there is no value.
const Null = `\N`

// Rows are what a query returns, as text.
type Rows struct {
	Values [][]string
	// All is how many rows there would be without a limit, where the engine tells
	// it; otherwise it is -1.
	All int64
}

// Engine answers SQL.
type Engine interface {
	// Dialect says which SQL it speaks.
	Dialect() Dialect
	// Version is what the engine says of itself.
	Version(context.Context) (string, error)
	// Exec runs statements that return nothing.
	Exec(ctx context.Context, statements string) error
	// Insert fills a table with rows of text.
	Insert(ctx context.Context, table data.Table, rows func(io.Writer) error) error
	// Ask runs a query.
	Ask(ctx context.Context, query string) (Rows, error)
	Close() error
}

// Keeper is an engine that Sightline itself can keep its facts in.
type Keeper interface {
	// Facts is what to write after --facts for a database of that engine.
	Facts(database string) string
}

// Dialect is a kind of SQL.
type Dialect string

// The dialects. Old is ClickHouse before CTEs and window functions.
const (
	DuckDB     Dialect = "duckdb"
	Postgres   Dialect = "postgres"
	ClickHouse Dialect = "clickhouse"
	Old        Dialect = "clickhouse-old"
)

// Kind is an engine that can be opened.
type Kind struct {
	Name  string // in flags
	Title string // in results
	// Open starts the engine on a folder.
	Open func(ctx context.Context, folder string) (Engine, error)
}

// Kinds lists all; lib is the path of libchdb.so.
func Kinds(lib string) []Kind {
	return []Kind{
		{"duckdb", "DuckDB", openDuckDB},
		{"postgres", "PostgreSQL", openPostgres},
		{"clickhouse", "ClickHouse server", openClickHouse},
		{"chdb", "ClickHouse library", func(ctx context.Context, folder string) (Engine, error) { return openChDB(ctx, folder, lib) }},
	}
}

//go:embed sql chdb
var files embed.FS

// filled marks a folder whose engine has everything.
const filled = "filled"

// Fill opens an engine and fills it, unless it was filled before.
func Fill(ctx context.Context, k Kind, folder string, world *data.World, progress func(data.Table) data.Progress) error {
	mark := filepath.Join(folder, filled)
	if was, err := os.ReadFile(mark); err == nil && string(was) == fmt.Sprint(world.Size) {
		return nil
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	e, err := k.Open(ctx, folder)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := createTables(ctx, e, world); err != nil {
		return err
	}
	for _, t := range data.Tables {
		err := e.Insert(ctx, t, func(to io.Writer) error { return world.WriteTable(to, t, progress(t)) })
		if err != nil {
			return fmt.Errorf("%s, table %s: %w", k.Title, t, err)
		}
	}
	if err := finish(ctx, e); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	return os.WriteFile(mark, []byte(fmt.Sprint(world.Size)), 0o644)
}

// createTables runs the engine's file of tables.
func createTables(ctx context.Context, e Engine, world *data.World) error {
	name, words := string(e.Dialect()), "LowCardinality(String)"
	if e.Dialect() == Old {
		name, words = string(ClickHouse), "String"
	}
	t, err := template.ParseFS(files, "sql/"+name+".sql")
	if err != nil {
		return err
	}
	var ids []string
	for _, w := range world.Websites {
		ids = append(ids, w.ID)
	}
	number := name == string(ClickHouse)
	var text bytes.Buffer
	err = t.Execute(&text, map[string]string{
		"Websites": enum(ids, number), "Platforms": enum(world.Platforms(), number), "BotTypes": enum(world.BotTypes(), number),
		"Tracked": enum(world.TrackedDomains(), number), "Text": words,
	})
	if err != nil {
		return err
	}
	return e.Exec(ctx, text.String())
}

// enum lists values, with numbers where an engine wants them.
func enum(values []string, numbers bool) string {
	var list []string
	for i, v := range values {
		v = "'" + v + "'"
		if numbers {
			v = fmt.Sprintf("%s = %d", v, i)
		}
		list = append(list, v)
	}
	return strings.Join(list, ", ")
}

// finish brings the tables into their final shape.
func finish(ctx context.Context, e Engine) error {
	switch e.Dialect() {
	case DuckDB:
		return e.Exec(ctx, "checkpoint")
	case Postgres:
		text, err := files.ReadFile("sql/postgres-indexes.sql")
		if err != nil {
			return err
		}
		return e.Exec(ctx, string(text))
	}
	for _, t := range data.Tables {
		if err := e.Exec(ctx, fmt.Sprintf("optimize table %s final", t)); err != nil {
			return err
		}
	}
	return nil
}

// statements splits a file into statements.
func statements(text string) (all []string) {
	for s := range strings.SplitSeq(text, ";\n") {
		var lines []string
		for line := range strings.SplitSeq(s, "\n") {
			if !strings.HasPrefix(line, "--") {
				lines = append(lines, line)
			}
		}
		if s = strings.TrimSuffix(strings.TrimSpace(strings.Join(lines, "\n")), ";"); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// Bytes is how much a folder takes on disk.
func Bytes(folder string) (total int64, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return nil
	})
	return total, err
}
