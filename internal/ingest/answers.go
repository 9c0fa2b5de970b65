package ingest

import (
	"fmt"
	"sync"

	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/mention"
	"github.com/sightline-hq/sightline/internal/weburl"
)

// answerLine is a line of answers as it is sent.
type answerLine struct {
	ID       string  `json:"id"`
	PromptID *int64  `json:"promptId"`
	Platform string  `json:"platform"`
	At       string  `json:"at"`
	Text     *string `json:"text"`
	Mentions *[]struct {
		ProductID *int64 `json:"productId"`
		Position  *int64 `json:"position"`
	} `json:"mentions"`
	Citations *[]string `json:"citations"`
}

// answers parses lines of AI answers.
type answers struct {
	objects
	catalog     *catalog.Snapshot
	comparisons sync.Map // by product id, made when first needed
	kinds       sync.Map // by prompt, likewise
}

// comparison is a product and its competitors, as its answers need them.
type comparison struct {
	ids    map[int64]bool
	finder func() *mention.Finder // made when the first text comes
}

// kind is a name for the prompts that reports take together: those of a domain
// and with the same labels.
func (a *answers) kind(p *catalog.Prompt) string {
	if kind, ok := a.kinds.Load(p); ok {
		return kind.(string)
	}
	kind := p.Domain
	for _, l := range p.Labels {
		kind += fmt.Sprint(" ", l.ID)
	}
	a.kinds.Store(p, kind)
	return kind
}

func newAnswers(c *catalog.Snapshot) *answers { return &answers{catalog: c} }

func (a *answers) read(text []byte, _ *desk, r *results) {
	var l answerLine
	if why := decode(text, &l); why != nil {
		r.refuse(why)
		return
	}
	a.take(&l, r)
}

// take checks an answer and finds what is in it.
func (a *answers) take(l *answerLine, r *results) {
	answer := &facts.Answer{ID: l.ID, Platform: l.Platform}
	prompt, why := a.fill(answer, l)
	if why == nil {
		answer.Mentions, why = a.mentions(l, prompt.Product)
	}
	if why == nil {
		answer.Citations, why = citations(l)
	}
	if why != nil {
		r.refuse(why)
		return
	}
	r.answers = append(r.answers, answer)
}

// fill checks the plain fields.
func (a *answers) fill(answer *facts.Answer, l *answerLine) (prompt *catalog.Prompt, r *rejection) {
	switch {
	case l.ID == "":
		return nil, &rejection{missingField, "id"}
	case l.PromptID == nil:
		return nil, &rejection{missingField, "promptId"}
	case l.Platform == "":
		return nil, &rejection{missingField, "platform"}
	case l.Text == nil && l.Mentions == nil:
		return nil, &rejection{missingField, "mentions, or text to find them in"}
	}
	if answer.Second, r = second(l.At); r != nil {
		return nil, r
	}
	if r = name("id", l.ID, maxIDBytes); r != nil {
		return nil, r
	}
	if r = name("platform", l.Platform, maxNameBytes); r != nil {
		return nil, r
	}
	prompt, ok := a.catalog.Prompt(*l.PromptID)
	if !ok {
		return nil, &rejection{unknownPrompt, fmt.Sprintf("promptId %d is not in the workspace: run sightline apply first", *l.PromptID)}
	}
	answer.ProductID, answer.PromptID, answer.PromptKind = prompt.Product.ID, prompt.ID, a.kind(prompt)
	return prompt, nil
}

// mentions takes the given ones, or finds them in the text.
func (a *answers) mentions(l *answerLine, product *catalog.Product) (mentions []facts.Mention, r *rejection) {
	compared := a.comparison(product)
	if l.Mentions == nil {
		for _, m := range compared.finder().Find(*l.Text) {
			mentions = append(mentions, facts.Mention{ProductID: m.ProductID, Position: int64(m.Position)})
		}
		return mentions, nil
	}
	seen := make(map[int64]bool)
	for _, m := range *l.Mentions {
		switch {
		case m.ProductID == nil:
			return nil, &rejection{badMention, "without productId"}
		case m.Position == nil:
			return nil, &rejection{badMention, "without position"}
		case !compared.ids[*m.ProductID]:
			return nil, &rejection{badMention, fmt.Sprintf("product %d is neither product %d nor one of its competitors", *m.ProductID, product.ID)}
		case seen[*m.ProductID]:
			return nil, &rejection{badMention, fmt.Sprintf("product %d twice", *m.ProductID)}
		case *m.Position < 1 || *m.Position > maxPosition:
			return nil, &rejection{badMention, fmt.Sprintf("position %d: places go from 1 to %d", *m.Position, maxPosition)}
		}
		seen[*m.ProductID] = true
		mentions = append(mentions, facts.Mention{ProductID: *m.ProductID, Position: *m.Position})
	}
	return mentions, nil
}

func (a *answers) comparison(product *catalog.Product) *comparison {
	if c, ok := a.comparisons.Load(product.ID); ok {
		return c.(*comparison)
	}
	c := &comparison{ids: make(map[int64]bool)}
	var products []mention.Product
	for _, p := range product.Comparison() {
		c.ids[p.ID] = true
		products = append(products, mention.Product{ID: p.ID, Names: append([]string{p.Name}, p.Names...), Domain: p.Domain})
	}
	c.finder = sync.OnceValue(func() *mention.Finder { return mention.NewFinder(products) })
	stored, _ := a.comparisons.LoadOrStore(product.ID, c)
	return stored.(*comparison)
}

// citations takes the given URLs, or those of the text, each once.
func citations(l *answerLine) (citations []facts.Citation, r *rejection) {
	seen := make(map[string]bool)
	add := func(raw string) error {
		url, domain, err := weburl.Canonical(raw)
		if err == nil && !seen[url] {
			seen[url] = true
			citations = append(citations, facts.Citation{URL: url, Domain: domain})
		}
		return err
	}
	if l.Citations == nil {
		if l.Text != nil {
			for _, raw := range mention.URLs(*l.Text) {
				add(raw) // what merely looks like a URL is no citation
			}
		}
		return citations, nil
	}
	for _, raw := range *l.Citations {
		if err := add(raw); err != nil {
			return nil, &rejection{badCitation, shorten(raw) + ": " + err.Error()}
		}
	}
	return citations, nil
}

// shorten keeps a value readable in a message.
func shorten(s string) string {
	const limit = 80
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}
