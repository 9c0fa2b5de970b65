package gauge

import (
	"math"
	"time"
)

// Line is a straight line through readings.
type Line struct {
	PerHour float64 // its slope
	Error   float64 // the slope's standard error, an hour
	Mean    float64
	Span    time.Duration // from the first reading to the last
}

// Fit lays a line through one value of the readings, by least squares.
func Fit(readings []Reading, value func(Reading) int64) (l Line) {
	n := float64(len(readings))
	if n < 3 {
		return l
	}
	first := readings[0].At
	l.Span = readings[len(readings)-1].At.Sub(first)
	var meanX float64
	for _, r := range readings {
		meanX += r.At.Sub(first).Hours() / n
		l.Mean += float64(value(r)) / n
	}
	var xx, xy float64
	for _, r := range readings {
		x := r.At.Sub(first).Hours() - meanX
		xx += x * x
		xy += x * (float64(value(r)) - l.Mean)
	}
	if xx == 0 {
		return l
	}
	l.PerHour = xy / xx
	var rest float64
	for _, r := range readings {
		off := float64(value(r)) - l.Mean - l.PerHour*(r.At.Sub(first).Hours()-meanX)
		rest += off * off
	}
	l.Error = math.Sqrt(rest / (n - 2) / xx)
	return l
}

// Growth is how much the line rises from the first reading to the last, less
// what may be chance.
func (l Line) Growth() float64 {
	return math.Max(0, l.PerHour-2*l.Error) * l.Span.Hours()
}

// RSS is the memory of a reading.
func RSS(r Reading) int64 { return r.RSS }
