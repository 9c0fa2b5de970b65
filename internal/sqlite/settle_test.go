package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What was deleted is gone from the file and its WAL once the database is settled,
// though somebody was reading it when it was deleted.
func TestWhatIsDeletedIsGoneThoughSomebodyReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	do := func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	do("create table t (x text)")
	do("insert into t values ('only-in-the-row')")
	if err := Settle(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	reader := OpenReader(path)
	defer reader.Close()
	tx, err := reader.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("select count(*) from t").Scan(&n); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	do("delete from t")
	time.AfterFunc(100*time.Millisecond, func() { tx.Rollback() })
	if err := Settle(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "-wal"} {
		if text, err := os.ReadFile(name); err == nil && bytes.Contains(text, []byte("only-in-the-row")) {
			t.Errorf("%s still has it", filepath.Base(name))
		}
	}
}
