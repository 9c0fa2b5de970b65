package backup

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestWhatAKilledCommandLeftIsRemovedByTheNextAndNothingElse(t *testing.T) {
	parent := t.TempDir()
	running, end, err := Scratch(parent, ".restoring-")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".restoring-42/facts", ".restoring-mine", ".restoring-", "data"} {
		if err := os.MkdirAll(filepath.Join(parent, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(parent, ".restoring-43")); err != nil {
		t.Fatal(err)
	}
	_, endSecond, err := Scratch(parent, ".restoring-")
	if err != nil {
		t.Fatal(err)
	}
	endSecond()
	want := []string{".restoring-", ".restoring-43", ".restoring-mine", "data", filepath.Base(running)}
	slices.Sort(want)
	if got := names(t, parent); !slices.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
	end()
	if _, err := os.Stat(running); err == nil {
		t.Error("a command that ends leaves its folder")
	}
}

func TestAFileThatIsBeingWrittenIsNotTouched(t *testing.T) {
	dir := t.TempDir()
	writing, err := openPart(filepath.Join(dir, "a.duckdb.part"))
	if err != nil {
		t.Fatal(err)
	}
	defer writing.Close()
	for _, name := range []string{"b.duckdb.part", "b.part", "c.duckdb"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Tidy(dir, ".duckdb")
	if got := names(t, dir); !slices.Equal(got, []string{"a.duckdb.part", "b.part", "c.duckdb"}) {
		t.Errorf("left are %v", got)
	}
	if _, err := openPart(filepath.Join(dir, "a.duckdb.part")); err == nil {
		t.Error("two write one file")
	}
	os.Rename(filepath.Join(dir, "a.duckdb.part"), filepath.Join(dir, "a.duckdb"))
	again, err := openPart(filepath.Join(dir, "a.duckdb.part"))
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
