package catalog

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/sightline-hq/sightline/internal/postgres"
	"github.com/sightline-hq/sightline/internal/postgres/pgtest"
)

// stores are the databases that can keep a catalog, as tests use them.
var stores = []struct {
	name  string
	fresh func(t testing.TB) (place string) // where there is no catalog yet
}{
	{"SQLite", func(t testing.TB) string { return filepath.Join(t.TempDir(), "catalog.db") }},
	{"PostgreSQL", func(t testing.TB) string { return pgtest.Shared(t).Database(t) }},
}

// onEveryStore runs a test on each of them: they must not differ.
func onEveryStore(t *testing.T, test func(t *testing.T, fresh func(testing.TB) string)) {
	t.Helper()
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) { test(t, store.fresh) })
	}
}

// edit runs statements on a catalog behind the store's back.
func edit(t testing.TB, place string, statements ...string) {
	t.Helper()
	if postgres.IsURL(place) {
		pgtest.Run(t, place, statements...)
		return
	}
	db, err := sql.Open("sqlite", place)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// remains are all rows of a table as text, as a search for secrets reads them.
func remains(t testing.TB, s *Store, place string) string {
	t.Helper()
	if !postgres.IsURL(place) {
		return string(readAll(t, place))
	}
	var text string
	err := s.read(t.Context(), func(tx *sql.Tx) error {
		return tx.QueryRowContext(t.Context(), `select string_agg(k::text, ' ') from api_keys k`).Scan(&text)
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// readAll returns the bytes of a file and of those beside it.
func readAll(t testing.TB, path string) (all []byte) {
	t.Helper()
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}
