package packed

import (
	"encoding/binary"

	"github.com/sightline-hq/sightline/internal/facts"
)

// A digest is what reports about a whole week need of a text: how often each
// product is mentioned, not by which answer. It is made of a text that is read
// again and again, and kept in its place: it is smaller, and counted faster.
//
//	of mentions:  platforms, products, prompts, and per prompt: prompt, bytes, and per platform:
//	              platform, answers, sum of the own product's positions, counts
//	of citations: products, domains, and per domain that is cited: how many numbers after the one
//	              before, citations, counts
//	counts:       see putCounts

// DigestMentions makes the digest of a text of mentions in answers to prompts of a product.
func DigestMentions(product int64, mentions []byte) ([]byte, error) {
	h, err := new(chosen).readHead(mentions)
	if err != nil {
		return nil, err
	}
	t := NewTallies(facts.AnswerQuery{ProductID: product, Products: h.products}, facts.ByPromptAndPlatform)
	p := part{last: facts.WeekSeconds, head: h, numbers: make([]int, len(h.platforms))}
	p.places = t.where(h.products)
	for i, name := range h.platforms {
		p.numbers[i] = t.number(name)
	}
	text := putNumbers(putTexts(nil, t.names), h.products)
	text = binary.AppendUvarint(text, uint64(len(h.sections)))
	var groups []byte
	body := h.body
	for _, s := range h.sections {
		prompt := s.prompt
		s.prompt = 0 // they take turns with the same groups
		if err := t.section(&p, body[:s.bytes], s); err != nil {
			return nil, err
		}
		body = body[s.bytes:]
		groups = takeGroups(groups[:0], t.row(0))
		text = binary.AppendUvarint(text, uint64(prompt))
		text = append(binary.AppendUvarint(text, uint64(len(groups))), groups...)
	}
	return text, nil
}

// takeGroups writes the groups of a prompt, and empties them.
func takeGroups(to []byte, row []*facts.Tally) []byte {
	for platform, of := range row {
		if of == nil || of.Answers == 0 {
			continue
		}
		for _, n := range []int64{int64(platform), of.Answers, of.Positions} {
			to = binary.AppendUvarint(to, uint64(n))
		}
		to = putCounts(to, of.Mentions)
		of.Answers, of.Positions = 0, 0
		clear(of.Mentions)
	}
	return to
}

// Digest counts a digest, for a query by prompt and platform.
func (t *Tallies) Digest(text []byte) error {
	r := cursor{text: text}
	platforms, places := r.texts(), t.where(r.numbers())
	numbers := make([]int, len(platforms))
	for i, name := range platforms {
		numbers[i] = nowhere
		if t.wantsPlatform(name) {
			numbers[i] = t.number(name)
		}
	}
	unwanted := make([]int64, len(t.Products))
	for range r.count() {
		prompt, groups := int64(r.number()), cursor{text: r.bytes()}
		if !t.share.has(int(prompt)) || !t.wantsPrompt(prompt) {
			continue
		}
		row := t.row(prompt)
		for groups.at < len(groups.text) && !groups.bad {
			platform, answers, positions := groups.number(), int64(groups.number()), int64(groups.number())
			if platform >= uint64(len(numbers)) {
				return errDamaged
			}
			mentions := unwanted
			if numbers[platform] != nowhere {
				of := t.in(row, numbers[platform], prompt)
				of.Answers += answers
				of.Positions += positions
				mentions = of.Mentions
			}
			addCounts(&groups, places, mentions)
		}
		r.bad = r.bad || groups.bad
	}
	return r.err()
}

// DigestCitations makes the digest of texts that cite sources.
func DigestCitations(from Sources, texts Texts) ([]byte, error) {
	h, err := new(chosen).readHead(texts.Mentions)
	if err != nil {
		return nil, err
	}
	n := newPartCount(len(h.products))
	if err := n.sources.read(from, false); err != nil {
		return nil, err
	}
	n.reset(false)
	everything := chosen{places: make(map[int64]int)}
	for i, id := range h.products {
		everything.places[id] = i
	}
	all := func(int64) bool { return true }
	if err := everything.eachSection(texts, all, func(h *head, s sectionHead, text, citations []byte) error {
		return n.section(h, s, text, citations, 0, 0, facts.WeekSeconds)
	}); err != nil {
		return nil, err
	}
	return n.digest(h.products), nil
}

func (n *partCount) digest(products []int64) []byte {
	cited, before := uint64(0), 0
	var rows []byte
	for d, count := range n.cited {
		if count == 0 {
			continue
		}
		cited++
		rows = binary.AppendUvarint(rows, uint64(d-before))
		rows = binary.AppendUvarint(rows, uint64(count))
		rows = putCounts(rows, n.mentions[d*n.products:(d+1)*n.products])
		before = d
	}
	return append(binary.AppendUvarint(putNumbers(nil, products), cited), rows...)
}

// addDigest counts a digest of the sources that were read.
func (n *partCount) addDigest(c *chosen, text []byte) error {
	r := cursor{text: text}
	places, domain := c.where(r.numbers()), uint64(0)
	for range r.count() {
		domain += r.number()
		count := r.number()
		if r.bad || domain >= uint64(len(n.cited)) {
			return errDamaged
		}
		n.cited[domain] += uint32(count)
		addCounts(&r, places, n.mentions[int(domain)*n.products:(int(domain)+1)*n.products])
	}
	return r.err()
}
