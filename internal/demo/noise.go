package demo

import "math"

// mix turns numbers into one that looks random (SplitMix64).
func mix(keys ...int64) uint64 {
	h := uint64(seed)
	for _, k := range keys {
		h += uint64(k) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// key makes a number of a name, for mix.
func key(name string) (k int64) {
	for i := range len(name) {
		k = k*31 + int64(name[i])
	}
	return k
}

// swing returns a number between -1 and 1 that belongs to the keys for good.
func swing(keys ...int64) float64 {
	return float64(mix(keys...)>>11)/(1<<52) - 1
}

// drift returns a number between -1 and 1 that wanders as days go by, with a
// new goal every period days.
func drift(d day, period int64, keys ...int64) float64 {
	node, rest := divide(int64(d), period)
	x := float64(rest) / float64(period)
	x = x * x * (3 - 2*x)
	last, next := swing(append(keys, period, node)...), swing(append(keys, period, node+1)...)
	return last + (next-last)*x
}

func clamp(x, low, high float64) float64 { return math.Max(low, math.Min(high, x)) }
