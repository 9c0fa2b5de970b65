package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/postgres"
)

// A catalog with a history goes from each store to each.
func TestACopyIsTheSameCatalog(t *testing.T) {
	for _, source := range stores {
		for _, target := range stores {
			t.Run(source.name+" to "+target.name, func(t *testing.T) {
				from, keys := withHistory(t, source.fresh(t))
				to := open(t, target.fresh(t))
				copied, err := Copy(t.Context(), openRead(t, from), to)
				if err != nil {
					t.Fatal(err)
				}
				source := open(t, from)
				if copied.Rows() < 30 || copied.From != source.Place() || copied.To != to.Place() {
					t.Errorf("copied %+v", copied)
				}
				if d := cmp.Diff(dump(t, source), dump(t, to)); d != "" {
					t.Errorf("the copy differs: %s", d)
				}
				before, after := snapshot(t, source), snapshot(t, to)
				if after.Version() <= before.Version() || after.Counts() != before.Counts() {
					t.Errorf("version %d with %+v became version %d with %+v", before.Version(), before.Counts(), after.Version(), after.Counts())
				}
				for key, works := range keys {
					if _, ok := after.Authenticate(key); ok != works {
						t.Errorf("a key works after the copy: %v, before: %v", ok, works)
					}
				}
				_, err = Copy(t.Context(), source, to)
				expectError(t, err, "catalog * is not empty: nothing was copied; name an empty database")
				if again := snapshot(t, to).Version(); again != after.Version() {
					t.Errorf("the refused copy moved the version to %d", again)
				}
				applyText(t, to, readTestdata(t, "workspace.yaml")) // what was retired comes back
			})
		}
	}
}

// withHistory makes a catalog in which something was retired and revoked, and
// says which keys work.
func withHistory(t *testing.T, place string) (string, map[string]bool) {
	t.Helper()
	s := open(t, place)
	full := readTestdata(t, "workspace.yaml")
	applyText(t, s, full)
	_, works := createKey(t, s, "agency", "reports")
	info, revoked := createKey(t, s, "agency", "")
	if err := s.RevokeKey(t.Context(), info.ID); err != nil {
		t.Fatal(err)
	}
	_, retired := createKey(t, s, "holding", "")
	smaller := strings.Replace(full, "  - {id: holding, name: Holding, manages: [agency]}\n", "", 1)
	smaller = strings.Replace(smaller, "- {id: 12,", "- {id: 14,", 1)
	if changes := applyText(t, s, smaller); len(changes.Retired) != 2 {
		t.Fatalf("retired %v, want a team and a prompt", changes.Retired)
	}
	return place, map[string]bool{works: true, revoked: false, retired: false}
}

// dump is every row of every table but meta, in order.
func dump(t *testing.T, s *Store) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	err := s.read(t.Context(), func(tx *sql.Tx) error {
		for _, table := range tablesInOrder {
			c, err := readTable(t.Context(), tx, table)
			if err != nil {
				return err
			}
			for _, r := range c.rows {
				all[table] = append(all[table], fmt.Sprintf("%#v", r))
			}
			slices.Sort(all[table])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestACopyKnowsEveryTable(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		place := fresh(t)
		s := open(t, place)
		query := `select name from sqlite_master where type = 'table' and name <> 'meta'`
		if postgres.IsURL(place) {
			query = `select tablename from pg_tables where schemaname = 'public' and tablename <> 'meta'`
		}
		var tables []string
		err := s.read(t.Context(), func(tx *sql.Tx) error {
			l := &loader{ctx: t.Context(), tx: tx}
			l.each(query, func(scan scan) error {
				tables = append(tables, "")
				return scan(&tables[len(tables)-1])
			})
			return l.err
		})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(sorted(tables), sorted(slices.Clone(tablesInOrder))); d != "" {
			t.Error(d)
		}
	})
}

func TestAnInterruptedCopyLeavesNothing(t *testing.T) {
	onEveryStore(t, func(t *testing.T, fresh func(testing.TB) string) {
		from, _ := withHistory(t, fresh(t))
		source, to := openRead(t, from), open(t, fresh(t))
		ctx, cancel := context.WithCancel(t.Context())
		err := to.change(ctx, func(tx *sql.Tx) (bool, error) {
			_, err := tx.ExecContext(ctx, `insert into teams (id, name) values ('x', 'X')`)
			cancel()
			return true, err
		})
		if err == nil {
			t.Error("a cancelled change was kept")
		}
		if _, err := Copy(t.Context(), source, to); err != nil {
			t.Errorf("the target does not count as empty: %v", err)
		}
	})
}
