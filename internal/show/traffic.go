package show

import (
	"slices"

	"github.com/sightline-hq/sightline/api"
)

type item = api.TimeseriesItem

var dimensions = map[api.Dimension]struct {
	title string
	unit  Unit
	of    func(item) *string
}{
	api.ByPlatform:          {"PLATFORM", Text, func(i item) *string { return i.Platform }},
	api.ByBotType:           {"BOT TYPE", Text, func(i item) *string { return i.BotType }},
	api.ByURLPath:           {"PATH", Address, func(i item) *string { return i.URLPath }},
	api.ByNormalizedURLPath: {"PAGE", Address, func(i item) *string { return i.NormalizedURLPath }},
	api.ByURLPathDirectory:  {"DIRECTORY", Address, func(i item) *string { return i.URLPathDirectory }},
}

func dimension(d api.Dimension) (Column, func(item) any) {
	known := dimensions[d]
	return Column{Name: string(d), Title: known.title, Unit: known.unit, Key: true}, func(i item) any { return value(known.of(i)) }
}

var metrics = map[api.Metric]struct {
	title string
	of    func(item) *int64
}{
	api.BotVisits:             {"BOT VISITS", func(i item) *int64 { return i.BotVisits }},
	api.HumanVisits:           {"HUMAN VISITS", func(i item) *int64 { return i.HumanVisits }},
	api.ReferredHumanVisits:   {"REFERRED", func(i item) *int64 { return i.ReferredHumanVisits }},
	api.AIReferredHumanVisits: {"AI REFERRED", func(i item) *int64 { return i.AIReferredHumanVisits }},
	api.UniqueHumanVisitors:   {"VISITORS", func(i item) *int64 { return i.UniqueHumanVisitors }},
	api.UniquePages:           {"BOT PAGES", func(i item) *int64 { return i.UniquePages }},
	api.UniqueHumanPages:      {"HUMAN PAGES", func(i item) *int64 { return i.UniqueHumanPages }},
	api.UniqueHumanPlatforms:  {"AI PLATFORMS", func(i item) *int64 { return i.UniqueHumanPlatforms }},
	api.BotUserAgents:         {"USER AGENTS", func(i item) *int64 { return i.BotUserAgents }},
}

func metric(m api.Metric) (Column, func(item) any) {
	known := metrics[m]
	return Column{Name: m.Field(), Title: known.title, Unit: Count, Change: ChangeGrowth}, func(i item) any { return value(known.of(i)) }
}

// Columns of citations.
var (
	citedDomain = Column{Name: "domain", Title: "DOMAIN", Unit: Address, Key: true}
	citations   = Column{Name: "count", Title: "CITATIONS", Unit: Count, Change: ChangeGrowth, Bar: true}
	mentioned   = Column{Name: "isMentioned", Title: "MENTIONED", Unit: Flag, Drop: 3}
	associated  = Column{Name: "products", Title: "PRODUCTS", Unit: Listing, Drop: 8}
)

// Citations is a table for each grouping that was asked for.
func Citations(c api.CitationResponse) (tables []Table) {
	if c.ByProperty != nil {
		tables = append(tables, Table{
			Name: "byProperty", Title: "By domain",
			Columns: []Column{citedDomain, citations, mentioned, associated},
			Rows: rowsOf(c.ByProperty, func(r api.CitationByProperty) Row {
				return Row{r.Domain, r.Count, r.IsMentioned, names(r.Products)}
			}),
		})
	}
	if c.ByPage != nil {
		hidden := citedDomain
		hidden.Title = "" // people see it in the URL
		tables = append(tables, Table{
			Name: "byPage", Title: "By page",
			Columns: []Column{{Name: "url", Title: "URL", Unit: Address, Key: true}, hidden, citations, mentioned, associated},
			Rows: rowsOf(c.ByPage, func(r api.CitationByPage) Row {
				return Row{r.URL, r.Domain, r.Count, r.IsMentioned, names(r.Products)}
			}),
		})
	}
	if c.ByProduct != nil {
		tables = append(tables, Table{
			Name: "byProduct", Title: "By product",
			Columns: []Column{{Name: "name", Title: "PRODUCT", Key: true}, citedDomain, citations, mentioned},
			Rows: rowsOf(c.ByProduct, func(r api.CitationByProduct) Row {
				return Row{r.Name, r.Domain, r.Count, r.IsMentioned}
			}),
		})
	}
	return slices.Clip(tables)
}

func names(products []api.CitationProduct) Names {
	n := Names{Things: products}
	for _, p := range products {
		n.Names = append(n.Names, p.Name)
	}
	return n
}
