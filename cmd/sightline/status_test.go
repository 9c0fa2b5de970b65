package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// statusOf runs the command in this process and returns what it prints.
func statusOf(t *testing.T, data string, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	none := func(string) string { return "" }
	if code := run(t.Context(), append([]string{"status", "--data", data}, args...), none, nil, &out, &errOut); code != 0 {
		t.Fatalf("exit code %d: %s", code, errOut.String())
	}
	return out.String()
}

func loaded(t *testing.T) (data string) {
	t.Helper()
	p := newProgram(t, t.TempDir())
	p.run("load", "pageviews", write(t, "pageviews.ndjson", 3, diskVisit))
	return p.data
}

func TestStatusIsReadWhileALoadRuns(t *testing.T) {
	data := loaded(t)
	loader, err := duckdb.OpenLoader(t.Context(), filepath.Join(data, "facts"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer loader.Close()
	load, err := loader.Begin(t.Context(), facts.KindVisits)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	if text := statusOf(t, data); !strings.Contains(text, "version 1\n") {
		t.Error(text)
	}
}

// Nothing but permissions tells a reader from a writer, so the test gives them up.
func TestStatusIsReadWhereNothingMayBeWritten(t *testing.T) {
	data := loaded(t)
	var folders []string
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return os.Chmod(path, 0o444)
		}
		folders = append(folders, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		os.Chmod(f, 0o555)
		t.Cleanup(func() { os.Chmod(f, 0o755) })
	}
	os.Chmod(filepath.Dir(data), 0o755)
	if os.Geteuid() == 0 {
		const nobody = 65534
		if err := syscall.Setreuid(-1, nobody); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := syscall.Setreuid(-1, 0); err != nil {
				panic(err) // no later test would mean what it says
			}
		})
	}
	if err := os.WriteFile(filepath.Join(data, "facts", "new"), nil, 0o600); err == nil {
		t.Fatal("the folder can be written")
	}
	if text := statusOf(t, data, "--weeks"); !strings.Contains(text, "version 1\n") {
		t.Error(text)
	}
}

// Scripts read these names.
func TestTheFieldsOfTheJSONStatusAreStable(t *testing.T) {
	text := statusOf(t, loaded(t), "--output", "json", "--weeks")
	var status map[string]any
	if err := json.Unmarshal([]byte(text), &status); err != nil {
		t.Fatal(err)
	}
	weeks := []string{"bytes", "bytesPerRow", "files", "firstWeek", "kind", "lastWeek", "newest", "rows"}
	for path, want := range map[string][]string{
		"":             {"catalog", "dataDirectory", "kinds", "loads", "rejects", "replaced", "version", "weeks"},
		"catalog":      {"activeKeys", "place", "products", "prompts", "teams", "version", "websites"},
		"kinds":        weeks,
		"weeks":        weeks,
		"loads":        {"inputs", "latest"},
		"loads.latest": {"bytes", "kind", "lines", "loadedAt", "name", "version"},
		"replaced":     {"bytes", "files", "removableBytes", "removableFiles", "removableFrom"},
		"rejects":      {"bytes", "files", "folder"},
	} {
		if diff := cmp.Diff(want, namesAt(status, path)); diff != "" {
			t.Errorf("fields of %q (-want +got)\n%s", path, diff)
		}
	}
}

// namesAt lists the fields of an object, or of the first object of a list.
func namesAt(value any, path string) (names []string) {
	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		value = value.(map[string]any)[name]
		if list, ok := value.([]any); ok {
			value = list[0]
		}
	}
	for name := range value.(map[string]any) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestStatusForAPerson(t *testing.T) {
	at := func(month time.Month, day int) *time.Time {
		d := time.Date(2026, month, day, 0, 0, 0, 0, time.UTC)
		return &d
	}
	perRow := 24.55
	weeks := func(first, last *time.Time) weeksStatus {
		return weeksStatus{Kind: facts.KindVisits, FirstWeek: first, LastWeek: last, Files: 2, Rows: 1000, Bytes: 24550, BytesPerRow: &perRow, Newest: at(3, 9)}
	}
	s := dataStatus{
		DataDirectory: "./data", Version: 7, Catalog: catalogStatus{Place: "data/catalog.db", Version: 5},
		Kinds:    []weeksStatus{weeks(at(1, 5), at(3, 9)), {Kind: facts.KindAnswers}},
		Weeks:    []weeksStatus{weeks(at(1, 5), at(3, 2)), weeks(at(3, 9), at(3, 9))},
		Loads:    loadsStatus{Inputs: 9, Latest: []inputStatus{{LoadedAt: *at(3, 10), Kind: facts.KindVisits, Name: "a\x1b[2J.log", Lines: 12}}},
		Replaced: replacedStatus{Files: 3, Bytes: 3 << 20, RemovableFrom: at(3, 10)},
		Rejects:  rejectsStatus{Folder: "data/rejects", Files: 2, Bytes: 2048},
	}
	var out bytes.Buffer
	if err := s.print(&out, *at(3, 12)); err != nil {
		t.Fatal(err)
	}
	want := `data directory  ./data
catalog         data/catalog.db, version 5
teams           0
products        0
websites        0
prompts         0
active keys     0
facts           version 7
replaced files  3, 3.0 MiB
                removed by the next load or prune
reject files    2, 2.0 KiB, in data/rejects
                they hold input lines, addresses included: delete them when you are done with them

KIND     FIRST WEEK  LAST WEEK   FILES  ROWS  SIZE      BYTES PER ROW  NEWEST
visits   2026-01-05  2026-03-09  2      1000  24.0 KiB  24.6           2026-03-09 00:00 UTC, 3 days ago
answers  none

KIND    WEEK                      ROWS  SIZE      NEWEST
visits  2026-01-05 to 2026-03-02  1000  24.0 KiB  2026-03-09 00:00 UTC
visits  2026-03-09                1000  24.0 KiB  2026-03-09 00:00 UTC

9 inputs, the last 1:

LOADED                KIND    LINES  NAME
2026-03-10 00:00 UTC  visits  12     "a\x1b[2J.log"
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Files that were replaced at different times leave the disk at different times.
func TestStatusSaysWhenReplacedFilesGo(t *testing.T) {
	now := time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)
	soon := now.Add(3 * time.Minute)
	for _, c := range []struct {
		name     string
		replaced replacedStatus
		want     string
	}{
		{"none", replacedStatus{}, ""},
		{"all may go", replacedStatus{3, 3 << 20, 3, 3 << 20, &now}, "removed by the next load or prune\n"},
		{"none may go yet", replacedStatus{3, 3 << 20, 0, 0, &soon}, "removed by the next load or prune from 2026-03-12 09:03 UTC on\n"},
		{"some may go", replacedStatus{3, 3 << 20, 2, 1 << 20, &soon},
			"2, 1.0 MiB, removed by the next load or prune\n\t1, 2.0 MiB, removed by the next load or prune from 2026-03-12 09:03 UTC on\n"},
	} {
		want := c.want
		if want != "" {
			want = "replaced files\t3, 3.0 MiB\n\t" + want
		}
		var out bytes.Buffer
		c.replaced.print(&out, now)
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}
