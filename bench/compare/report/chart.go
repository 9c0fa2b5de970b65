package report

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Measures of the chart, in pixels.
const (
	chartWidth  = 960
	labelWidth  = 410
	rightMargin = 30
	topMargin   = 72
	rowHeight   = 24
	radius      = 5
)

// Colours that hold on white and on black, also for those who see few of them;
// shapes tell the engines apart as well.
var marks = []struct{ class, shape string }{
	{"a", "circle"}, {"b", "square"}, {"c", "diamond"}, {"d", "triangle"}, {"e", "cross"}, {"f", "ring"},
}

const style = `text{font:12px system-ui,sans-serif;fill:#222}.grid{stroke:#ddd}.muted{fill:#666}
.a{fill:#0b7a5c;stroke:#0b7a5c}.b{fill:#c25e00;stroke:#c25e00}.c{fill:#2f5fb3;stroke:#2f5fb3}.d{fill:#8a3a99;stroke:#8a3a99}.e{fill:#a31f34;stroke:#a31f34}.f{fill:none;stroke:#0b7a5c}
.span{stroke:#bbb;stroke-width:2}.back{fill:#fff}
@media (prefers-color-scheme:dark){text{fill:#e6e6e6}.grid{stroke:#3a3a3a}.muted{fill:#aaa}.back{fill:#15181b}.span{stroke:#555}
.a{fill:#3ddbac;stroke:#3ddbac}.b{fill:#ff9d45;stroke:#ff9d45}.c{fill:#82aeff;stroke:#82aeff}.d{fill:#d68ae6;stroke:#d68ae6}.e{fill:#ff7d8f;stroke:#ff7d8f}.f{fill:none;stroke:#3ddbac}}`

// Chart draws the medians of all questions, on a scale of powers of ten.
func (r *Results) Chart() string {
	low, high := r.bounds()
	x := func(ms float64) float64 {
		return labelWidth + (math.Log10(ms)-low)/(high-low)*(chartWidth-labelWidth-rightMargin)
	}
	bottom := topMargin + rowHeight*len(r.Questions)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-label="How long each question takes on each engine">`+"\n",
		chartWidth, bottom+44)
	fmt.Fprintf(&b, "<style>%s</style>\n<rect class=\"back\" width=\"100%%\" height=\"100%%\"/>\n", style)
	r.legend(&b)
	for power := low; power <= high; power++ {
		at := x(math.Pow(10, power))
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>`, at, at, topMargin-10, bottom)
		fmt.Fprintf(&b, `<text class="muted" x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", at, bottom+18, tick(power))
	}
	fmt.Fprintf(&b, `<text class="muted" x="%d" y="%d" text-anchor="end">further left is better; each line is ten times the one before</text>`+"\n", chartWidth-rightMargin, bottom+36)
	for i, q := range r.Questions {
		r.row(&b, q, topMargin+rowHeight*i+rowHeight/2, x)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (r *Results) row(b *strings.Builder, q *Question, y int, x func(float64) float64) {
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%d · %s</text>`+"\n", labelWidth-14, y+4, q.Number, html.EscapeString(shorten(q.Title, 56)))
	own := Median(q.Times[Sightline])
	if _, best := q.best(); own > 0 && best > 0 {
		fmt.Fprintf(b, `<line class="span" x1="%.1f" x2="%.1f" y1="%d" y2="%[3]d"/>`+"\n", x(own), x(best), y)
	}
	for i := len(r.names()) - 1; i >= 0; i-- { // ours last, on top
		name := r.names()[i]
		if ms := Median(q.Times[name]); ms > 0 {
			fmt.Fprintf(b, "<g><title>%s: %s</title>%s</g>\n", html.EscapeString(r.title(name)), millis(ms), mark(i, x(ms), float64(y)))
		}
	}
}

func (r *Results) names() []string {
	names := []string{Sightline}
	for _, e := range r.Engines {
		names = append(names, e.Name)
	}
	if r.Copy != nil {
		names = append(names, OnClickHouse)
	}
	return names
}

func (r *Results) title(name string) string {
	for _, e := range r.Engines {
		if e.Name == name {
			return e.Title + " " + e.Version
		}
	}
	if name == OnClickHouse {
		return "Sightline on ClickHouse"
	}
	return "Sightline"
}

func (r *Results) legend(b *strings.Builder) {
	at := 20.0
	for i, name := range r.names() {
		title := r.title(name)
		fmt.Fprintf(b, `%s<text x="%.0f" y="32">%s</text>`+"\n", mark(i, at, 28), at+12, html.EscapeString(title))
		at += 36 + 6.5*float64(len(title))
	}
}

// bounds are the powers of ten around all medians.
func (r *Results) bounds() (low, high float64) {
	least, most := math.Inf(1), 0.0
	for _, q := range r.Questions {
		for _, times := range q.Times {
			if m := Median(times); m > 0 {
				least, most = min(least, m), max(most, m)
			}
		}
	}
	if most == 0 {
		return 0, 1
	}
	low, high = math.Floor(math.Log10(least)), math.Ceil(math.Log10(most))
	return low, max(high, low+1)
}

func tick(power float64) string {
	if power >= 3 {
		return fmt.Sprintf("%g s", math.Pow(10, power-3))
	}
	return fmt.Sprintf("%g ms", math.Pow(10, power))
}

func mark(i int, x, y float64) string {
	m := marks[i%len(marks)]
	switch m.shape {
	case "circle":
		return fmt.Sprintf(`<circle class="%s" cx="%.1f" cy="%.1f" r="%d"/>`, m.class, x, y, radius+1)
	case "ring":
		return fmt.Sprintf(`<circle class="%s" stroke-width="2" cx="%.1f" cy="%.1f" r="%d"/>`, m.class, x, y, radius)
	case "square":
		return fmt.Sprintf(`<rect class="%s" x="%.1f" y="%.1f" width="%d" height="%[4]d"/>`, m.class, x-4, y-4, 8)
	case "diamond":
		return fmt.Sprintf(`<path class="%s" d="M%.1f %.1fl5 5 -5 5 -5 -5z"/>`, m.class, x, y-radius)
	case "triangle":
		return fmt.Sprintf(`<path class="%s" d="M%.1f %.1fl5 9h-10z"/>`, m.class, x, y-radius)
	}
	return fmt.Sprintf(`<path class="%s" stroke-width="2.5" fill="none" d="M%.1f %.1fl8 8m0 -8l-8 8"/>`, m.class, x-4, y-4)
}

func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
