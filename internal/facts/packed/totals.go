package packed

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// totals are the sums of each day and platform.
type totals struct {
	product   int64
	platforms names[string]
	products  names[int64]
	prompts   map[int64]bool
	days      map[dayPlatform]*daySum
}

type dayPlatform struct {
	day      int64 // number of days since Unix time began
	platform uint32
}

type daySum struct {
	answers, positions int64
	mentions           map[uint32]int64
}

func (t *totals) add(a *facts.Answer) {
	if t.prompts == nil {
		t.prompts, t.days = make(map[int64]bool), make(map[dayPlatform]*daySum)
	}
	t.prompts[a.PromptID] = true
	key := dayPlatform{a.Second / facts.DaySeconds, t.platforms.number(a.Platform)}
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

func (t *totals) pack() []byte {
	text := putNumbers(nil, slices.Sorted(maps.Keys(t.prompts)))
	text = putNumbers(putTexts(text, t.platforms.all), t.products.all)
	keys := slices.SortedFunc(maps.Keys(t.days), func(a, b dayPlatform) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.platform, b.platform))
	})
	text = binary.AppendUvarint(text, uint64(len(keys)))
	for _, k := range keys {
		sum := t.days[k]
		for _, n := range []int64{k.day, int64(k.platform), sum.answers, sum.positions, int64(len(sum.mentions))} {
			text = binary.AppendUvarint(text, uint64(n))
		}
		for _, product := range slices.Sorted(maps.Keys(sum.mentions)) {
			text = binary.AppendUvarint(text, uint64(product))
			text = binary.AppendUvarint(text, uint64(sum.mentions[product]))
		}
	}
	return text
}
