package packed

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// held is answers that are to be packed.
type held struct {
	platforms names[string]
	products  names[int64]
	sections  []section
	answers   []answer
	mentions  []mention
	citations []uint32
}

type (
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

func (h *held) add(a *facts.Answer, week int64, pages *names[page]) {
	if n := len(h.sections); n == 0 || h.sections[n-1].prompt != a.PromptID {
		h.sections = append(h.sections, section{prompt: a.PromptID})
	}
	h.sections[len(h.sections)-1].answers++
	h.answers = append(h.answers, answer{
		second: uint32(a.Second - week), platform: h.platforms.number(a.Platform),
		mentions: len(a.Mentions), citations: len(a.Citations),
	})
	from := len(h.mentions)
	for _, m := range a.Mentions {
		h.mentions = append(h.mentions, mention{h.products.number(m.ProductID), m.Position})
	}
	slices.SortFunc(h.mentions[from:], func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.product, b.product))
	})
	for _, c := range a.Citations {
		h.citations = append(h.citations, pages.number(page{c.Domain, c.URL}))
	}
}

// pack writes the answers, with the numbers that pages got when all were known.
func (h *held) pack(renumbered []uint32) (text, citations []byte) {
	var heads, bodies []byte
	answers, mentions, cited := h.answers, h.mentions, h.citations
	for _, s := range h.sections {
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
	text = putNumbers(putTexts(nil, h.platforms.all), h.products.all)
	text = append(binary.AppendUvarint(text, uint64(len(h.sections))), heads...)
	return append(text, bodies...), citations
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
func packPages(pages []page) (s Sources, renumbered []uint32) {
	order := make([]uint32, len(pages))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(pages[a].domain, pages[b].domain), cmp.Compare(pages[a].url, pages[b].url))
	})
	renumbered = make([]uint32, len(pages))
	domains, before := uint64(0), page{}
	var names []byte
	for from := 0; from < len(order); {
		domain, to := pages[order[from]].domain, from
		for to < len(order) && pages[order[to]].domain == domain {
			to++
		}
		domains++
		names = putBytes(names, domain)
		names = binary.AppendUvarint(names, uint64(to-from))
		for ; from < to; from++ {
			p := pages[order[from]]
			shared := sharedPrefix(before.url, p.url)
			s.URLs = binary.AppendUvarint(s.URLs, uint64(shared))
			s.URLs = putBytes(s.URLs, p.url[shared:])
			renumbered[order[from]], before = uint32(from), p
		}
	}
	s.Domains = append(binary.AppendUvarint(nil, domains), names...)
	return s, renumbered
}

func sharedPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
