package demo

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The sentences of written answers. They contain no product's name.
var (
	openings = []string{
		"Here are the options that come up most often:",
		"It depends on what you need, but these stand out:",
		"Based on recent reviews and forum threads:",
	}
	praises = []string{
		"a safe choice with few surprises",
		"good value, and support answers quickly",
		"strong on details, slower to set up",
		"popular with smaller groups",
		"worth a look if price matters most",
	}
	nobody = "There is no clear winner here. Compare prices, read the terms and try before you buy."
)

// text writes an answer as a platform would, products in order and sources last.
func (w *world) text(a *answer, r *rand.Rand) string {
	var b strings.Builder
	if len(a.mentions) == 0 {
		b.WriteString(nobody)
	} else {
		b.WriteString(openings[r.IntN(len(openings))])
		b.WriteString("\n\n")
	}
	for i, id := range a.mentions {
		p := w.byID[id]
		name := p.Name
		if len(p.Names) > 0 && r.IntN(3) == 0 {
			name = p.Names[0]
		}
		fmt.Fprintf(&b, "%d. **%s** – %s.\n", i+1, name, praises[r.IntN(len(praises))])
	}
	style := r.IntN(3)
	for i, url := range a.citations {
		switch style {
		case 0:
			fmt.Fprintf(&b, "\n[%d]: %s", i+1, url)
		case 1:
			fmt.Fprintf(&b, "\n- [Source %d](%s)", i+1, url)
		default:
			fmt.Fprintf(&b, "\nSee %s.", url)
		}
	}
	return b.String()
}
