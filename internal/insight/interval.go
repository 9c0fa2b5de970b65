package insight

import "math"

// z is the number of standard deviations of a normal distribution that 95 % of
// it lie within.
const z = 1.959963984540054

// Interval is a range that holds the true value in 95 of 100 cases.
type Interval struct{ Low, High float64 }

// Contains tells whether a value lies in the interval.
func (i Interval) Contains(v float64) bool { return i.Low <= v && v <= i.High }

// Wilson is the 95 % interval of a visibility that was seen in a number of
// runs: Wilson's score interval, which stays within 0 and 1 and is of use for
// few runs and for visibilities near either end. Without runs, and where either
// figure is missing, nothing can be said: nil.
func Wilson(visibility *float64, runs *int64) *Interval {
	if visibility == nil || runs == nil || *runs < 1 || !(*visibility >= 0 && *visibility <= 1) {
		return nil
	}
	p, n := *visibility, float64(*runs)
	centre := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	whole := 1 + z*z/n
	// Rounding must not leave the visibility outside.
	return &Interval{Low: max(0, min(p, (centre-half)/whole)), High: min(1, max(p, (centre+half)/whole))}
}

// WilsonChange is the 95 % interval of the difference between two
// visibilities, now less before (Newcombe's method: from the Wilson intervals of
// the two). If it contains zero, the change may be chance.
func WilsonChange(now *float64, runsNow *int64, before *float64, runsBefore *int64) *Interval {
	a, b := Wilson(now, runsNow), Wilson(before, runsBefore)
	if a == nil || b == nil {
		return nil
	}
	change := *now - *before
	return &Interval{
		Low:  change - math.Hypot(*now-a.Low, b.High-*before),
		High: change + math.Hypot(a.High-*now, *before-b.Low),
	}
}
