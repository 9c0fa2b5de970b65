package oracle

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// open authorizes a prompt or citation report and checks its labels. A caller
// without access is told so before any label is looked at.
func (w *World) open(teamID string, productID int64, r api.PromptsRequest) (Product, int) {
	p, status := w.authorize(teamID, productID)
	if status != http.StatusOK {
		return p, status
	}
	for _, id := range r.LabelIDs {
		if !p.hasLabel(id) {
			return p, http.StatusBadRequest
		}
	}
	return p, http.StatusOK
}

func (p Product) hasLabel(id int64) bool {
	return slices.ContainsFunc(p.Labels, func(l Label) bool { return l.ID == id })
}

// selectedPrompts are the product's prompts for the domain (S5) that carry any
// of the labels (S6).
func selectedPrompts(p Product, r api.PromptsRequest) (selected []Prompt) {
	for _, prompt := range p.Prompts {
		if bareDomain(prompt.Domain) != bareDomain(r.Domain) {
			continue
		}
		labelled := len(r.LabelIDs) == 0
		for _, id := range prompt.Labels {
			labelled = labelled || slices.Contains(r.LabelIDs, id)
		}
		if labelled {
			selected = append(selected, prompt)
		}
	}
	return selected
}

// runs are the answers of the prompts inside the window on the platforms asked for.
func (w *World) runs(prompts []Prompt, r api.PromptsRequest) (runs []Answer) {
	for _, a := range w.loadedAnswers() {
		ofPrompt := slices.ContainsFunc(prompts, func(p Prompt) bool { return p.ID == a.PromptID })
		if ofPrompt && inside(a.At.Time, r.Window) && platformWanted(a.Platform, r.Platforms) {
			runs = append(runs, a)
		}
	}
	return runs
}

// inside takes both ends in (S2). Fractions of the window are not rounded away.
func inside(t time.Time, window api.Window) bool {
	return !t.Before(window.From) && !t.After(window.To)
}

func platformWanted(platform string, wanted []string) bool {
	return len(wanted) == 0 || slices.Contains(wanted, platform)
}

// bareDomain is the form in which domains are compared.
func bareDomain(domain string) string {
	domain = strings.TrimSuffix(strings.ToLower(domain), ".")
	return strings.TrimPrefix(domain, "www.")
}
