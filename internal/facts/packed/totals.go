package packed

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// maxKinds bounds the totals: the sums of further kinds are added up together.
const maxKinds = 64

// totals are the sums of each kind of prompts, day and platform.
type totals struct {
	product   int64
	platforms names[string]
	products  names[int64]
	kinds     names[string]
	prompts   []map[int64]bool // of each kind
	days      map[dayKey]*daySum
}

type dayKey struct {
	kind     uint32
	day      int64 // number of days since Unix time began
	platform uint32
}

type daySum struct {
	answers, positions int64
	mentions           map[uint32]int64
}

func (t *totals) add(a *facts.Answer) {
	if t.days == nil {
		t.days = make(map[dayKey]*daySum)
	}
	kind := t.kind(a.PromptKind)
	t.prompts[kind][a.PromptID] = true
	key := dayKey{kind, a.Second / facts.DaySeconds, t.platforms.number(a.Platform)}
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

// kind numbers a kind of prompts.
func (t *totals) kind(name string) uint32 {
	if _, known := t.kinds.numbers[name]; !known && len(t.kinds.all) >= maxKinds-1 {
		name = "others" // no kind is called that: kinds of prompts have a domain
	}
	kind := t.kinds.number(name)
	if int(kind) == len(t.prompts) {
		t.prompts = append(t.prompts, make(map[int64]bool))
	}
	return kind
}

func (t *totals) pack() []byte {
	text := putNumbers(putTexts(nil, t.platforms.all), t.products.all)
	text = binary.AppendUvarint(text, uint64(len(t.prompts)))
	for _, prompts := range t.prompts {
		text = putNumbers(text, slices.Sorted(maps.Keys(prompts)))
	}
	keys := slices.SortedFunc(maps.Keys(t.days), func(a, b dayKey) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.day, b.day), cmp.Compare(a.platform, b.platform))
	})
	text = binary.AppendUvarint(text, uint64(len(keys)))
	for _, k := range keys {
		sum := t.days[k]
		for _, n := range []int64{int64(k.kind), k.day, int64(k.platform), sum.answers, sum.positions, int64(len(sum.mentions))} {
			text = binary.AppendUvarint(text, uint64(n))
		}
		for _, product := range slices.Sorted(maps.Keys(sum.mentions)) {
			text = binary.AppendUvarint(text, uint64(product))
			text = binary.AppendUvarint(text, uint64(sum.mentions[product]))
		}
	}
	return text
}
