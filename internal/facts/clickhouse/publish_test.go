package clickhouse

import (
	"fmt"
	"testing"
)

func TestSmallEditionsArePutTogether(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []int64
		want string // the rows of those that are put together
	}{
		{"few", []int64{1, 2, 3}, "[]"},
		{"of one size", []int64{5, 5, 5, 5, 5, 5, 5, 5}, "[5 5 5 5 5 5 5 5]"},
		{"a large one and small ones", []int64{1000, 1, 1, 1, 1, 1, 1, 1}, "[1 1 1 1 1 1 1]"},
		{"large ones and small ones", []int64{1000, 1, 1, 900, 1, 1, 1, 800}, "[1 1 1 1 1]"},
		{"one that those before it have reached", []int64{1000, 1, 1, 1, 1, 1, 1, 9}, "[1 1 1 1 1 1 9]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var editions []edition
			for i, rows := range c.rows {
				editions = append(editions, edition{version: int64(i), rows: rows})
			}
			got := []int64{}
			for _, e := range crowded(editions, mostEditions) {
				got = append(got, e.rows)
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}

// However loads come, a week has few editions, and the rows that are written
// anew stay a small multiple of all rows.
func TestEditionsStayFewAndAreSeldomWrittenAnew(t *testing.T) {
	var editions []edition
	var written, all int64
	for load := range 5000 {
		rows := int64(1000 + load%7*100)
		all += rows
		var kept []edition
		folded := make(map[edition]bool)
		for _, e := range crowded(editions, mostEditions) {
			folded[e] = true
			rows += e.rows
		}
		for _, e := range editions {
			if !folded[e] {
				kept = append(kept, e)
			}
		}
		written += rows
		editions = append(kept, edition{version: int64(load), rows: rows})
		if len(editions) > mostEditions {
			t.Fatalf("after %d loads there are %d editions", load+1, len(editions))
		}
	}
	if times := float64(written) / float64(all); times > 12 {
		t.Errorf("every row was written %.1f times", times)
	} else {
		t.Logf("every row was written %.1f times", times)
	}
}
