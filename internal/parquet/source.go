package parquet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	duck "github.com/duckdb/duckdb-go/v2"
)

// memory bounds the engine. It holds a page of each column, packed and unpacked,
// and DuckDB itself writes pages of 100 MB where texts are long.
const memory = "768MB"

var (
	errNotParquet = errors.New("this is no Parquet file")
	errDamaged    = errors.New("the Parquet file is damaged or cut off: copy it again")
)

// source is the file as the engine is told of it.
type source struct {
	path    string // absolute, so that nothing in it reads as a protocol
	pattern string // the path, for an engine that takes it for a pattern
}

// newSource looks at the ends of a file: both say that it is Parquet.
func newSource(path string) (source, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return source{}, err
	}
	file, err := os.Open(path)
	if err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return source{}, fmt.Errorf("cannot read the Parquet file: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return source{}, err
	}
	if !info.Mode().IsRegular() {
		return source{}, errNotParquet
	}
	const magic, encrypted = "PAR1", "PARE"
	var start, end [len(magic)]byte
	file.ReadAt(start[:], 0) // a file that is too short is none
	file.ReadAt(end[:], max(0, info.Size()-int64(len(end))))
	switch {
	case string(start[:]) == encrypted || string(end[:]) == encrypted:
		return source{}, errors.New("the Parquet file is encrypted: write it without encryption")
	case string(start[:]) != magic:
		return source{}, errNotParquet
	case string(end[:]) != magic || info.Size() <= int64(2*len(magic)):
		return source{}, errDamaged
	}
	// A character in brackets stands for itself.
	escape := strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")
	return source{path, escape.Replace(path)}, nil
}

func (s source) literal() string { return quote(s.pattern) }

// sql reads the file, with the columns that are in it and no others.
func (s source) sql() string { return "read_parquet(" + s.literal() + ", hive_partitioning = false)" }

// lockdown bounds the engine and leaves it this file alone. The rows come in
// their order because there is one thread.
func (s source) lockdown() string {
	return `
set memory_limit = '` + memory + `';
set threads = 1;
set preserve_insertion_order = true;
set temp_directory = '';
set enable_geoparquet_conversion = false;
set autoinstall_known_extensions = false;
set autoload_known_extensions = false;
set allowed_paths = [` + quote(s.path) + `, ` + quote(s.pattern) + `];
set enable_external_access = false;
set lock_configuration = true;`
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// explain says what to do about an error of the engine.
func explain(ctx context.Context, err error) error {
	var engine *duck.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.As(err, &engine):
		return err
	}
	reason, _, _ := strings.Cut(engine.Msg, "\n")
	reason = strings.ToValidUTF8(reason[:min(len(reason), 300)], "") // it can quote what is in the file
	switch {
	case engine.Type == duck.ErrorTypeOutOfMemory:
		return fmt.Errorf("the Parquet file needs too much memory: write it with smaller row groups (%s)", reason)
	case engine.Type == duck.ErrorTypeNotImplemented:
		return fmt.Errorf("the Parquet file is written in a way that cannot be read: write it with another compression or encoding (%s)", reason)
	case strings.Contains(reason, "not valid UTF8"):
		return fmt.Errorf("the Parquet file has text that is not valid UTF-8: write it again (%s)", reason)
	case strings.Contains(reason, "Invalid JSON found"):
		return fmt.Errorf("the Parquet file has JSON that is none: write it again (%s)", reason)
	}
	return fmt.Errorf("%w (%s)", errDamaged, reason)
}
