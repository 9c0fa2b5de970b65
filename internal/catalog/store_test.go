package catalog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/sightline-hq/sightline/internal/postgres"
)

func open(t testing.TB, place string) *Store {
	t.Helper()
	s, err := Open(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func openRead(t testing.TB, place string) *Store {
	t.Helper()
	s, err := OpenReader(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func snapshot(t testing.TB, s *Store) *Snapshot {
	t.Helper()
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func applyText(t testing.TB, s *Store, text string) Changes {
	t.Helper()
	changes, err := s.Apply(t.Context(), parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// expectError compares an error with a pattern, * being anything.
func expectError(t testing.TB, err error, want string) {
	t.Helper()
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\*`, `.*`) + "$"
	if err == nil || !regexp.MustCompile(pattern).MatchString(err.Error()) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestNewCatalogIsEmpty(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		snap := snapshot(t, s)
		if snap.Version() != 0 || snap.Counts() != (Counts{}) || len(snap.Products()) != 0 {
			t.Errorf("version %d with %+v", snap.Version(), snap.Counts())
		}
	})
}

func TestPathsWithOddCharacters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b%20?c#d&e")
	if err := os.Mkdir(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "catalog.db")
	applyText(t, open(t, path), "teams: [{id: a, name: A}]")
	if got := snapshot(t, openRead(t, path)).Counts().Teams; got != 1 {
		t.Errorf("read %d teams", got)
	}
}

func TestOpeningWhatIsNoCatalog(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := write("text.db", strings.Repeat("This is no database. ", 100))
	empty := write("empty.db", "")
	for _, c := range []struct {
		name, path string
		open       func(context.Context, string) (*Store, error)
		want       string
	}{
		{"no file to read", filepath.Join(dir, "none.db"), OpenReader, "no catalog at *none.db: run sightline apply first, or name another folder with --data"},
		{"no folder to write", filepath.Join(dir, "none", "c.db"), Open, "cannot create the catalog: open *c.db: no such file or directory: make its folder writable, or choose another with --data"},
		{"folder to read", dir, OpenReader, dir + " is a folder, not a catalog: choose another folder with --data"},
		{"folder to write", dir, Open, dir + " is a folder, not a catalog: choose another folder with --data"},
		{"text to read", text, OpenReader, "catalog *text.db: it is damaged, or no catalog at all: restore a backup into a new directory with 'sightline restore DIR --data NEW', or choose another folder with --data (*"},
		{"text to write", text, Open, "catalog *text.db: it is damaged, or no catalog at all: restore a backup into a new directory with 'sightline restore DIR --data NEW', or choose another folder with --data (*"},
		{"empty file to read", empty, OpenReader, "catalog *empty.db is empty: run sightline apply first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := c.open(t.Context(), c.path)
			if err == nil {
				_ = s.Close()
			}
			expectError(t, err, c.want)
		})
	}
}

func TestOtherSchemasAreRefused(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		for _, dialect := range []string{"sqlite", "postgres"} {
			if known, err := migrations(dialect); err != nil || len(known) != 4 {
				t.Fatalf("%d migrations for %s: add the older schemas to TestOlderCatalogsAreBroughtUpToDate (%v)", len(known), dialect, err)
			}
		}
		newer, foreign := fresh(t), fresh(t)
		old := open(t, newer)
		edit(t, newer, `update meta set schema_version = 7`)
		edit(t, foreign, `create table songs (id integer)`)
		const isNewer = "catalog * has schema 7, this sightline knows up to 4: use the newer sightline that wrote it"
		for name, open := range map[string]func(context.Context, string) (*Store, error){"Open": Open, "OpenReader": OpenReader} {
			t.Log(name)
			_, err := open(t.Context(), newer)
			expectError(t, err, isNewer)
			_, err = open(t.Context(), foreign)
			if postgres.IsURL(foreign) {
				expectError(t, err, "postgres://* holds tables of others: give the catalog a database of its own, or a schema of its own with search_path=NAME in the URL")
			} else {
				expectError(t, err, "*catalog.db is a database, but not a catalog: move it away, or choose another folder with --data")
			}
		}
		// One that was open when the newer one came neither writes nor reads on.
		_, err := old.Apply(t.Context(), parse(t, "teams: [{id: a, name: A}]"))
		expectError(t, err, isNewer)
		_, err = old.Snapshot(t.Context())
		expectError(t, err, isNewer)
	})
}

func TestSeveralProcessesMayCreateTheCatalogAtOnce(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				s, err := Open(t.Context(), place)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := s.Version(t.Context()); err != nil {
					t.Error(err)
				}
				_ = s.Close()
			})
		}
		all.Wait()
	})
}

func TestReadersNeverWrite(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		applyText(t, open(t, place), "teams: [{id: a, name: A}]")
		r := openRead(t, place)
		const want = "catalog *: it cannot be written: *"
		_, err := r.Apply(t.Context(), parse(t, "teams: []"))
		expectError(t, err, want)
		_, _, err = r.CreateKey(t.Context(), "a", "")
		expectError(t, err, want)
		if got := snapshot(t, r); got.Version() != 1 || got.Counts().Teams != 1 {
			t.Errorf("the catalog changed: version %d", got.Version())
		}
	})
}

// TestTheSchemaHoldsByItself tries what Apply would never do.
func TestTheSchemaHoldsByItself(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		applyText(t, s, readTestdata(t, "workspace.yaml"))
		for name, statement := range map[string]string{
			"label of another product": `insert into prompt_labels values (21, 202, 2)`,
			"prompt of another":        `insert into prompt_labels values (11, 202, 1)`,
			"team that does not exist": `update products set team_id = 'ghost' where id = 101`,
			"team that manages itself": `insert into team_manages values ('acme', 'acme')`,
			"rival of itself":          `insert into product_competitors values (101, 101)`,
			"id of zero":               `insert into products values (0, null, 'x', 'x', 'x', false)`,
			"empty name":               `update teams set name = '' where id = 'acme'`,
			"product with history":     `delete from products where id = 101`,
			"key without a team":       `insert into api_keys values ('k', 'ghost', '', '` + strings.Repeat("0", 64) + `', 'sl_', 0, null, null, null, '')`,
			"key stored as it is":      `insert into api_keys values ('k', 'acme', '', 'sl_secret', 'sl_', 0, null, null, null, '')`,
			"second meta row":          `insert into meta values (true, 1, 1, '')`,
		} {
			t.Run(name, func(t *testing.T) {
				_, err := s.db.ExecContext(t.Context(), statement)
				if err == nil || !strings.Contains(err.Error(), "constraint") {
					t.Errorf("%s: got %v", statement, err)
				}
			})
		}
	})
}

func TestCancelledReadsEnd(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		s := open(t, fresh(t))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Snapshot(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
