package show

import (
	"math"
	"strings"

	"github.com/sightline-hq/sightline/internal/insight"
)

var (
	eighths = []rune(" ▏▎▍▌▋▊▉")
	sparks  = []rune("▁▂▃▄▅▆▇█")
)

// noValue stands for what is not known.
const noValue = "–"

// bar draws a share of a width, to the eighth of a character. What is not zero
// is seen.
func bar(share float64, width int) string {
	steps := int(math.Round(clamp(share) * float64(width*8)))
	if steps == 0 && share > 0 {
		steps = 1
	}
	text := strings.Repeat("█", steps/8)
	if rest := steps % 8; rest > 0 {
		text += string(eighths[rest])
	}
	return text
}

// barWithin draws a share with how sure it is: full up to where the true value
// begins, in 95 of 100 cases, and shaded up to where it ends.
func barWithin(i insight.Interval, width int) string {
	full := int(math.Round(clamp(i.Low) * float64(width)))
	end := max(int(math.Round(clamp(i.High)*float64(width))), min(full+1, width))
	return strings.Repeat("█", full) + strings.Repeat("░", end-full)
}

func clamp(share float64) float64 { return max(0, min(1, share)) }

// Spark draws a series in at most a number of characters: from zero to its
// highest value. A bucket without data is a gap, which is not the same as zero.
func Spark(s Series, width int) string {
	s = squeeze(s, width)
	top := 0.0
	for _, v := range s {
		if v != nil {
			top = max(top, *v)
		}
	}
	var b strings.Builder
	for _, v := range s {
		switch {
		case v == nil:
			b.WriteByte(' ')
		case top == 0:
			b.WriteRune(sparks[0])
		default:
			b.WriteRune(sparks[int(clamp(*v/top)*float64(len(sparks)-1)+0.5)])
		}
	}
	return b.String()
}

// squeeze averages neighbours until a series fits. It is a picture: the figures
// are in the rows.
func squeeze(s Series, width int) Series {
	if len(s) <= width || width < 1 {
		return s
	}
	short := make(Series, width)
	for i := range short {
		mean, n := 0.0, 0
		for _, v := range s[i*len(s)/width : (i+1)*len(s)/width] {
			if v != nil {
				n++
				mean += (*v - mean) / float64(n) // never larger than the values
			}
		}
		if n > 0 {
			short[i] = &mean
		}
	}
	return short
}
