package packed

import "encoding/binary"

// putCounts writes how often each product is mentioned, in the shorter way.
func putCounts[N int64 | uint32](to []byte, counts []N) []byte {
	some := 0
	for _, n := range counts {
		if n != 0 {
			some++
		}
	}
	if 2*some >= len(counts) {
		to = append(to, 1)
		for _, n := range counts {
			to = binary.AppendUvarint(to, uint64(n))
		}
		return to
	}
	to = binary.AppendUvarint(to, uint64(2*some))
	for product, n := range counts {
		if n != 0 {
			to = binary.AppendUvarint(to, uint64(product))
			to = binary.AppendUvarint(to, uint64(n))
		}
	}
	return to
}

// addCounts adds counts of products, which have places, to those of these places.
func addCounts[N int64 | uint32](r *cursor, places []int, to []N) {
	some := r.number()
	if some == 1 {
		for _, place := range places {
			if n := r.number(); place != nowhere {
				to[place] += N(n)
			}
		}
		return
	}
	for range some / 2 {
		product, n := r.number(), r.number()
		if r.bad || product >= uint64(len(places)) {
			r.bad = true
			return
		}
		if place := places[product]; place != nowhere {
			to[place] += N(n)
		}
	}
}
