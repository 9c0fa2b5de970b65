package duckdb_test

import (
	"fmt"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

// A load that meets more words than it can remember numbers some of them twice.
// The published files must not show it, whether or not they have rows already.
func TestAWordThatIsNumberedTwiceIsOneWord(t *testing.T) {
	for _, limit := range []int{1, 3, 1000} {
		t.Run(fmt.Sprint(limit, " words"), func(t *testing.T) {
			duckdb.LimitWords(t, limit)
			dir := t.TempDir()
			l := openLoader(t, dir)
			for load := range 2 {
				var rows []any
				for i := range int64(20) {
					rows = append(rows, visit(monday+i, fmt.Sprint("w", i%2), fmt.Sprint("/", i%5)))
				}
				publish(t, l, facts.KindVisits, fmt.Sprint(load), rows...)
			}
			set := acquire(t, follow(t, dir))
			defer set.Close()
			count := "count(*) || ' ' || count(distinct website_key) || ' ' || count(distinct page_key) || ' ' || count(distinct url_path) || ' ' || count(distinct agent_key)"
			expect(t, read(t, set, count, facts.Visits, 0, allTime), "40 2 5 5 1")
			expect(t, read(t, set, "distinct website_id || normalized_url_path", facts.Visits, 0, allTime),
				"w0/0 w0/1 w0/2 w0/3 w0/4 w1/0 w1/1 w1/2 w1/3 w1/4")
		})
	}
}
