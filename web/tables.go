package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// The tables of each page, as files. Headers are the contract's names where the
// contract has one.

func (p *overviewPage) tables() []table {
	daily := table{section: p.Trend, Header: []string{"date", "platform", "domain", "visibility", "position", "rank"}}
	for _, d := range p.daily {
		daily.Rows = append(daily.Rows, []string{d.Date, d.Platform, d.Domain, float(d.Visibility), float(d.Position), integer(d.Rank)})
	}
	return []table{daily, promptTable(p.Moves, p.Movers), citedNow(p.Cites, p.Top), chartTable(p.Visits, p.Traffic.Agents)}
}

func (p *promptsPage) tables() []table { return []table{promptTable(p.List, p.all)} }

func promptTable(s section, rows []promptRow) table {
	t := table{section: s, Header: []string{"promptText", "platform", "labels", "visibility", "visibilityLow", "visibilityHigh",
		"visibilityBefore", "position", "rank", "rankWorst", "runCount", "runCountBefore"}}
	for _, r := range rows {
		t.Rows = append(t.Rows, r.record())
	}
	return t
}

func (p *promptPage) tables() []table {
	list := promptTable(p.List, p.Rows)
	steps := table{section: p.Trend, Header: []string{"dateFrom", "dateTo", "visibility", "visibilityLow", "visibilityHigh", "position", "runCount"}}
	for _, s := range p.Steps {
		low, high := s.Now.bounds()
		steps.Rows = append(steps.Rows, []string{api.FormatTime(s.Window.From.Unix()), api.FormatTime(s.Window.To.Unix()),
			float(s.Now.Visibility), low, high, float(s.Now.Position), integer(s.Now.Runs)})
	}
	return []table{list, steps}
}

func (p *citationsPage) tables() []table { return []table{citedTable(p.List, p.all)} }

func (p *trafficPage) tables() []table {
	people := chartTable(p.ByPerson, p.People)
	return []table{chartTable(p.ByAgent, p.Agents), visitTable(p.under("platforms", p.ByAgent), "platform", p.AgentRows),
		visitTable(p.ByType, "botType", p.TypeRows), pageTable(p.ByPage, p.pages), people,
		visitTable(p.under("senders", p.ByPerson), "platform", p.Humans), pageTable(p.under("landings", p.ByPerson), p.landed)}
}

// under is a further table of a section.
func (p *trafficPage) under(id string, s section) section { return section{ID: id, Trouble: s.Trouble} }

func (r promptRow) record() []string {
	names := make([]string, len(r.Labels))
	for i, l := range r.Labels {
		names[i] = l.Name
	}
	low, high := r.Now.bounds()
	return []string{r.Text, r.Platform, strings.Join(names, "; "), float(r.Now.Visibility), low, high, float(r.Before.Visibility),
		float(r.Now.Position), integer(r.Now.Best), integer(r.Now.Worst), integer(r.Now.Runs), integer(r.Before.Runs)}
}

func (s standing) bounds() (low, high string) {
	if i := s.Interval(); i != nil {
		return float(&i.Low), float(&i.High)
	}
	return "", ""
}

func citedTable(s section, rows []citedRow) table {
	t := table{section: s, Header: []string{"name", "domain", "url", "count", "countBefore", "isMentioned", "products"}}
	for _, r := range rows {
		names := make([]string, len(r.Products))
		for i, p := range r.Products {
			names[i] = p.Name
		}
		t.Rows = append(t.Rows, []string{r.Name, r.Domain, r.URL, strconv.FormatInt(r.Count, 10), strconv.FormatInt(r.Before, 10), strconv.FormatBool(r.Mentioned), strings.Join(names, "; ")})
	}
	return t
}

// citedNow is without the period before, which the overview does not ask for.
func citedNow(s section, rows []citedRow) table {
	t := citedTable(s, rows)
	const before = 4
	t.Header = slices.Delete(t.Header, before, before+1)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Delete(row, before, before+1)
	}
	return t
}

func visitTable(s section, key string, rows []visitRow) table {
	t := table{section: s, Header: []string{key, "visits", "visitsBefore"}}
	for _, r := range rows {
		t.Rows = append(t.Rows, []string{r.Key, strconv.FormatInt(r.Count, 10), strconv.FormatInt(r.Before, 10)})
	}
	return t
}

func pageTable(s section, rows []visitRow) table {
	t := table{section: s, Header: []string{"normalizedUrlPath", "visits"}}
	for _, r := range rows {
		t.Rows = append(t.Rows, []string{r.Key, strconv.FormatInt(r.Count, 10)})
	}
	return t
}

// chartTable has a column for each platform.
func chartTable(s section, c chart) table {
	t := table{section: s, Header: []string{"date"}}
	for _, col := range c.Columns {
		t.Header = append(t.Header, col.Key)
	}
	for _, r := range c.Rows {
		row := []string{r.Date()}
		for _, v := range r.Cells {
			row = append(row, float(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func float(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

func integer(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}
