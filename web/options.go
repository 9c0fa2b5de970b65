package web

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/sightline-hq/sightline/api"
)

// choices are what the forms of the prompt pages offer: they come from the
// whole period, or a filter would hide the other choices.
type choices struct {
	rows  *part[[]api.PromptMetric]
	sites *part[[]api.Website]
}

// askChoices reuses the page's own rows if nothing narrows them.
func (v *visit) askChoices(rows *part[[]api.PromptMetric]) choices {
	if v.filtered() {
		rows = v.prompts(api.PromptsRequest{Domain: v.Domain, Window: v.Window})
	}
	return choices{rows, v.websites()}
}

func (v *visit) promptFilters(c choices) filters {
	platforms, labels := make(map[string]string), make(map[string]string)
	for _, r := range c.rows.Value {
		platforms[r.Platform] = platformName(r.Platform)
		for _, l := range r.Labels {
			labels[strconv.FormatInt(l.ID, 10)] = l.Name
		}
	}
	return filters{
		About:   v.Domain,
		Domains: v.domains(c.sites.Value),
		Groups: []group{
			{"platform", "Platforms", options(platforms, v.values["platform"])},
			{"label", "Labels", options(labels, v.values["label"])},
		},
	}
}

// domains are those that prompts may be tracked for.
func (v *visit) domains(sites []api.Website) []option {
	seen := []string{v.product.Domain}
	for _, w := range slices.Concat(sites, v.product.PartnerWebsites) {
		seen = append(seen, w.Domain)
	}
	return oneOf(append(seen, v.Domain), v.Domain)
}

// oneOf lists values once each, in their order.
func oneOf(values []string, chosen string) (all []option) {
	for i, v := range values {
		if slices.Index(values, v) == i {
			all = append(all, option{v, v, v == chosen})
		}
	}
	return all
}

// options sorts by what people read. What was chosen is offered even if there
// is nothing of it: it must be possible to undo.
func options(names map[string]string, chosen []string) (all []option) {
	for _, c := range chosen {
		if _, ok := names[c]; !ok {
			names[c] = c
		}
	}
	for value, label := range names {
		all = append(all, option{value, label, slices.Contains(chosen, value)})
	}
	slices.SortFunc(all, func(a, b option) int { return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Value, b.Value)) })
	return all
}
