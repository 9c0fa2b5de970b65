package insight

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
