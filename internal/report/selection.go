package report

import (
	"fmt"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/weburl"
)

// selection is which answers a report on prompts or citations is about.
type selection struct {
	product   *catalog.Product
	domain    string
	prompts   []*catalog.Prompt
	platforms []string // empty: all
	window    window
}

func selectAnswers(primary catalog.Primary, r api.PromptsRequest) (selection, error) {
	p := primary.Product()
	s := selection{product: p, domain: weburl.BareDomain(r.Domain), platforms: r.Platforms}
	s.window.First, s.window.Last = r.Window.Seconds()
	for _, id := range r.LabelIDs {
		if !slices.ContainsFunc(p.Labels, func(l *catalog.Label) bool { return l.ID == id }) {
			return s, fmt.Errorf("%s: %d is %w", api.ParamLabelIDs, id, ErrLabel)
		}
	}
	for _, prompt := range p.Prompts {
		if prompt.Domain == s.domain && hasLabel(prompt, r.LabelIDs) {
			s.prompts = append(s.prompts, prompt)
		}
	}
	return s, nil
}

// hasLabel says whether a prompt has any of the labels; no labels ask for nothing.
func hasLabel(prompt *catalog.Prompt, ids []int64) bool {
	return len(ids) == 0 || slices.ContainsFunc(prompt.Labels, func(l *catalog.Label) bool {
		return slices.Contains(ids, l.ID)
	})
}

// empty says that no answer can be selected.
func (s selection) empty() bool { return len(s.prompts) == 0 || s.window.empty() }

// wants says whether the selection covers a platform.
func (s selection) wants(platform string) bool {
	return len(s.platforms) == 0 || slices.Contains(s.platforms, platform)
}

// query says which answers count.
func (s selection) query() facts.AnswerQuery {
	q := facts.AnswerQuery{ProductID: s.product.ID, Platforms: s.platforms, First: s.window.First, Last: s.window.Last}
	for _, prompt := range s.prompts {
		q.PromptIDs = append(q.PromptIDs, prompt.ID)
	}
	slices.Sort(q.PromptIDs)
	for _, product := range s.product.Comparison() {
		q.Products = append(q.Products, product.ID)
	}
	return q
}
