// Package packed writes the answers of a product and an ISO week into a few
// compact texts of bytes, and counts mentions and citations in them. Reports
// that group by prompt have about as many groups as there are answers, so no
// table of sums is smaller than the answers themselves; but they need little of
// each, and that little takes about a byte per mention.
//
// The answers are told apart by the kind of their prompt: a report about the
// prompts with a label reads the texts of few kinds. A part is up to maxAnswers
// answers, in two texts for each kind, mentions and citations, and two for all
// of them, domains and URLs, which citations refer to by number. Totals are the
// sums of each day over the prompts of a kind, and say which prompts those are;
// those of all kinds stand in one text, the directory of the week.
//
// Numbers are unsigned varints. A text that was cut or changed is an error,
// never a wrong count that goes unnoticed for lack of bytes.
//
//	mentions:  platforms, products, sections (prompt, answers, bytes here, bytes in citations),
//	           then per answer: platform, second of the week, mentions·2 + given,
//	           and per mention: product and, if given, position; otherwise they are 1, 2, 3, …
//	citations: per answer: citations, and per citation: page
//	domains:   domains, and per domain: name, pages
//	urls:      per page, by domain: bytes shared with the one before, the rest
//	directory: bytes of domains and urls, kinds, and per kind: number, bytes of mentions and citations, totals
//	totals:    platforms, products, kinds, and per kind: prompts; then per kind, day and platform: kind, day,
//	           platform, answers, sum of the own product's positions, products, and per product: product, mentions
//
// The first generation of texts did not tell kinds apart: a part has one of mentions and
// one of citations; one of pages, which is domains and, after each domain, its
// URLs; and totals of several kinds are all there is of a directory.
package packed

import (
	"encoding/binary"
	"errors"
)

// Part is the texts of some answers.
type Part struct {
	Kinds []Texts
	Sources
}

// Texts are the answers to prompts of a kind.
type Texts struct {
	Kind                int64 // its number
	Mentions, Citations []byte
	Digest              []byte // of both, in their place
}

// Sources are what the answers of a part cite.
type Sources struct {
	Domains, URLs []byte
	Pages         []byte // both together, in the first generation
}

// errDamaged says that bytes are not what the writer wrote.
var errDamaged = errors.New("packed answers are damaged")

// cursor reads numbers. After the end of the text it reads zeros, and is bad.
type cursor struct {
	text []byte
	at   int
	bad  bool
}

// number reads a number; most have one byte.
func (c *cursor) number() uint64 {
	if c.at < len(c.text) && c.text[c.at] < 0x80 {
		c.at++
		return uint64(c.text[c.at-1])
	}
	return c.long()
}

func (c *cursor) long() uint64 {
	if c.at+2 < len(c.text) { // seconds of a week have three bytes
		first, second, third := c.text[c.at], c.text[c.at+1], c.text[c.at+2]
		n := uint64(first&0x7f) | uint64(second&0x7f)<<7
		switch {
		case second < 0x80:
			c.at += 2
			return n
		case third < 0x80:
			c.at += 3
			return n | uint64(third)<<14
		}
	}
	n, size := binary.Uvarint(c.text[min(c.at, len(c.text)):])
	if size <= 0 {
		c.bad = true
		return 0
	}
	c.at += size
	return n
}

// count reads how many things follow, each of at least a byte.
func (c *cursor) count() int {
	n := c.number()
	if n > uint64(len(c.text)-min(c.at, len(c.text))) {
		c.bad = true
		return 0
	}
	return int(n)
}

// bytes reads some bytes, of the text itself.
func (c *cursor) bytes() []byte {
	n := c.count()
	c.at += n
	return c.text[c.at-n : c.at]
}

func (c *cursor) texts() []string {
	all := make([]string, c.count())
	for i := range all {
		all[i] = string(c.bytes())
	}
	return all
}

func (c *cursor) numbers() []int64 {
	all := make([]int64, c.count())
	for i := range all {
		all[i] = int64(c.number())
	}
	return all
}

// err says whether the text held all that was read.
func (c *cursor) err() error {
	if c.bad {
		return errDamaged
	}
	return nil
}

func putTexts(to []byte, all []string) []byte {
	to = binary.AppendUvarint(to, uint64(len(all)))
	for _, s := range all {
		to = putBytes(to, s)
	}
	return to
}

func putBytes(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

func putNumbers(to []byte, all []int64) []byte {
	to = binary.AppendUvarint(to, uint64(len(all)))
	for _, n := range all {
		to = binary.AppendUvarint(to, uint64(n))
	}
	return to
}

// names numbers things as they first come.
type names[T comparable] struct {
	all     []T
	numbers map[T]uint32
}

func (n *names[T]) number(thing T) uint32 {
	number, ok := n.numbers[thing]
	if !ok {
		if n.numbers == nil {
			n.numbers = make(map[T]uint32)
		}
		number = uint32(len(n.all))
		n.numbers[thing] = number
		n.all = append(n.all, thing)
	}
	return number
}
