package demo

import "math"

// strengths are the shares of answers that mention a product, before trends.
var strengths = map[int64]float64{
	101: 0.46, 102: 0.38, 103: 0.50,
	201: 0.62, 202: 0.41, 203: 0.35, 204: 0.20,
	205: 0.58, 206: 0.36, 207: 0.60, 208: 0.33,
}

// platforms are the platforms of the demo, with how readily each names products.
var platforms = []struct {
	name  string
	names float64
}{
	{"openai", 1.0}, {"gemini", 0.92}, {"google_ai_overviews", 0.80},
	{"perplexity", 1.08}, {"claude", 0.97}, {"google", 0.72},
}

// visibility is the chance that an answer mentions a contender.
func visibility(c contender, q *prompt, platform string, d day) float64 {
	if c.named {
		return 0.96
	}
	on := key(platform)
	v := strengths[c.ID]
	for _, p := range platforms {
		if p.name == platform {
			v *= p.names
		}
	}
	v += 0.08*swing(c.ID, on) + 0.12*swing(c.ID, q.ID)
	v += 0.10*drift(d, 28, c.ID, on) + 0.04*drift(d, 7, c.ID, on)
	v += 0.03 * math.Sin(2*math.Pi*float64(d.weekday())/7)
	return clamp(v+launch(c.product, platform, d), 0.02, 0.96)
}

// A team's product has a launch every eight weeks, each time noticed by another
// platform at first, so that every chart of a quarter has something to see.
const (
	launchEvery = 56 // days
	launchLift  = 0.32
)

func launch(p *product, platform string, d day) float64 {
	if p.Team == "" {
		return 0
	}
	number, since := divide(int64(d)+p.ID*19, launchEvery)
	_, noticed := divide(number+p.ID, int64(len(platforms)))
	if platforms[noticed].name != platform {
		return 0
	}
	return launchLift * (1 - float64(since)/launchEvery)
}
