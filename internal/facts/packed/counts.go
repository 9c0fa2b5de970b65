package packed

import "encoding/binary"

// Counts are how often each product is mentioned, written in the shorter of two
// ways: one for each product; or one byte for each that is mentioned, which has how
// many products were passed over and, in the last bits, the count. What has no room
// in the byte follows it.
const (
	countBits  = 3
	mostPassed = 1<<(8-countBits) - 1 // it follows the byte
	mostCount  = 1 << countBits       // from here on it follows the byte, which has 0
)

// putCounts writes counts: 1 and all of them, or twice how many are not 0, and those.
func putCounts[N int64 | uint32](to []byte, counts []N) []byte {
	from := len(to)
	to = append(to, 1)
	some := uint64(0)
	for _, n := range counts {
		to = binary.AppendUvarint(to, uint64(n))
		if n != 0 {
			some++
		}
	}
	end := len(to)
	to = binary.AppendUvarint(to, 2*some)
	passed := uint64(0)
	for _, n := range counts {
		if n == 0 {
			passed++
			continue
		}
		to = putCount(to, passed, uint64(n))
		passed = 0
	}
	if len(to)-end < end-from {
		return append(to[:from], to[end:]...)
	}
	return to[:end]
}

func putCount(to []byte, passed, n uint64) []byte {
	inByte := n
	if n >= mostCount {
		inByte = 0
	}
	to = append(to, byte(min(passed, mostPassed)<<countBits|inByte))
	if passed >= mostPassed {
		to = binary.AppendUvarint(to, passed)
	}
	if n >= mostCount {
		to = binary.AppendUvarint(to, n)
	}
	return to
}

// addCounts adds counts of products, which have places, to those of these places.
// It looks at single bytes itself: that is most of the work of large reports.
func addCounts[N int64 | uint32](r *cursor, places []int, to []N) {
	some := r.number()
	if some == 1 {
		addEach(r, places, to)
		return
	}
	product := uint64(0)
	for range some / 2 {
		if r.at >= len(r.text) {
			r.bad = true
			return
		}
		b := r.text[r.at]
		r.at++
		passed, n := uint64(b>>countBits), uint64(b%mostCount)
		if passed == mostPassed {
			passed = r.number()
		}
		if n == 0 {
			n = r.number()
		}
		product += passed
		if product >= uint64(len(places)) {
			r.bad = true
			return
		}
		if place := places[product]; place != nowhere {
			to[place] += N(n)
		}
		product++
	}
}

func addEach[N int64 | uint32](r *cursor, places []int, to []N) {
	text, at := r.text, r.at
	for _, place := range places {
		var n uint64
		if at < len(text) && text[at] < 0x80 {
			n = uint64(text[at])
			at++
		} else {
			r.at = at
			n = r.long()
			at = r.at
		}
		if place != nowhere {
			to[place] += N(n)
		}
	}
	r.at = at
}
