// Package random draws worlds and requests for the oracle, and fires them at a
// server: what the server says must be what the oracle says, field by field.
//
// What raw text means comes from tables written by hand (agents, referrers,
// paths, citations), never from the code under test.
package random

import "pgregory.net/rapid"

var coin = rapid.Bool()

// upTo draws a number from 0 to n-1, each as likely as the other: rapid's own
// integers prefer small ones, which would make most features rare.
func upTo(t *rapid.T, n int) int {
	for {
		v := 0
		for rest := n - 1; rest > 0; rest >>= 1 {
			v <<= 1
			if coin.Draw(t, "bit") {
				v |= 1
			}
		}
		if v < n {
			return v
		}
	}
}

// percent is true that often. Its shrunken value is false.
func percent(t *rapid.T, p int) bool { return upTo(t, 100) >= 100-p }

// pick draws an element of the list.
func pick[T any](t *rapid.T, list []T) T { return list[upTo(t, len(list))] }

// shuffled returns the list in any order.
func shuffled[T any](t *rapid.T, list []T) []T {
	out := append([]T(nil), list...)
	for i := range out {
		j := i + upTo(t, len(out)-i)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// some returns a part of the list in any order, of at least min elements.
func some[T any](t *rapid.T, list []T, min int) []T {
	if len(list) <= min {
		return shuffled(t, list)
	}
	return shuffled(t, list)[:min+upTo(t, len(list)-min+1)]
}

// sent returns a part of the list as a caller might send it: in any order, and
// sometimes with a value twice. It is never empty.
func sent[T any](t *rapid.T, list []T) []T {
	values := some(t, list, 1)
	if percent(t, 20) {
		values = append(values, pick(t, values))
	}
	return values
}
