package web

import (
	"slices"

	"github.com/sightline-hq/sightline/api"
)

// citationsPage is who is cited: properties, pages or products.
type citationsPage struct {
	form  filters
	List  section
	By    api.CitationGrouping
	Rows  []citedRow
	Pager pager
	all   []citedRow
}

// citedRow is a row of any grouping.
type citedRow struct {
	Name, Domain, URL string
	Products          []api.CitationProduct
	Count, Before     int64
	Mentioned         bool
	Share             float64 // of the largest count, for the bar
}

// Change is against the period before.
func (r citedRow) Change() change { return countChange(r.Count, r.Before, false) }

func (p *citationsPage) filters() filters { return p.form }

func loadCitations(v *visit) content {
	now, before := v.citations(v.Window, v.GroupBy), v.citations(v.Before, v.GroupBy)
	chosen := v.askChoices(v.prompts(v.promptsRequest(v.Window)))
	days := v.dates(v.bothPeriods())
	v.work.Wait()
	p := &citationsPage{form: v.promptFilters(chosen), By: v.GroupBy}
	p.form.Covered = v.runsCovered(days)
	p.List = sectionOf("citations", "Citations", now, before)
	p.all = slices.DeleteFunc(citedRows(now.Value, before.Value, v.GroupBy), func(r citedRow) bool {
		return v.Mentioned == "yes" && !r.Mentioned || v.Mentioned == "no" && r.Mentioned
	})
	p.List.Empty = len(p.all) == 0
	p.Rows, p.Pager = paged(v.state, p.all)
	return p
}

// citedRows joins two periods, in the order of the first.
func citedRows(now, before api.CitationResponse, by api.CitationGrouping) []citedRow {
	rows, earlier := flat(now, by), make(map[string]int64)
	for _, r := range flat(before, by) {
		earlier[r.key()] = r.Count
	}
	var most int64
	for _, r := range rows {
		most = max(most, r.Count)
	}
	for i, r := range rows {
		rows[i].Before, rows[i].Share = earlier[r.key()], share(r.Count, most)
	}
	return rows
}

func (r citedRow) key() string { return r.Name + "\x00" + r.Domain + "\x00" + r.URL }

// flat makes one kind of row of the three groupings.
func flat(c api.CitationResponse, by api.CitationGrouping) (rows []citedRow) {
	switch by {
	case api.GroupPage:
		for _, r := range c.ByPage {
			rows = append(rows, citedRow{Domain: r.Domain, URL: r.URL, Products: r.Products, Count: r.Count, Mentioned: r.IsMentioned})
		}
	case api.GroupProduct:
		for _, r := range c.ByProduct {
			rows = append(rows, citedRow{Name: r.Name, Domain: r.Domain, Count: r.Count, Mentioned: r.IsMentioned})
		}
	default:
		for _, r := range c.ByProperty {
			rows = append(rows, citedRow{Domain: r.Domain, Products: r.Products, Count: r.Count, Mentioned: r.IsMentioned})
		}
	}
	return rows
}
