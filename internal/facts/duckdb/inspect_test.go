package duckdb

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// Directories may be exchanged under a server: for a moment, the manifest of one
// may be compared with the files of the other.
func TestWhatOneManifestCallsDamagedIsWholeForAnother(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "visits.duckdb")
	if err := os.WriteFile(path, []byte("visits"), 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err := sumOf(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := newInspector(dir)
	for _, f := range []file{
		{name: "visits.duckdb", bytes: 6, sha256: "of another directory"},
		{name: "visits.duckdb", bytes: 6, sha256: sum},
	} {
		files, ours := []file{f}, f.sha256 == sum
		if damaged, err := i.look(files); err != nil || len(damaged) > 0 {
			t.Fatalf("before its sum is known: %v, %v", damaged, err)
		}
		if unsummed, any := i.unsummed(files); !any || unsummed != f {
			t.Fatalf("its sum counts as known: %v", unsummed)
		}
		if err := i.sum(context.Background(), f, nil); err != nil {
			t.Fatal(err)
		}
		damaged, err := i.look(files)
		if err != nil || (damaged[f.name] == nil) != ours {
			t.Errorf("sum %s: %v, %v", f.sha256, damaged, err)
		}
		now, _ := stampOf(path)
		if i.proven(f, now) != ours {
			t.Errorf("sum %s: proven is %v", f.sha256, !ours)
		}
	}
}
