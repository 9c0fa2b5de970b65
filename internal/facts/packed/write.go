package packed

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// maxAnswers bounds a part, and with it the memory of writing one.
const maxAnswers = 1 << 18

// Writer packs the answers of one product and week. They come by prompt; the
// order of prompts does not matter.
type Writer struct {
	week   int64
	totals totals

	platforms names[string]
	products  names[int64]
	pages     names[page]
	sections  []section
	answers   []answer
	mentions  []mention
	citations []uint32
}

type (
	page    struct{ domain, url string }
	section struct{ prompt, answers int64 }
	answer  struct {
		second              uint32
		platform            uint32
		mentions, citations int // how many
	}
	mention struct {
		product  uint32
		position int64
	}
)

// NewWriter packs answers of a week to prompts of a product.
func NewWriter(product, week int64) *Writer {
	return &Writer{week: week, totals: totals{product: product}}
}

// Add adds an answer.
func (w *Writer) Add(a *facts.Answer) {
	w.totals.add(a)
	if n := len(w.sections); n == 0 || w.sections[n-1].prompt != a.PromptID {
		w.sections = append(w.sections, section{prompt: a.PromptID})
	}
	w.sections[len(w.sections)-1].answers++
	w.answers = append(w.answers, answer{
		second: uint32(a.Second - w.week), platform: w.platforms.number(a.Platform),
		mentions: len(a.Mentions), citations: len(a.Citations),
	})
	from := len(w.mentions)
	for _, m := range a.Mentions {
		w.mentions = append(w.mentions, mention{w.products.number(m.ProductID), m.Position})
	}
	slices.SortFunc(w.mentions[from:], func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.product, b.product))
	})
	for _, c := range a.Citations {
		w.citations = append(w.citations, w.pages.number(page{c.Domain, c.URL}))
	}
}

// Empty says that nothing was added since the last part.
func (w *Writer) Empty() bool { return len(w.answers) == 0 }

// Full says that a part should be taken before more is added.
func (w *Writer) Full() bool { return len(w.answers) >= maxAnswers }

// Totals are the sums of all answers that were added.
func (w *Writer) Totals() []byte { return w.totals.pack() }

// Take returns what was added since the last time.
func (w *Writer) Take() Part {
	pages, renumbered := packPages(w.pages.all)
	var heads, bodies, citations []byte
	answers, mentions, cited := w.answers, w.mentions, w.citations
	for _, s := range w.sections {
		fromBody, fromCitations := len(bodies), len(citations)
		for _, a := range answers[:s.answers] {
			bodies = appendAnswer(bodies, a, mentions[:a.mentions])
			mentions = mentions[a.mentions:]
			citations = binary.AppendUvarint(citations, uint64(a.citations))
			for _, number := range cited[:a.citations] {
				citations = binary.AppendUvarint(citations, uint64(renumbered[number]))
			}
			cited = cited[a.citations:]
		}
		answers = answers[s.answers:]
		for _, n := range []int64{s.prompt, s.answers, int64(len(bodies) - fromBody), int64(len(citations) - fromCitations)} {
			heads = binary.AppendUvarint(heads, uint64(n))
		}
	}
	text := putNumbers(putTexts(nil, w.platforms.all), w.products.all)
	text = append(binary.AppendUvarint(text, uint64(len(w.sections))), heads...)
	*w = Writer{week: w.week, totals: w.totals}
	return Part{Mentions: append(text, bodies...), Citations: citations, Pages: pages}
}

func appendAnswer(to []byte, a answer, mentions []mention) []byte {
	given := uint64(0)
	for i, m := range mentions {
		if m.position != int64(i+1) {
			given = 1
		}
	}
	to = binary.AppendUvarint(to, uint64(a.platform))
	to = binary.AppendUvarint(to, uint64(a.second))
	to = binary.AppendUvarint(to, uint64(len(mentions))*2+given)
	for _, m := range mentions {
		to = binary.AppendUvarint(to, uint64(m.product))
		if given == 1 {
			to = binary.AppendUvarint(to, uint64(m.position))
		}
	}
	return to
}

// packPages writes pages by domain and URL, and says which number each gets.
func packPages(pages []page) (text []byte, renumbered []uint32) {
	order := make([]uint32, len(pages))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(pages[a].domain, pages[b].domain), cmp.Compare(pages[a].url, pages[b].url))
	})
	renumbered = make([]uint32, len(pages))
	domains, before := uint64(0), page{}
	var body []byte
	for from := 0; from < len(order); {
		domain, to := pages[order[from]].domain, from
		for to < len(order) && pages[order[to]].domain == domain {
			to++
		}
		domains++
		body = putBytes(body, domain)
		body = binary.AppendUvarint(body, uint64(to-from))
		for ; from < to; from++ {
			p := pages[order[from]]
			shared := sharedPrefix(before.url, p.url)
			body = binary.AppendUvarint(body, uint64(shared))
			body = putBytes(body, p.url[shared:])
			renumbered[order[from]], before = uint32(from), p
		}
	}
	return append(binary.AppendUvarint(nil, domains), body...), renumbered
}

func sharedPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
