package report

import (
	"fmt"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
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

// wants says whether the selection covers a platform.
func (s selection) wants(platform string) bool {
	return len(s.platforms) == 0 || slices.Contains(s.platforms, platform)
}

// plan is the part of a plan that says which rows count.
func (s selection) plan() answerPlan {
	p := answerPlan{window: s.window, Platforms: s.platforms}
	for _, prompt := range s.prompts {
		p.PromptIDs = append(p.PromptIDs, prompt.ID)
	}
	slices.Sort(p.PromptIDs)
	for _, product := range s.product.Comparison() {
		p.ProductIDs = append(p.ProductIDs, product.ID)
	}
	return p
}
