package facts

import (
	"iter"
	"math/bits"
)

// Bits is a set of small numbers, as large as the largest needs.
type Bits []uint64

// NewBits is an empty set with room for numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Add adds a number.
func (b *Bits) Add(n int) {
	word := n >> 6
	if word >= len(*b) {
		*b = append(*b, make([]uint64, max(8, word+1-len(*b)))...)
	}
	(*b)[word] |= 1 << (n & 63)
}

// Has says whether a number is in it.
func (b Bits) Has(n int) bool {
	word := n >> 6
	return word < len(b) && b[word]&(1<<(n&63)) != 0
}

// Union adds all numbers of another set.
func (b *Bits) Union(other Bits) {
	if len(other) > len(*b) {
		*b = append(*b, make([]uint64, len(other)-len(*b))...)
	}
	for i, word := range other {
		(*b)[i] |= word
	}
}

// Count is how many numbers are in it.
func (b Bits) Count() (n int64) {
	for _, word := range b {
		n += int64(bits.OnesCount64(word))
	}
	return n
}

// All goes over the numbers in it, in order.
func (b Bits) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range b {
			for ; word != 0; word &= word - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
