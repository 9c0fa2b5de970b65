package packed

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// totals are the sums of a kind of prompts, by day and platform.
type totals struct {
	product   int64
	platforms names[string]
	products  names[int64]
	prompts   map[int64]bool
	days      map[dayKey]*daySum
}

type dayKey struct {
	day      int64 // number of days since Unix time began
	platform uint32
}

type daySum struct {
	answers, positions int64
	mentions           map[uint32]int64
}

func newTotals(product int64) totals {
	return totals{product: product, prompts: make(map[int64]bool), days: make(map[dayKey]*daySum)}
}

func (t *totals) add(a *facts.Answer) {
	t.prompts[a.PromptID] = true
	key := dayKey{a.Second / facts.DaySeconds, t.platforms.number(a.Platform)}
	sum := t.days[key]
	if sum == nil {
		sum = &daySum{mentions: make(map[uint32]int64)}
		t.days[key] = sum
	}
	sum.answers++
	for _, m := range a.Mentions {
		sum.mentions[t.products.number(m.ProductID)]++
		if m.ProductID == t.product {
			sum.positions += m.Position
		}
	}
}

// pack writes the totals of one kind, with the number 0.
func (t *totals) pack() []byte {
	text := putNumbers(putTexts(nil, t.platforms.all), t.products.all)
	text = putNumbers(binary.AppendUvarint(text, 1), slices.Sorted(maps.Keys(t.prompts)))
	return t.packDays(binary.AppendUvarint(text, uint64(len(t.days))), 0)
}

func (t *totals) packDays(text []byte, kind int64) []byte {
	keys := slices.SortedFunc(maps.Keys(t.days), func(a, b dayKey) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.platform, b.platform))
	})
	for _, k := range keys {
		sum := t.days[k]
		for _, n := range []int64{kind, k.day, int64(k.platform), sum.answers, sum.positions, int64(len(sum.mentions))} {
			text = binary.AppendUvarint(text, uint64(n))
		}
		for _, product := range slices.Sorted(maps.Keys(sum.mentions)) {
			text = binary.AppendUvarint(text, uint64(product))
			text = binary.AppendUvarint(text, uint64(sum.mentions[product]))
		}
	}
	return text
}
