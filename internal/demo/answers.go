package demo

import (
	"io"
	"math/rand/v2"
	"slices"
	"time"
)

// Answers writes the AI answers with from < at <= to as NDJSON and returns their
// number. Each prompt runs once or twice a day on each of its platforms.
func Answers(w io.Writer, from, to time.Time) (n int, err error) {
	return write(w, from, to, demoWorld().answers, appendAnswer)
}

// Shares of answers.
const (
	asText   = 0.03 // have their text in place of mentions
	runTwice = 0.30
)

type answer struct {
	at        int
	prompt    *prompt
	platform  string
	run       int
	mentions  []int64 // products in order of mention
	citations []string
	text      string // in place of mentions and citations
}

func (a answer) second() int { return a.at }

func (w *world) answers(list []answer, d day) []answer {
	r := d.rand("answers")
	for _, p := range w.Products {
		for _, q := range p.Prompts {
			for _, platform := range q.Platforms {
				runs := 1
				if r.Float64() < runTwice {
					runs = 2
				}
				for run := 1; run <= runs; run++ {
					// In the morning, and again in the afternoon.
					at := (11*run-9)*3600 + r.IntN(6*3600)
					a := answer{at: at, prompt: q, platform: platform, run: run}
					w.compose(&a, p, d, r)
					list = append(list, a)
				}
			}
		}
	}
	return list
}

// compose decides what an answer says.
func (w *world) compose(a *answer, p *product, d day, r *rand.Rand) {
	a.mentions = mentions(a.prompt, a.platform, d, r)
	written := r.Float64() < asText
	a.citations = cite(p.pages, a.mentions, a.platform, written, r)
	if written {
		a.text = w.text(a, r)
	}
}

// mentions picks the products of an answer and their order. Products that are
// strong are mentioned early, those that the prompt names earlier still.
func mentions(q *prompt, platform string, d day, r *rand.Rand) (ids []int64) {
	type place struct {
		id    int64
		score float64
	}
	var places []place
	for _, c := range q.contenders {
		v := visibility(c, q, platform, d)
		chance, luck := r.Float64(), r.NormFloat64()
		if chance < v {
			places = append(places, place{c.ID, v + 0.3*luck})
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.score > b.score {
			return -1
		}
		return 1
	})
	for _, p := range places {
		ids = append(ids, p.id)
	}
	return ids
}

func appendAnswer(b []byte, date string, a *answer) []byte {
	b = append(b, `{"id":"demo-`...)
	b = append(appendInt(b, a.prompt.ID), '-')
	b = append(append(b, a.platform...), '-')
	b = append(append(b, date...), '-')
	b = append(appendInt(b, int64(a.run)), `","promptId":`...)
	b = append(appendInt(b, a.prompt.ID), `,"platform":"`...)
	b = append(append(b, a.platform...), `","at":`...)
	b = appendTime(b, date, a.at)
	if a.text != "" {
		b = append(b, `,"text":`...)
		return append(appendString(b, a.text), '}')
	}
	b = append(b, `,"mentions":[`...)
	for i, id := range a.mentions {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(append(b, `{"productId":`...), id)
		b = append(appendInt(append(b, `,"position":`...), int64(i+1)), '}')
	}
	b = append(b, `],"citations":[`...)
	for i, url := range a.citations {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, url)
	}
	return append(b, `]}`...)
}
