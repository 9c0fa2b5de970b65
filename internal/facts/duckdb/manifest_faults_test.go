package duckdb_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
	"github.com/sightline-hq/sightline/internal/faults"
)

// change changes a manifest behind everybody's back.
func change(t *testing.T, dir, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "manifest.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
}

// closed is a folder of three weeks that nobody has open, so that its manifest is one file.
func closed(t *testing.T) (dir string) {
	t.Helper()
	dir, loader := threeWeeks(t)
	loader.Close()
	return dir
}

// copied is a copy of a folder that nobody has open.
func copied(t *testing.T, original string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "facts")
	if err := os.CopyFS(dir, os.DirFS(original)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestNoDamageOfTheManifestGivesAWrongAnswer(t *testing.T) {
	f := faults.New(t)
	dir := closed(t)
	path := filepath.Join(dir, "manifest.db")
	const want = "/1 /2 /2 sunday /3"
	refused := 0
	running := follow(t, dir)
	for _, fault := range f.OfFiles() {
		for range 1 + f.Rounds()/4 {
			restore := f.Keep(path)
			fault.Break(path)
			expect(t, must(attempt(t, running, 0, allTime)), want) // with the last good one
			starting, err := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: 1 << 40})
			if err != nil {
				refused++
				if text := err.Error(); !strings.Contains(text, path) {
					t.Errorf("%s: %s", fault.Name, text)
				}
			} else {
				expect(t, must(attempt(t, starting, 0, allTime)), want)
				starting.Close()
			}
			restore()
			eventually(t, "the server follows again", func() bool { return running.Err() == nil })
			expect(t, must(attempt(t, running, 0, allTime)), want)
		}
	}
	t.Logf("a starting server was refused %d times", refused)
}

func TestAServerGoesOnWithTheLastGoodManifestAndSaysSo(t *testing.T) {
	original := closed(t)
	for name, damage := range map[string]string{
		"a week moved":     "update files set first_week = first_week - 7 * 86400 where kind = 'visits' and first_week = 1772409600",
		"a file left out":  "delete from files where kind = 'visits' and first_week = 1772409600",
		"another version":  "update state set version = 77",
		"another secret":   "update state set secret = 'x'",
		"other tables":     "update files set tables = 0",
		"a file back":      "update files set removed_version = 1",
		"tables gone":      "drop table files",
		"a format to come": "pragma user_version = 999",
	} {
		t.Run(name, func(t *testing.T) {
			dir := copied(t, original)
			live := follow(t, dir)
			change(t, dir, damage)
			eventually(t, "it says so", func() bool { return live.Err() != nil })
			expect(t, must(attempt(t, live, 0, allTime)), "/1 /2 /2 sunday /3")
			if _, err := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: 1 << 40}); err == nil {
				t.Error("another server starts")
			}
		})
	}
}

// An index has copies of what is in the table, and no sum stands for it.
func TestABitInAnIndexOfTheManifestChangesNothing(t *testing.T) {
	const monday = 1772409600
	week := binary.BigEndian.AppendUint32([]byte("visits"), monday)
	inTable := binary.BigEndian.AppendUint32(slices.Clone(week), monday) // the last week follows the first
	for _, c := range []struct {
		name    string
		at      func(text []byte) int
		refused bool
	}{
		{"a week in the index", func(text []byte) int {
			for at := 0; ; at++ {
				next := bytes.Index(text[at:], week)
				if next < 0 {
					return -1
				}
				if at += next; !bytes.HasPrefix(text[at:], inTable) {
					return at + len(week) - 3
				}
			}
		}, false},
		{"a week in the table", func(text []byte) int { return bytes.Index(text, inTable) + len(week) - 3 }, true},
		{"a name in the table", func(text []byte) int { return bytes.Index(text, append([]byte(".duckdb"), inTable...)) - 1 }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := closed(t)
			change(t, dir, "pragma wal_checkpoint(truncate)")
			path := filepath.Join(dir, "manifest.db")
			text := must(os.ReadFile(path))
			at := c.at(text)
			if at < 8 {
				t.Fatalf("it is not in the file: %d", at)
			}
			text[at] ^= 1
			if err := os.WriteFile(path, text, 0o640); err != nil {
				t.Fatal(err)
			}
			live, err := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: 1 << 40})
			if (err != nil) != c.refused {
				t.Fatalf("a server that starts: %v", err)
			}
			if err == nil {
				defer live.Close()
				expect(t, must(attempt(t, live, 0, allTime)), "/1 /2 /2 sunday /3")
			}
		})
	}
}

func TestALoadRefusesAManifestThatForgotAnInput(t *testing.T) {
	original := closed(t)
	for _, damage := range []string{"sha256 = 'visitz'", "bytes = bytes + 4194304", "loaded_at = loaded_at + 1"} {
		dir := copied(t, original)
		change(t, dir, "update inputs set "+damage+" where sha256 = 'visits'")
		if _, err := openLoader(t, dir).Inputs(t.Context(), facts.KindVisits); err == nil || !strings.Contains(err.Error(), "is damaged: restore a backup into a new directory with 'sightline restore DIR --data NEW'") {
			t.Errorf("an input with %s: %v", damage, err)
		}
	}
}

func TestANewerFormatIsRefusedWithAClearMessage(t *testing.T) {
	dir := closed(t)
	change(t, dir, "pragma user_version = 7")
	want := "has format 7, this sightline knows up to 6: use the newer sightline that wrote it"
	_, following := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: 1 << 40})
	_, loading := duckdb.OpenLoader(t.Context(), dir, nil)
	_, status := duckdb.ReadStatus(t.Context(), dir)
	for who, err := range map[string]error{"server": following, "load": loading, "status": status} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", who, err)
		}
	}
}

// The first format had no sums of the manifest: it can be served as it is, and
// the next load brings it up to date.
func TestTheFirstFormatIsServedAndRaisedByALoad(t *testing.T) {
	dir := closed(t)
	change(t, dir, `alter table state drop column files_sum; alter table state drop column inputs_sum; alter table state drop column secret;
		alter table files drop column tables; pragma user_version = 3`)
	live := follow(t, dir)
	expect(t, must(attempt(t, live, 0, allTime)), "/1 /2 /2 sunday /3")
	loader := openLoader(t, dir)
	if !known(t, loader, facts.KindVisits, "visits") {
		t.Error("inputs are not known any more")
	}
	publish(t, loader, facts.KindVisits, "more", visit(monday, "w", "/more"))
	eventually(t, "the server follows", func() bool {
		paths, err := attempt(t, live, 0, allTime)
		return err == nil && paths == "/1 /2 /2 sunday /3 /more"
	})
	expect(t, fmt.Sprint(live.Err()), "<nil>")
	change(t, dir, "update files set newest = newest + 1")
	eventually(t, "it has sums now", func() bool { return live.Err() != nil })
}
