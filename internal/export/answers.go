package export

import (
	"fmt"
	"reflect"

	"github.com/sightline-hq/sightline/api"
)

// Of is an answer of the API as a table: its list, or itself as the only row. A
// timeseries has columns of its own, see [Timeseries].
func Of(answer any) Table {
	switch a := answer.(type) {
	case []api.Product:
		return list(a)
	case []api.Website:
		return list(a)
	case []api.PromptMetric:
		return list(a)
	case []api.DailyPromptMetric:
		return list(a)
	case api.PromptSummary:
		return list([]api.PromptSummary{a})
	case api.CitationResponse:
		return citations(a)
	}
	panic(fmt.Sprintf("export: no table for %T", answer))
}

// citations are the list that was asked for. All three are one, with a column
// that says which list a row is of.
func citations(a api.CitationResponse) Table {
	switch {
	case a.ByProperty != nil && a.ByPage != nil && a.ByProduct != nil:
		return list(allCitations(a))
	case a.ByProperty != nil:
		return list(a.ByProperty)
	case a.ByPage != nil:
		return list(a.ByPage)
	}
	return list(a.ByProduct)
}

// allCitations puts the three lists one behind the other, as the JSON has them.
func allCitations(a api.CitationResponse) []api.CitationRow {
	rows := make([]api.CitationRow, 0, len(a.ByProperty)+len(a.ByPage)+len(a.ByProduct))
	for _, r := range a.ByProperty {
		rows = append(rows, api.CitationRow{GroupBy: "byProperty", Domain: r.Domain, Products: &r.Products, Count: r.Count, IsMentioned: r.IsMentioned})
	}
	for _, r := range a.ByPage {
		rows = append(rows, api.CitationRow{GroupBy: "byPage", Domain: r.Domain, URL: &r.URL, Products: &r.Products, Count: r.Count, IsMentioned: r.IsMentioned})
	}
	for _, r := range a.ByProduct {
		rows = append(rows, api.CitationRow{GroupBy: "byProduct", Domain: r.Domain, Name: &r.Name, Count: r.Count, IsMentioned: r.IsMentioned})
	}
	return rows
}

// Timeseries is a page of the timeseries, with the columns that were asked for.
// Its items may come while they are written.
func Timeseries(r api.TimeseriesRequest, items func(each func(*api.TimeseriesItem) error) error) Table {
	asked := map[string]bool{"timestamp": true}
	for _, d := range r.GroupBy {
		asked[string(d)] = true
	}
	for _, m := range r.Metrics {
		asked[m.Field()] = true
	}
	f := fieldsOf(reflect.TypeFor[api.TimeseriesItem](), func(name string) bool { return asked[name] })
	return Table{f.columns, func(row func([]any) error) error {
		values := make([]any, len(f.columns))
		return items(func(item *api.TimeseriesItem) error {
			f.read(reflect.ValueOf(item).Elem(), values)
			return row(values)
		})
	}}
}
