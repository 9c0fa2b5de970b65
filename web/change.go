package web

import (
	"fmt"
	"math"

	"github.com/sightline-hq/sightline/internal/insight"
)

// change is a figure against the period before, in words: an arrow and a
// colour alone would leave people out.
type change struct{ Arrow, Text, Tone string }

// Tones of a change.
const (
	better = "better"
	worse  = "worse"
	even   = "even"
)

var unknown = change{"", "nothing to compare with", even}

func changed(d float64, more, less string, toneMore, toneLess string) change {
	switch {
	case d > 0:
		return change{"▲", more, toneMore}
	case d < 0:
		return change{"▼", less, toneLess}
	}
	return change{"=", "as before", even}
}

// hardly is a change that rounds to nothing: not none, or two figures that differ
// would stand beside "as before".
var hardly = change{"≈", "hardly changed", even}

// visibilityChange is in points, and says whether chance alone explains it.
func visibilityChange(now, before standing) change {
	if now.Visibility == nil || before.Visibility == nil {
		return unknown
	}
	points := insight.InPoints(*insight.Difference(now.Visibility, before.Visibility))
	if points == 0 && *now.Visibility != *before.Visibility {
		return hardly
	}
	text := fmt.Sprintf("%.1f points ", math.Abs(points))
	c := changed(points, text+"more", text+"less", better, worse)
	if i := insight.WilsonChange(now.Visibility, now.Runs, before.Visibility, before.Runs); i != nil && i.Contains(0) && points != 0 {
		c.Text, c.Tone = c.Text+", may be chance", even
	}
	return c
}

// placesChange is for positions and ranks, of which the smaller is the better.
func placesChange(now, before *float64, digits int) change {
	if now == nil || before == nil {
		return unknown
	}
	scale := math.Pow10(digits)
	places := math.Round(*insight.Gain(now, before)*scale) / scale
	if places == 0 && *now != *before {
		return hardly
	}
	unit := " places "
	if math.Abs(places) == 1 && digits == 0 {
		unit = " place "
	}
	text := fmt.Sprintf("%.*f%s", digits, math.Abs(places), unit)
	// Nobody says how sure a position is; less than a tenth of a place is no news.
	if math.Abs(places) < 0.1 {
		return changed(places, text+"higher up", text+"further down", even, even)
	}
	return changed(places, text+"higher up", text+"further down", better, worse)
}

// countChange is in per cent. More agents are neither good nor bad; more people
// are good, unless chance alone explains them.
func countChange(now, before int64, isGood bool) change {
	toneMore, toneLess := even, even
	if isGood {
		toneMore, toneLess = better, worse
	}
	g := insight.Growth(&now, &before)
	if g == nil {
		if now == 0 {
			return change{"=", "none before either", even}
		}
		return change{"▲", "none before", toneMore}
	}
	percent := math.Round(*g * 1000)
	text := fmt.Sprintf("%.1f %% ", math.Abs(percent)/10)
	c := changed(percent, text+"more", text+"less", toneMore, toneLess)
	if insight.MayBeChance(now, before) && percent != 0 {
		c.Text, c.Tone = c.Text+", may be chance", even
	}
	return c
}

func asFloat(n *int64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}
