package duckdb_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// The manifest is made to agree with size and sum of the wrong file, so that
// nothing but what the file says of itself can tell.
func TestAFileInThePlaceOfAnotherIsToldByWhatItSays(t *testing.T) {
	original := closed(t)
	for _, c := range []struct{ name, kind, week string }{
		{"another week", "visits", "20260302"}, {"another kind", "answers", "20260302"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copied(t, original)
			path, other := fileOf(t, dir, "visits", "20260309"), fileOf(t, dir, c.kind, c.week)
			text, err := os.ReadFile(other)
			if err == nil {
				err = os.WriteFile(path, text, 0o600)
			}
			if err == nil {
				err = duckdb.Reseal(t.Context(), dir, filepath.Base(path))
			}
			if err != nil {
				t.Fatal(err)
			}
			want := path + ` is damaged: it is another file, published as "` + filepath.Base(other) + `": restore it from a backup with 'sightline restore DIR --repair'`
			absent := must(duckdb.Unsummed(t.Context(), dir))
			if err := absent[filepath.Base(path)]; len(absent) != 1 || err == nil || err.Error() != want {
				t.Errorf("left out: %v", absent)
			}
			if v := verify(t, dir); len(v.Problems) != 1 || !strings.Contains(v.Problems[0].Error(), want) {
				t.Errorf("verify finds %v", v.Problems)
			}
		})
	}
	if absent := must(duckdb.Unsummed(t.Context(), original)); len(absent) > 0 {
		t.Errorf("files in their own places are left out: %v", absent)
	}
}

func TestTheFirstSecretIsRemembered(t *testing.T) {
	dir, loader := threeWeeks(t)
	first, second := []byte("first"), []byte("second")
	for i, c := range []struct {
		secret []byte
		same   bool
	}{{first, true}, {first, true}, {second, false}, {first, true}} {
		if same, err := loader.SameSecret(t.Context(), c.secret); err != nil || same != c.same {
			t.Errorf("%d: %t, %v", i, same, err)
		}
	}
	if err := loader.NewSecret(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if same, err := loader.SameSecret(t.Context(), second); err != nil || !same {
		t.Errorf("the new one: %t, %v", same, err)
	}
	if v := verify(t, dir); len(v.Problems) > 0 {
		t.Error(v.Problems)
	}
}
