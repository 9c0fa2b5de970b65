package packed

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// What bounds a part, and with it the memory of writing one.
const (
	maxAnswers = 1 << 18
	maxPages   = 1 << 20
)

// maxKinds bounds the kinds of a week: further ones are taken for one.
const maxKinds = 64

// Writer packs the answers of one product and week. They come by prompt; the
// order of prompts does not matter.
type Writer struct {
	product, week int64
	kinds         []*kind
	pages         names[page]
	answers       int // since the last part
	sourceBytes   int
}

type page struct{ domain, url string }

// kind is the answers to prompts of a kind.
type kind struct {
	number int64
	totals totals
	bytes  int // of the texts that were taken
	held   held
}

// NewWriter packs answers of a week to prompts of a product.
func NewWriter(product, week int64) *Writer {
	return &Writer{product: product, week: week}
}

// Add adds an answer.
func (w *Writer) Add(a *facts.Answer) {
	k := w.kind(a.PromptKind)
	k.totals.add(a)
	k.held.add(a, w.week, &w.pages)
	w.answers++
}

// kind finds or makes a kind. It has the same number in all weeks, so that many
// weeks of it can be read at once; if two have the same, they are taken for one.
func (w *Writer) kind(name string) *kind {
	sum := fnv.New32a()
	sum.Write([]byte(name))
	number := int64(sum.Sum32())
	find := func() int { return slices.IndexFunc(w.kinds, func(k *kind) bool { return k.number == number }) }
	at := find()
	if at < 0 && len(w.kinds) >= maxKinds-1 {
		number = others
		at = find()
	}
	if at < 0 {
		at = len(w.kinds)
		w.kinds = append(w.kinds, &kind{number: number, totals: newTotals(w.product)})
	}
	return w.kinds[at]
}

// others is the number of what is left when there are too many kinds.
const others = 0

// Empty says that nothing was added since the last part.
func (w *Writer) Empty() bool { return w.answers == 0 }

// Full says that a part should be taken before more is added.
func (w *Writer) Full() bool { return w.answers >= maxAnswers || len(w.pages.all) >= maxPages }

// Take returns what was added since the last time.
func (w *Writer) Take() (p Part) {
	var renumbered []uint32
	p.Sources, renumbered = packPages(w.pages.all)
	w.sourceBytes += len(p.Domains) + len(p.URLs)
	for _, k := range w.kinds {
		if len(k.held.answers) == 0 {
			continue
		}
		mentions, citations := k.held.pack(renumbered)
		p.Kinds = append(p.Kinds, Texts{Kind: k.number, Mentions: mentions, Citations: citations})
		k.bytes += len(mentions) + len(citations)
		k.held = held{}
	}
	w.pages, w.answers = names[page]{}, 0
	return p
}

// Directory is written when all parts were taken.
func (w *Writer) Directory() []byte {
	text := binary.AppendUvarint(nil, uint64(w.sourceBytes))
	text = binary.AppendUvarint(text, uint64(len(w.kinds)))
	for _, k := range w.kinds {
		text = binary.AppendUvarint(text, uint64(k.number))
		text = binary.AppendUvarint(text, uint64(k.bytes))
		text = putBytes(text, string(k.totals.pack()))
	}
	return text
}
