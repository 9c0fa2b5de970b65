package data

import (
	"encoding/json"
	"slices"
)

// Agency is the team whose key reaches every product.
const Agency = "agency"

type object map[string]any

// Workspace is the world's workspace file; YAML reads JSON.
func (w *World) Workspace() ([]byte, error) {
	var teams, products []object
	var managed []string
	rivalIDs := []int64{}
	for _, p := range w.Rivals {
		rivalIDs = append(rivalIDs, p.ID)
		products = append(products, describe(p))
	}
	for _, p := range w.Products {
		managed = append(managed, p.Team)
		teams = append(teams, object{"id": p.Team, "name": "Team of " + p.Name})
		o := describe(p)
		o["team"], o["competitors"] = p.Team, rivalIDs
		var websites, prompts, labels []object
		for _, s := range p.Websites {
			websites = append(websites, object{"websiteId": s.ID, "domain": s.Domain})
		}
		for _, prompt := range p.Prompts {
			prompts = append(prompts, object{"id": prompt.ID, "text": prompt.Text, "domain": prompt.Domain,
				"platforms": prompt.Platforms, "labels": slices.Concat([]int64{}, prompt.Labels)})
		}
		if p.ID == Large {
			for _, l := range Labels {
				labels = append(labels, object{"id": l.ID, "name": l.Name})
			}
			o["labels"] = labels
		}
		o["websites"], o["prompts"] = websites, prompts
		products = append(products, o)
	}
	teams = append(teams, object{"id": Agency, "name": "Agency", "manages": managed})
	return json.Marshal(object{"teams": teams, "products": products})
}

func describe(p *Product) object {
	return object{"id": p.ID, "name": p.Name, "website": "https://" + p.Domain, "domain": p.Domain}
}
