package packed

import (
	"fmt"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Damaged texts are errors or counts, never a crash, a hang or much memory.
func FuzzDamage(f *testing.F) {
	w := NewWriter(product, week)
	for i := range int64(20) {
		w.Add(&facts.Answer{ProductID: product, PromptID: i / 5, PromptKind: fmt.Sprint(i / 10), Second: week + i, Platform: "openai",
			Mentions:  []facts.Mention{{ProductID: product, Position: 1 + i%2}, {ProductID: 8, Position: 9}},
			Citations: []facts.Citation{{Domain: "a.example", URL: fmt.Sprint("https://a.example/", i%3)}}})
	}
	p := w.Take()
	k := p.Kinds[0]
	f.Add(k.Mentions, k.Citations, p.Domains, p.URLs, asFirst(p).Pages, w.Directory())
	f.Fuzz(func(t *testing.T, mentions, citations, domains, urls, pages, directory []byte) {
		q := facts.AnswerQuery{ProductID: product, PromptIDs: []int64{0, 1, 2, 3}, Products: []int64{product, 8}, First: week, Last: week + 15}
		d, _ := ReadDirectory(directory)
		for _, by := range groupings {
			counted := NewTallies(q, by)
			counted.Answers(week, mentions, q.First, q.Last)
			counted.Totals(directory, q.First, q.Last) // what it was in the first generation
			for _, k := range d.Kinds {
				counted.Totals(k.Totals, q.First, q.Last)
			}
		}
		kinds := []Texts{{Mentions: mentions, Citations: citations}, {Mentions: mentions, Citations: citations}}
		for _, s := range []Sources{{Domains: domains, URLs: urls}, {Pages: pages}} {
			for _, withPages := range []bool{true, false} {
				counted := NewCitations(q, withPages)
				counted.Answers(week, Part{kinds, s}, q.First, q.Last)
				counted.All()
			}
		}
	})
}

func TestATextThatWasCutIsAnError(t *testing.T) {
	w := NewWriter(product, week)
	w.Add(&facts.Answer{ProductID: product, PromptID: 1, Second: week, Platform: "openai",
		Mentions:  []facts.Mention{{ProductID: product, Position: 1}},
		Citations: []facts.Citation{{Domain: "a.example", URL: "https://a.example/"}}})
	p := w.Take()
	k, pages := p.Kinds[0], asFirst(p).Pages
	q := facts.AnswerQuery{ProductID: product, PromptIDs: []int64{1}, Products: []int64{product}, First: week, Last: week}
	cited := func(k Texts, s Sources, pages bool) error {
		return NewCitations(q, pages).Answers(week, Part{[]Texts{k}, s}, q.First, q.Last)
	}
	totals := func(text []byte) error {
		_, _, err := NewTallies(q, facts.Together).Totals(text, q.First, q.Last)
		return err
	}
	d, err := ReadDirectory(w.Directory())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text []byte
		read func(text []byte) error
	}{
		"mentions":     {k.Mentions, func(b []byte) error { return NewTallies(q, facts.Together).Answers(week, b, q.First, q.Last) }},
		"citations":    {k.Citations, func(b []byte) error { return cited(Texts{Mentions: k.Mentions, Citations: b}, p.Sources, true) }},
		"domains":      {p.Domains, func(b []byte) error { return cited(k, Sources{Domains: b, URLs: p.URLs}, true) }},
		"only domains": {p.Domains, func(b []byte) error { return cited(k, Sources{Domains: b}, false) }},
		"URLs":         {p.URLs, func(b []byte) error { return cited(k, Sources{Domains: p.Domains, URLs: b}, true) }},
		"pages":        {pages, func(b []byte) error { return cited(k, Sources{Pages: b}, true) }},
		"directory":    {w.Directory(), func(b []byte) error { _, err := ReadDirectory(b); return err }},
		"totals":       {d.Kinds[0].Totals, totals},
	} {
		if err := c.read(c.text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := range c.text {
			if c.read(c.text[:n:n]) == nil {
				t.Errorf("the first %d of %d bytes were taken for all %s", n, len(c.text), name)
			}
		}
	}
}
