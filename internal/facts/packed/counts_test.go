package packed

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCountsAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.Uint32Range(0, rapid.SampledFrom([]uint32{1, 7, 8, 200, 1 << 20}).Draw(t, "largest"))
		if rapid.Bool().Draw(t, "few") {
			count = rapid.OneOf(rapid.Just[uint32](0), rapid.Just[uint32](0), rapid.Just[uint32](0), count)
		}
		counts := rapid.SliceOfN(count, 0, 100).Draw(t, "counts")
		places, got, want := make([]int, len(counts)), make([]uint32, len(counts)), make([]uint32, len(counts))
		for i, n := range counts {
			places[i] = len(counts) - 1 - i
			want[places[i]] = 2 * n
			if rapid.Bool().Draw(t, "of nobody") {
				want[places[i]] = 0
				places[i] = nowhere
			}
		}
		r := cursor{text: putCounts(putCounts(nil, counts), counts)}
		addCounts(&r, places, got)
		addCounts(&r, places, got)
		if r.bad || r.at != len(r.text) || !slices.Equal(got, want) {
			t.Fatalf("%d at %d of %d, want %d", got, r.at, len(r.text), want)
		}
	})
}
