package engines

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/bench/compare/data"
)

func TestAFileOfStatements(t *testing.T) {
	got := statements("-- why\ncreate table a (\n  b text\n);\n-- more; here\ninsert into a values (';');\n")
	want := []string{"create table a (\n  b text\n)", "insert into a values (';')"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestWhatClickHouseSays(t *testing.T) {
	got, err := parseCompact([]byte(`{"meta":[],"data":[["2026-06-01","5",null,0.5]],"rows":1,"rows_before_limit_at_least":30}`))
	want := Rows{[][]string{{"2026-06-01", "5", Null, "0.5"}}, 30}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = parseCompact([]byte(`{"data":[]}`)); err != nil || got.All != -1 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := parseCompact([]byte("Code: 62")); err == nil {
		t.Error("an error is no answer")
	}
}

func TestDuckDBHasEveryRowOfTheWorld(t *testing.T) {
	world := data.New(data.Size{Visits: 3000, VisitDays: 3, AnswerDays: 2, Others: 1, Seed: 1})
	folder := t.TempDir()
	kind := Kinds("")[0]
	quiet := func(data.Table) data.Progress { return func(int, int) {} }
	if err := Fill(t.Context(), kind, folder, world, quiet); err != nil {
		t.Fatal(err)
	}
	if err := Fill(t.Context(), kind, folder, world, func(data.Table) data.Progress {
		t.Error("filled again")
		return func(int, int) {}
	}); err != nil {
		t.Fatal(err)
	}
	e, err := kind.Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, table := range data.Tables {
		var text bytes.Buffer
		if err := world.WriteTable(&text, table, nil); err != nil {
			t.Fatal(err)
		}
		rows, err := e.Ask(t.Context(), fmt.Sprintf("select count(*), null from %s", table))
		if want := fmt.Sprint(bytes.Count(text.Bytes(), []byte("\n"))); err != nil || rows.Values[0][0] != want || rows.Values[0][1] != Null {
			t.Errorf("%s: %v, want %s rows: %v", table, rows, want, err)
		}
	}
}

func TestAReaderThatFailsLetsTheWriterGo(t *testing.T) {
	broken := fmt.Errorf("broken")
	err := throughPipe(t.TempDir(), func(w io.Writer) error {
		_, err := io.Copy(w, strings.NewReader("a\n"))
		return err
	}, func(string) error { return broken })
	if err != broken {
		t.Error(err)
	}
}
