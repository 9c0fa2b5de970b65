package show

import (
	"fmt"
	"iter"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

// Products is the list of products.
func Products(products []api.Product) Table {
	return Table{
		Columns: []Column{
			{Name: "id", Title: "ID", Unit: ID, Key: true},
			{Name: "name", Title: "NAME"},
			{Name: "domain", Title: "DOMAIN"},
			{Name: "website", Title: "WEBSITE", Unit: Address, Drop: 1},
			{Name: "partnerWebsites", Title: "PARTNER WEBSITES", Unit: Listing, Drop: 2},
		},
		Rows: rowsOf(products, func(p api.Product) Row {
			partners := Names{Things: p.PartnerWebsites}
			for _, w := range p.PartnerWebsites {
				partners.Names = append(partners.Names, w.Domain)
			}
			return Row{p.ID, p.Name, p.Domain, p.Website, partners}
		}),
	}
}

// Websites is the list of a product's websites.
func Websites(websites []api.Website) Table {
	return Table{
		Columns: []Column{{Name: "websiteId", Title: "WEBSITE ID", Key: true}, {Name: "domain", Title: "DOMAIN"}},
		Rows:    rowsOf(websites, func(w api.Website) Row { return Row{w.WebsiteID, w.Domain} }),
	}
}

// Columns that several reports have.
var (
	platform   = Column{Name: "platform", Title: "PLATFORM", Key: true}
	domain     = Column{Name: "domain", Key: true}
	visibility = Column{Name: "visibility", Title: "VISIBILITY", Unit: Share, Change: ChangePoints, Bar: true}
	certainty  = Column{Name: "visibility", Title: "95 % RANGE", Unit: Range, Drop: 4}
	position   = Column{Name: "position", Title: "POSITION", Unit: Decimal, Change: ChangePlaces}
	rank       = Column{Name: "rank", Title: "RANK", Unit: Count, Change: ChangePlaces}
	runCount   = Column{Name: "runCount", Title: "RUNS", Unit: Count, Change: ChangeGrowth, Drop: 3}
)

// in is a visibility with the column that says in how many runs it was seen.
func (c Column) in(runs Column) Column {
	c.Runs = runs.Name
	return c
}

// Prompts is a row for each prompt and platform.
func Prompts(prompts []api.PromptMetric) Table {
	return Table{
		Columns: []Column{
			{Name: "promptText", Title: "PROMPT", Key: true, Head: true}, platform, domain,
			visibility.in(runCount), certainty, position, rank, runCount,
			{Name: "labels", Title: "LABELS", Unit: Listing, Head: true},
		},
		Rows: rowsOf(prompts, func(p api.PromptMetric) Row {
			labels := Names{Things: p.Labels}
			for _, l := range p.Labels {
				labels.Names = append(labels.Names, fmt.Sprintf("%s (%d)", l.Name, l.ID))
			}
			return Row{
				p.PromptText, p.Platform, p.Domain, value(p.Visibility), interval(p.Visibility, p.RunCount),
				value(p.Position), value(p.Rank), value(p.RunCount), labels,
			}
		}),
	}
}

// interval is nil for a table, not a pointer that is nil.
func interval(visibility *float64, runs *int64) any {
	if i := insight.Wilson(visibility, runs); i != nil {
		return i
	}
	return nil
}

// Runs is how many runs there are over all prompts: the contract's summary does
// not say, and its visibility is over all of them.
func Runs(prompts []api.PromptMetric) *int64 {
	var sum int64
	for _, p := range prompts {
		if p.RunCount != nil {
			sum += *p.RunCount
		}
	}
	if sum == 0 {
		return nil
	}
	return &sum
}

// Summary is all prompts in one row.
func Summary(s api.PromptSummary, runs *int64) Table {
	return Table{
		Single: true,
		Columns: []Column{
			visibility.in(runCount), certainty, position, rank,
			{Name: "totalCompetitors", Title: "COMPETITORS", Unit: Count, Change: ChangeGrowth}, runCount,
		},
		Rows: rowsOf([]api.PromptSummary{s}, func(s api.PromptSummary) Row {
			return Row{
				value(s.Visibility), interval(s.Visibility, runs), value(s.Position), value(s.Rank), s.TotalCompetitors, value(runs),
			}
		}),
	}
}

// Dates is a row for each day and platform. The contract does not say how many
// runs a day had, so there is nothing to be sure of.
func Dates(dates []api.DailyPromptMetric) Table {
	return Table{
		Columns: []Column{{Name: "date", Title: "DATE", Unit: Moment, Key: true}, platform, domain, visibility, position, rank},
		Rows: rowsOf(dates, func(d api.DailyPromptMetric) Row {
			return Row{d.Date, d.Platform, d.Domain, value(d.Visibility), value(d.Position), value(d.Rank)}
		}),
	}
}

// Timeseries is the traffic, with the dimensions and metrics that were asked for.
func Timeseries(r api.TimeseriesRequest, items iter.Seq2[api.TimeseriesItem, error]) Table {
	title := "DAY"
	if r.Interval == api.Week {
		title = "WEEK"
	}
	t := Table{Columns: []Column{{Name: "timestamp", Title: title, Unit: Moment, Key: true}}}
	cells := []func(api.TimeseriesItem) any{func(i api.TimeseriesItem) any { return i.Timestamp }}
	for _, d := range r.GroupBy {
		column, cell := dimension(d)
		t.Columns, cells = append(t.Columns, column), append(cells, cell)
	}
	for n, m := range r.Metrics {
		column, cell := metric(m)
		column.Bar = n == 0
		t.Columns, cells = append(t.Columns, column), append(cells, cell)
	}
	t.Rows = func(yield func(Row, error) bool) {
		for item, err := range items {
			row := make(Row, len(cells))
			for i, cell := range cells {
				row[i] = cell(item)
			}
			if !yield(row, err) {
				return
			}
		}
	}
	return t
}
