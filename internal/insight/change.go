package insight

import "math"

// A change is nil where either side has no data: that something is not known
// is not a change.

// Difference is now less before, as for a visibility: in its own unit, so 0.02
// is two percentage points more.
func Difference(now, before *float64) *float64 {
	if now == nil || before == nil {
		return nil
	}
	d := *now - *before
	return &d
}

// InPoints writes a difference of shares in percentage points, to the tenth that
// people read. It is rounded once: a difference of rounded shares may be off by a
// whole tenth.
func InPoints(difference float64) float64 { return math.Round(difference*1000) / 10 }

// Gain is the places won, as for a position or a rank, of which the smaller is
// the better: positive is better, negative is worse.
func Gain(now, before *float64) *float64 { return Difference(before, now) }

// Growth is the change of a count as a share of the count before: 0.5 is half as
// much again. From zero, growth is no number: nil.
func Growth(now, before *int64) *float64 {
	if now == nil || before == nil || *before == 0 {
		return nil
	}
	g := float64(*now-*before) / float64(*before)
	return &g
}

// MayBeChance tells whether two counts differ by no more than chance explains in
// 95 of 100 cases: the difference of two Poisson counts has their sum as its
// variance. Visits that come in bursts vary more, never less.
func MayBeChance(now, before int64) bool {
	return math.Abs(float64(now)-float64(before)) <= 2*math.Sqrt(float64(now)+float64(before))
}
