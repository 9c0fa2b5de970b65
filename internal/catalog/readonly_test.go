//go:build unix

package catalog

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// unprivileged makes the rest of the test run as a user whom permissions bind.
// The tests that use it must not run in parallel with others.
func unprivileged(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	if err := syscall.Setreuid(-1, nobody); err != nil {
		t.Fatalf("root, and cannot become another user: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Setreuid(-1, 0); err != nil {
			panic(err) // no later test would mean what it says
		}
	})
}

// readOnlyDir is a folder with a catalog of one team, in which nobody may write.
func readOnlyDir(t *testing.T) (path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "catalog.db")
	s := open(t, path)
	applyText(t, s, "teams: [{id: a, name: A}]")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		chmod(t, f, 0o444)
	}
	chmod(t, filepath.Dir(dir), 0o755)
	chmod(t, dir, 0o555)
	t.Cleanup(func() { chmod(t, dir, 0o755) })
	return path
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestReadOnlyFolderCanBeRead(t *testing.T) {
	path := readOnlyDir(t)
	unprivileged(t)
	if got := snapshot(t, openRead(t, path)).Counts().Teams; got != 1 {
		t.Errorf("read %d teams", got)
	}
}

// TestBackupInAReadOnlyFolderCanBeRead has the database file and nothing else.
func TestBackupInAReadOnlyFolderCanBeRead(t *testing.T) {
	path := readOnlyDir(t)
	for _, beside := range []string{"-wal", "-shm"} {
		chmod(t, filepath.Dir(path), 0o755)
		if err := os.Remove(path + beside); err != nil {
			t.Fatalf("writers are expected to leave it: %v", err)
		}
		chmod(t, filepath.Dir(path), 0o555)
	}
	unprivileged(t)
	if got := snapshot(t, openRead(t, path)).Counts().Teams; got != 1 {
		t.Errorf("read %d teams", got)
	}
}

func TestReadOnlyFolderCannotBeWritten(t *testing.T) {
	path := readOnlyDir(t)
	unprivileged(t)
	_, err := Open(t.Context(), path)
	expectError(t, err, "catalog *catalog.db: it cannot be written: make the file and its folder writable, or choose another with --data (*")
	_, err = Open(t.Context(), filepath.Join(filepath.Dir(path), "new.db"))
	expectError(t, err, "cannot create the catalog: open *new.db: permission denied: make its folder writable, or choose another with --data")
}

func TestUnreadableCatalog(t *testing.T) {
	path := readOnlyDir(t)
	chmod(t, path, 0)
	unprivileged(t)
	_, err := OpenReader(t.Context(), path)
	expectError(t, err, "catalog *catalog.db: it cannot be opened: make the file readable and its folder writable, or choose another with --data (*")
}
