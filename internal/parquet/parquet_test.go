package parquet

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	duck "github.com/duckdb/duckdb-go/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/leaktest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Code(m.Run())) }

// write makes a Parquet file of a query.
func write(t testing.TB, path, query, options string) string {
	t.Helper()
	connector, err := duck.NewConnector("", nil)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if _, err := db.Exec("copy (" + query + ") to " + quote(path) + " (format parquet" + options + ")"); err != nil {
		t.Fatal(err)
	}
	return path
}

func written(t testing.TB, query string) string {
	return write(t, filepath.Join(t.TempDir(), "rows.parquet"), query, "")
}

func open(t testing.TB, path string, columns ...string) *File {
	t.Helper()
	f, err := Open(t.Context(), path, columns)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// objects reads all rows, and checks how they are counted.
func objects(t testing.TB, f *File) (all []string) {
	t.Helper()
	var kept [][]byte
	err := f.Each(t.Context(), func(row int64, object []byte) error {
		if kept = append(kept, object); row != int64(len(kept)) {
			t.Errorf("row %d is called %d", len(kept), row)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range kept {
		all = append(all, string(o))
	}
	return all
}

func TestRowsAreObjectsWithTheWantedColumns(t *testing.T) {
	f := open(t, written(t, `select * from (values (1, 'a', true), (2, null, false), (null, null, null)) v(id, name, other)`), "name", "id", "absent")
	if f.Rows() != 3 || !slices.Equal(f.Columns(), []string{"name", "id"}) {
		t.Errorf("%d rows of %v", f.Rows(), f.Columns())
	}
	want := []string{`{"name":"a","id":1}`, `{"id":2}`, `{}`}
	for range 2 { // a file can be read again
		if diff := cmp.Diff(want, objects(t, f)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAFileWithoutRowsIsRead(t *testing.T) {
	f := open(t, written(t, "select 1 as id where false"), "id")
	if got := objects(t, f); f.Rows() != 0 || len(got) > 0 {
		t.Errorf("%d rows: %v", f.Rows(), got)
	}
}

func TestRowsComeInTheOrderOfTheFile(t *testing.T) {
	const rows = 300_000
	for _, group := range []int{2048, 100_000, rows} {
		t.Run(fmt.Sprintf("row groups of %d", group), func(t *testing.T) {
			// Neither the ids nor their texts are sorted.
			path := write(t, filepath.Join(t.TempDir(), "rows.parquet"),
				fmt.Sprintf("select (i * 7919) %% %d as id, 'text ' || (i %% 1000) as t from range(%d) r(i)", rows, rows),
				fmt.Sprintf(", row_group_size %d", group))
			f := open(t, path, "id", "t")
			last := int64(0)
			err := f.Each(t.Context(), func(row int64, object []byte) error {
				i := row - 1
				if want := fmt.Sprintf(`{"id":%d,"t":"text %d"}`, i*7919%rows, i%1000); string(object) != want {
					return fmt.Errorf("row %d is %s, want %s", row, object, want)
				}
				last = row
				return nil
			})
			if err != nil || last != rows || f.Rows() != rows {
				t.Errorf("%d of %d rows: %v", last, f.Rows(), err)
			}
		})
	}
}

func TestLongTextsAreRead(t *testing.T) {
	const rows, length = 55_000, 4_000
	f := open(t, written(t, fmt.Sprintf("select repeat(chr(97 + (i %% 26)::int), %d) || i as t from range(%d) r(i)", length, rows)), "t")
	last := int64(0)
	err := f.Each(t.Context(), func(row int64, object []byte) error {
		if last = row; len(object) < length || !bytes.HasSuffix(object, fmt.Appendf(nil, `%d"}`, row-1)) {
			return fmt.Errorf("row %d is %.100s", row, object)
		}
		return nil
	})
	if err != nil || last != rows {
		t.Errorf("%d rows: %v", last, err)
	}
}

func TestAnErrorOfTheFunctionEndsReading(t *testing.T) {
	f := open(t, written(t, "select i as id from range(10000) r(i)"), "id")
	enough, calls := errors.New("enough"), 0
	err := f.Each(t.Context(), func(row int64, _ []byte) error {
		if calls++; row == 5 {
			return enough
		}
		return nil
	})
	if err != enough || calls != 5 {
		t.Errorf("%v after %d calls", err, calls)
	}
	if got := objects(t, f); len(got) != 10000 {
		t.Errorf("%d rows after that", len(got))
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	path := written(t, "select i as id from range(100000) r(i)")
	f := open(t, path, "id")
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := f.Each(ctx, func(int64, []byte) error {
		if calls++; calls == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || calls != 5 {
		t.Errorf("%v after %d calls", err, calls)
	}
	if _, err := Open(ctx, path, []string{"id"}); !errors.Is(err, context.Canceled) {
		t.Errorf("opened after the end: %v", err)
	}
}

func TestAPathIsThatOneFile(t *testing.T) {
	dir := t.TempDir()
	decoys := []string{"a1.parquet", "ab.parquet", "ax.parquet", "a.parquet", "b.parquet", "aa.parquet"}
	for _, name := range decoys {
		write(t, filepath.Join(dir, name), "select 'decoy' as id", "")
	}
	for _, name := range []string{"a*.parquet", "a[1].parquet", "a?.parquet", "a[!x].parquet", "a[[]1].parquet", "**", "{a,b}.parquet", "it's.parquet", "year=2026/a[b].parquet", " . "} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			os.MkdirAll(filepath.Dir(path), 0o700)
			// The engine would take the name for a pattern, so it gets it afterwards.
			if err := os.Rename(write(t, filepath.Join(dir, "new"), "select 'this' as id", ""), path); err != nil {
				t.Fatal(err)
			}
			f := open(t, path, "id", "year")
			if got := objects(t, f); f.Rows() != 1 || !slices.Equal(got, []string{`{"id":"this"}`}) {
				t.Errorf("%d rows: %v", f.Rows(), got)
			}
		})
	}
	t.Run("relative", func(t *testing.T) {
		t.Chdir(dir)
		if got := objects(t, open(t, "a1.parquet", "id")); !slices.Equal(got, []string{`{"id":"decoy"}`}) {
			t.Error(got)
		}
	})
}

func TestNothingButTheFileCanBeReached(t *testing.T) {
	dir := t.TempDir()
	f := open(t, write(t, filepath.Join(dir, "rows.parquet"), "select 1 as id", ""), "id")
	other := write(t, filepath.Join(dir, "other.parquet"), "select 1 as id", "")
	for _, statement := range []string{
		"select * from read_parquet(" + quote(other) + ")",
		"select * from read_text(" + quote(other) + ")",
		"select * from glob(" + quote(dir+"/*") + ")",
		"attach " + quote(filepath.Join(dir, "new.db")),
		"copy (select 1) to " + quote(filepath.Join(dir, "new.csv")),
		"set enable_external_access = true",
		"set allowed_paths = [" + quote(other) + "]",
		"set memory_limit = '10GB'",
		"install httpfs",
	} {
		if _, err := f.conn.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s is done", statement)
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, "new*")); err != nil || len(names) > 0 {
		t.Errorf("%v is there: %v", names, err)
	}
}

func TestNamesAreComparedExactly(t *testing.T) {
	for _, c := range []struct {
		name, query, patch string
		wanted             []string
		want               string
	}{
		{"case", `select 1 as "ID", 2 as "userAgent"`, "", []string{"id", "userAgent"}, `{"userAgent":2}`},
		{"names that differ in case", `select 1 as "ID", 2 as ix`, "ix id", []string{"id"}, `{"id":2}`},
		{"a name of the engine's own", "select 5 as file_row_number, 6 as filename", "", []string{"file_row_number", "filename"}, `{"file_row_number":5,"filename":6}`},
		{"quotes and keywords", `select 1 as "a""b'c", 2 as "at", 3 as "select"`, "", []string{`a"b'c`, "at", "select"}, `{"a\"b'c":1,"at":2,"select":3}`},
		{"names inside of others", "select {'id': 1, 'x': [{'id': 2}]} as a, 3 as id, {'at': 4} as b", "", []string{"id", "at"}, `{"id":3}`},
		{"the dots in a name", `select 1 as "a.b", {'b': 2} as a`, "", []string{"a.b"}, `{"a.b":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := written(t, c.query)
			if from, to, ok := strings.Cut(c.patch, " "); ok {
				patch(t, path, from, to)
			}
			if got := objects(t, open(t, path, c.wanted...)); !slices.Equal(got, []string{c.want}) {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
}

// patch replaces all of a text in a file by one of the same length.
func patch(t testing.TB, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%q is not in the file: %v", from, err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte(from), []byte(to)), 0o600); err != nil {
		t.Fatal(err)
	}
}
