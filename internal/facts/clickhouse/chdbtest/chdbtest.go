// Package chdbtest runs today's ClickHouse engine for tests: libchdb.so, which
// comes from npm and has no port and no cluster. It is loaded by a small program
// in C, in a process of its own.
package chdbtest

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
)

//go:embed engine/engine.c
var source []byte

// Engine is a running engine. It implements clickhouse.Engine.
type Engine struct {
	dir    string
	mu     sync.Mutex
	in     io.WriteCloser
	out    *bufio.Reader
	number int
}

// Start compiles the program and starts the engine of a library.
func Start(t testing.TB, library string) *Engine {
	t.Helper()
	dir := t.TempDir()
	file, program := filepath.Join(dir, "engine.c"), filepath.Join(dir, "engine")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-Wall", "-O1", "-o", program, file, "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	cmd := exec.Command(program, library, filepath.Join(dir, "data"))
	cmd.Stderr, cmd.Dir = os.Stderr, dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the engine ended with %v", err)
		}
	})
	return &Engine{dir: dir, in: in, out: bufio.NewReaderSize(out, 1<<20)}
}

// run sends a statement and returns the bytes of its rows.
func (e *Engine) run(ctx context.Context, statement string) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	request := binary.LittleEndian.AppendUint32(nil, uint32(len(statement)))
	if _, err := e.in.Write(append(request, statement...)); err != nil {
		return nil, err
	}
	var head [9]byte
	if _, err := io.ReadFull(e.out, head[:]); err != nil {
		return nil, fmt.Errorf("the engine ended: %w", err)
	}
	text := make([]byte, binary.LittleEndian.Uint64(head[1:]))
	if _, err := io.ReadFull(e.out, text); err != nil {
		return nil, err
	}
	if head[0] != 0 {
		return nil, fmt.Errorf("%s\nin: %s", text, statement)
	}
	return text, nil
}

// Exec implements clickhouse.Engine.
func (e *Engine) Exec(ctx context.Context, statement string) error {
	_, err := e.run(ctx, statement)
	return err
}

// Insert implements clickhouse.Engine.
func (e *Engine) Insert(ctx context.Context, table, columns string, rows []byte) error {
	e.mu.Lock()
	e.number++
	path := filepath.Join(e.dir, fmt.Sprintf("rows%d.gz", e.number))
	e.mu.Unlock()
	if err := os.WriteFile(path, rows, 0o600); err != nil {
		return err
	}
	defer os.Remove(path)
	return e.Exec(ctx, fmt.Sprintf("insert into %s (%s) from infile '%s' compression 'gzip' format RowBinary", table, columns, path))
}

// Query implements clickhouse.Engine.
func (e *Engine) Query(ctx context.Context, statement string, row func(facts.Scan) error) error {
	text, err := e.run(ctx, statement)
	if err != nil {
		return err
	}
	r := &rows{rest: text}
	types := r.header()
	for len(r.rest) > 0 && r.err == nil {
		values := make([]any, len(types))
		for i, t := range types {
			values[i] = r.value(t)
		}
		if r.err != nil {
			break
		}
		if err := row(func(dest ...any) error { return scan(values, dest) }); err != nil {
			return err
		}
	}
	return r.err
}

// scan hands the values of a row over.
func scan(values, dest []any) error {
	if len(dest) != len(values) {
		return fmt.Errorf("%d columns for %d places", len(values), len(dest))
	}
	for i, v := range values {
		switch d := dest[i].(type) {
		case *facts.Int:
			if err := d.Scan(v); err != nil {
				return err
			}
		case *string:
			text, ok := v.(string)
			if !ok {
				return fmt.Errorf("%T is no text", v)
			}
			*d = text
		default:
			return fmt.Errorf("cannot scan into %T", d)
		}
	}
	return nil
}

// rows reads the format RowBinaryWithNamesAndTypes.
type rows struct {
	rest []byte
	err  error
}

func (r *rows) header() (types []string) {
	if len(r.rest) == 0 { // no rows and no header
		return nil
	}
	n := r.length()
	for range n {
		r.text()
	}
	for range n {
		types = append(types, r.text())
	}
	return types
}

func (r *rows) length() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.err = errors.New("rows are cut off")
		r.rest = nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *rows) take(n int) []byte {
	if len(r.rest) < n {
		r.err = errors.New("rows are cut off")
		r.rest = nil
		return make([]byte, n)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *rows) text() string { return string(r.take(int(r.length()))) }

func (r *rows) value(typ string) any {
	switch {
	case typ == "String" || strings.HasPrefix(typ, "LowCardinality(String"):
		return r.text()
	case typ == "UInt8":
		return r.take(1)[0]
	case typ == "Int8":
		return int8(r.take(1)[0])
	case typ == "UInt16":
		return binary.LittleEndian.Uint16(r.take(2))
	case typ == "Int16":
		return int16(binary.LittleEndian.Uint16(r.take(2)))
	case typ == "UInt32" || typ == "DateTime":
		return binary.LittleEndian.Uint32(r.take(4))
	case typ == "Int32":
		return int32(binary.LittleEndian.Uint32(r.take(4)))
	case typ == "UInt64":
		return binary.LittleEndian.Uint64(r.take(8))
	case typ == "Int64":
		return int64(binary.LittleEndian.Uint64(r.take(8)))
	}
	r.err = fmt.Errorf("a column has the type %s", typ)
	return nil
}
