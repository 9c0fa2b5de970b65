package csvrecord

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheHeaderTellsSeparatorAndColumns(t *testing.T) {
	for _, c := range []struct {
		name, line string
		separator  byte
		columns    []string
	}{
		{"commas", "id,at,url", ',', []string{"id", "at", "url"}},
		{"semicolons", "id;at;url", ';', []string{"id", "at", "url"}},
		{"tabs", "id\tat\turl", '\t', []string{"id", "at", "url"}},
		{"the one that splits most", "id,at;url;ip", ';', []string{"id,at", "url", "ip"}},
		{"a comma where two split alike", "id,at;url", ',', []string{"id", "at;url"}},
		{"a comma where nothing splits", "id", ',', []string{"id"}},
		{"a line end", "id,at\r\n", ',', []string{"id", "at"}},
		{"a byte order mark", "\xef\xbb\xbfid,at", ',', []string{"id", "at"}},
		{"a byte order mark before a quote", "\xef\xbb\xbf\"id\",at", ',', []string{"id", "at"}},
		{"white space around names", " id , at\t", ',', []string{"id", "at"}},
		{"quoted names", `"id";"the; ""time"""`, ';', []string{"id", `the; "time"`}},
		{"separators in quotes do not count", `"a,b,c,d";e`, ';', []string{"a,b,c,d", "e"}},
		{"names differ in case", "id,ID", ',', []string{"id", "ID"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := ParseHeader([]byte(c.line))
			if err != nil {
				t.Fatal(err)
			}
			if f.separator != c.separator || !slices.Equal(f.Columns, c.columns) {
				t.Errorf("%q separates %q, want %q and %q", f.separator, f.Columns, c.separator, c.columns)
			}
		})
	}
}

func TestAHeaderThatCannotBeUsedSaysWhy(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"nothing", "", "column 1 of the header has no name"},
		{"a name is missing", "id,,url", "column 2 of the header has no name"},
		{"a separator at the end", "id;at;", "column 3 of the header has no name"},
		{"white space is no name", "id, ,url", "column 2 of the header has no name"},
		{"a name twice", "id,at,id", "the header has the column id twice"},
		{"twice but for white space", "id;at; id", "the header has the column id twice"},
		{"an open quote", `id,"at`, "column 2 of the header: its quote is never closed"},
		{"text after a quote", `"id"x,at`, "column 1 of the header: text after its closing quote"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f, err := ParseHeader([]byte(c.line)); err == nil || err.Error() != c.want {
				t.Errorf("%v, %v; want %s", f, err, c.want)
			}
		})
	}
}

func three(t testing.TB, separator string) *Format {
	t.Helper()
	f, err := ParseHeader([]byte(strings.Join([]string{"a", "b", "c"}, separator)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFieldsAreUnquoted(t *testing.T) {
	for _, c := range []struct {
		name, separator, record string
		want                    []string
	}{
		{"plain", ",", "1,2,3", []string{"1", "2", "3"}},
		{"empty", ",", ",,", []string{"", "", ""}},
		{"empty and quoted", ",", `"","",""`, []string{"", "", ""}},
		{"quoted", ",", `"1","2","3"`, []string{"1", "2", "3"}},
		{"a separator in quotes", ",", `"1,1",2,"3,"`, []string{"1,1", "2", "3,"}},
		{"another separator", ";", `1,1;"2;2";3`, []string{"1,1", "2;2", "3"}},
		{"a tab", "\t", "1\t2,2\t\"3\t3\"", []string{"1", "2,2", "3\t3"}},
		{"quotes in quotes", ",", `"say ""hi""","""",""""""`, []string{`say "hi"`, `"`, `""`}},
		{"a line break in quotes", ",", "1,\"2\n2\r\n2\",3", []string{"1", "2\n2\r\n2", "3"}},
		{"a quote inside a plain field", ",", `5" disk,2"",a"b"`, []string{`5" disk`, `2""`, `a"b"`}},
		{"a quote after white space", ",", `1, "2" ,3`, []string{"1", ` "2" `, "3"}},
		{"white space is kept", ",", " 1 ,\t2,3 ", []string{" 1 ", "\t2", "3 "}},
		{"a line end", ",", "1,2,3\n", []string{"1", "2", "3"}},
		{"a line end of Windows", ",", "1,2,3\r\n", []string{"1", "2", "3"}},
		{"half a line end of Windows", ",", "1,2,\"3\"\r", []string{"1", "2", "3"}},
		{"bytes that are no text", ",", "\xff,\x00,é", []string{"\xff", "\x00", "é"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := three(t, c.separator).Fields([]byte(c.record), []string{"from", "before"})
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

func TestARecordThatIsNotAsTheHeaderSaysWhy(t *testing.T) {
	for _, c := range []struct{ name, record, want string }{
		{"nothing", "", "1 field, the header has 3"},
		{"too few", "1,2", "2 fields, the header has 3"},
		{"too many", "1,2,3,4,", "5 fields, the header has 3"},
		{"text after a quote", `1,"2"2,3`, "column b: text after its closing quote"},
		{"white space after a quote", `1,"2" ,3`, "column b: text after its closing quote"},
		{"an open quote", `1,2,"3`, "column c: its quote is never closed"},
		{"only a quote", `"`, "column a: its quote is never closed"},
		{"an open quote that ends doubled", `1,2,"3""`, "column c: its quote is never closed"},
		{"an open quote beyond the columns", `1,2,3,"4`, "field 4: its quote is never closed"},
		{"two records", "1,2,3\n1,2,3", "column c: a line break outside of quotes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := three(t, ",").Fields([]byte(c.record), nil); err == nil || err.Error() != c.want {
				t.Errorf("%q, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestARecordGoesOnInsideQuotes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		ends       bool
	}{
		{"nothing", "", true},
		{"plain", "1,2,3", true},
		{"quoted", `"1","2","3"`, true},
		{"open", `1,"2`, false},
		{"open with a line end", "1,\"2\n", false},
		{"open again", `"1","2,3`, false},
		{"only a quote", `"`, false},
		{"closed at once", `""`, true},
		{"a doubled quote does not close", `"1""`, false},
		{"a doubled quote, then closed", `"1"""`, true},
		{"a quote inside a plain field opens nothing", `5" disk,2`, true},
		{"nor one after white space", `1, "2`, true},
		{"nor one after another separator", `1;"2`, true},
		{"text after a quote opens nothing", `"1"2"`, true},
		{"a field after such a text does", `"1"2,"3`, false},
		{"closed in a later line", "1,\"2\n2\",3", true},
		{"open in a later line", "1,\"2\n2\",\"3", false},
		{"what follows the record does not matter", "1,2\n,\"3", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := three(t, ",").Ends([]byte(c.text)); got != c.ends {
				t.Errorf("%q ends: %v", c.text, got)
			}
		})
	}
}

func TestARecordOfSeparatorsTakesLittleMemory(t *testing.T) {
	f, record := three(t, ","), []byte(strings.Repeat(",", 1<<20))
	got, err := f.Fields(record, nil)
	if err == nil || err.Error() != "1048577 fields, the header has 3" || cap(got) > 16 {
		t.Errorf("room for %d fields, %v", cap(got), err)
	}
}

func TestReadingARecordAllocatesOnce(t *testing.T) {
	f, record := three(t, ","), []byte(`2026-03-02T09:15:00Z,"https://acme.com/,",w-acme`)
	into := make([]string, 0, 3)
	if n := testing.AllocsPerRun(100, func() { into, _ = f.Fields(record, into) }); n > 1 {
		t.Errorf("%v allocations a record", n)
	}
}
