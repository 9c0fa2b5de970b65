package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The first rows of a bucket are those that sorting all of them would put first,
// however many have the same first metric as the last of them.
func TestTheFirstRowsAreThoseOfTheWholeOrder(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		var rows listedRows
		var all []int
		for i := range 1 + random.IntN(40) {
			rows = append(rows, seriesRow{0, []string{fmt.Sprint(random.IntN(1000), "/", i)}, []int64{random.Int64N(5), random.Int64N(5)}})
			all = append(all, i)
		}
		want := slices.SortedFunc(slices.Values(rows), compareRows)
		n := 1 + random.IntN(len(rows))
		got := firstRows(rows, slices.Clone(all), int64(n))
		if fmt.Sprint(got[:n]) != fmt.Sprint(want[:n]) {
			t.Fatalf("the first %d of %d rows are\n%v, want\n%v", n, len(rows), got[:n], want[:n])
		}
	}
}

func TestRunsAreRowsOfOneBucketThatStandTogether(t *testing.T) {
	var rows listedRows
	for _, bucket := range []int64{1, 1, 2, 1, 3, 3, 3} {
		rows = append(rows, seriesRow{bucket: bucket})
	}
	if got, want := fmt.Sprint(slices.Collect(runs(rows))), "[{0 2} {2 3} {3 4} {4 7}]"; got != want {
		t.Errorf("runs are %s, want %s", got, want)
	}
	if got := slices.Collect(runs(listedRows{})); got != nil {
		t.Errorf("no rows have runs %v", got)
	}
}
