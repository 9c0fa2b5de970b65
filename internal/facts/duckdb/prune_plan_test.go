package duckdb

import (
	"database/sql"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sightline-hq/sightline/internal/facts"
)

// PassGrace makes the files that are no longer current older than the grace period.
func PassGrace(t *testing.T, dir string) {
	t.Helper()
	m, err := openManifest(t.Context(), dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	err = m.tx(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.Exec("update files set removed_at = removed_at - ?", int64(grace.Seconds())+1); err != nil {
			return err
		}
		return addToSeal(t.Context(), tx, inputsSum{})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A file that covers a run of weeks goes when its last week goes, and is cut before.
func TestAFileOfSeveralWeeksIsCut(t *testing.T) {
	week := func(n int64) int64 {
		return time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).Unix() + n*facts.WeekSeconds
	}
	files := []file{
		{name: "quarter", kind: facts.KindVisits, firstWeek: week(-13), lastWeek: week(-1), rows: 5, bytes: 50, newest: 9},
		{name: "pair", kind: facts.KindVisits, firstWeek: week(0), lastWeek: week(1), rows: 3, bytes: 30},
		{name: "single", kind: facts.KindVisits, firstWeek: week(2), lastWeek: week(2)},
	}
	for _, c := range []struct {
		name         string
		before       int64
		removed, cut []string
	}{
		{"inside the quarter", week(-1), nil, []string{"quarter"}},
		{"at its end", week(0), []string{"quarter"}, nil},
		{"between the weeks of the pair", week(1), []string{"quarter"}, []string{"pair"}},
		{"inside the last week of the pair", week(2) - 1, []string{"quarter"}, []string{"pair"}},
		{"at the end of the pair", week(2), []string{"quarter", "pair"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := planPrune(files, time.Unix(c.before, 0))
			var removed, cut []string
			for _, f := range p.files {
				removed = append(removed, f.name)
			}
			for _, w := range p.Cut {
				for _, f := range files {
					if f.weeks() == w {
						cut = append(cut, f.name)
					}
				}
			}
			if diff := cmp.Diff([][]string{c.removed, c.cut}, [][]string{removed, cut}); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(p.Removed) != len(p.files) || p.KeptFrom > c.before {
				t.Errorf("%+v", p)
			}
		})
	}
	want := facts.Weeks{Kind: facts.KindVisits, First: week(-13), Last: week(-1), Files: 1, Rows: 5, Bytes: 50, Newest: 9}
	if got := files[0].weeks(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
