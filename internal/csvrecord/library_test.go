package csvrecord

import (
	"bytes"
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// records reads a text as a loader does: line by line, blank ones left out.
func records(f *Format, text []byte) (all [][]string, failed error) {
	var record []byte
	open := false
	for line := range bytes.Lines(text) {
		if !open && len(trimEnd(line)) == 0 {
			continue
		}
		record = append(record, line...)
		if open = f.OpenAfter(line, open); open {
			continue
		}
		fields, err := f.Fields(record, nil)
		failed = errors.Join(failed, err)
		all = append(all, fields)
		record = record[:0]
	}
	if open {
		failed = errors.Join(failed, errOpenQuote)
	}
	return all, failed
}

func library(f *Format, text []byte) ([][]string, error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord = rune(f.separator), len(f.Columns)
	return r.ReadAll()
}

// plainBreaks does what the library does with line breaks in quotes.
func plainBreaks(all [][]string) [][]string {
	for _, fields := range all {
		for i := range fields {
			fields[i] = strings.ReplaceAll(fields[i], "\r\n", "\n")
		}
	}
	return all
}

// compare holds a text to the library, which has no opinion of its own where
// it meets a quote inside a plain field.
func compare(t rapid.TB, f *Format, text []byte) {
	t.Helper()
	want, wantErr := library(f, text)
	if errors.Is(wantErr, csv.ErrBareQuote) {
		return
	}
	got, err := records(f, text)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%q: %v; the library says %v", text, err, wantErr)
	}
	if diff := cmp.Diff(want, plainBreaks(got)); err == nil && diff != "" {
		t.Fatalf("%q (library -, ours +):\n%s", text, diff)
	}
}

var pieces = rapid.SampledFrom([]string{`"`, `"`, `""`, ",", ";", "\t", "\n", "\r\n", "a", "é", " ", `,"`, `",`})

func formats(t *rapid.T) *Format {
	columns := rapid.IntRange(1, 3).Draw(t, "columns")
	return &Format{Columns: []string{"a", "b", "c"}[:columns], separator: rapid.SampledFrom(separators).Draw(t, "separator")}
}

func TestRecordsAreReadAsTheLibraryReadsThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formats(t)
		compare(t, f, []byte(strings.Join(rapid.SliceOf(pieces).Draw(t, "text"), "")))
	})
}

func TestWhatTheLibraryWritesIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formats(t)
		field := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(pieces, 0, 5).Draw(t, "field"), "") })
		want := rapid.SliceOf(rapid.SliceOfN(field, len(f.Columns), len(f.Columns))).Draw(t, "records")
		// An empty line is no record, so a single field must say something.
		want = slices.DeleteFunc(want, func(fields []string) bool { return len(fields) == 1 && fields[0] == "" })

		var text bytes.Buffer
		w := csv.NewWriter(&text)
		w.Comma, w.UseCRLF = rune(f.separator), rapid.Bool().Draw(t, "of Windows")
		if err := w.WriteAll(want); err != nil {
			t.Fatal(err)
		}
		got, err := records(f, text.Bytes())
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d records, want %d: %v", len(got), len(want), err)
		}
		if diff := cmp.Diff(plainBreaks(want), plainBreaks(got)); len(want) > 0 && diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestWhatHasEndedHasNoOpenQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formats(t)
		lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.ReplaceAll(strings.Join(rapid.SliceOf(pieces).Draw(t, "line"), ""), "\n", "") + "\n"
		}), 1, 4).Draw(t, "lines")
		record, open := "", false
		for i, line := range lines {
			if i > 0 && !open {
				break
			}
			record, open = record+line, f.OpenAfter([]byte(line), open)
		}
		if f.Ends([]byte(record)) == open {
			t.Fatalf("%q: line by line it is open: %v, as a whole it is not the same", record, open)
		}
		_, err := f.Fields([]byte(record), nil)
		if errors.Is(err, errOpenQuote) && !open || errors.Is(err, errBreak) {
			t.Fatalf("%q, open %v: %v", record, open, err)
		}
		if open && err == nil {
			t.Fatalf("%q is open, and is read all the same", record)
		}
	})
}

func FuzzRecords(f *testing.F) {
	for _, text := range []string{"1,2,3\n", "\"1\r\n1\",\"\"\"2\",3\r\n\r\n", "1,\"2\"2,3", "1,2,\"3", ",,\n\n,\"\",", "\r,1,2\r"} {
		for i := range separators {
			f.Add([]byte(text), i)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, separator int) {
		format := &Format{Columns: []string{"a", "b", "c"}, separator: separators[uint(separator)%uint(len(separators))]}
		compare(t, format, text)
		if header, err := ParseHeader(text); err == nil && len(header.Columns) == 0 {
			t.Errorf("%q is a header without columns", text)
		}
	})
}
