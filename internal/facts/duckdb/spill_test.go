package duckdb_test

import (
	"os"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// A report that needs more memory than there is takes the disk, and cleans up.
func TestALargeReportSpills(t *testing.T) {
	const large = "select count(distinct hash(i)) from range(6000000) t(i)"
	for name, spill := range map[string]string{"to a folder": t.TempDir(), "nowhere": ""} {
		t.Run(name, func(t *testing.T) {
			live, err := duckdb.Follow(t.Context(), t.TempDir(), duckdb.Options{Poll: time.Hour, Memory: 64 << 20, Spill: spill})
			if err != nil {
				t.Fatal(err)
			}
			set := acquire(t, live)
			var n facts.Int
			err = set.Query(t.Context(), facts.Statement{SQL: large}, func(scan facts.Scan) error { return scan(&n) })
			if (err == nil) != (spill != "") || (err == nil && n != 6000000) {
				t.Errorf("%d, %v", n, err)
			}
			set.Close()
			live.Close()
			if spill == "" {
				return
			}
			if left, err := os.ReadDir(spill); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}
