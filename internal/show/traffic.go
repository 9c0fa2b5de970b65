package show

import (
	"slices"

	"github.com/sightline-hq/sightline/api"
)

func dimension(d api.Dimension) (Column, func(api.TimeseriesItem) any) {
	c := Column{Name: string(d), Key: true, Unit: Address}
	switch d {
	case api.ByPlatform:
		return platform, func(i api.TimeseriesItem) any { return value(i.Platform) }
	case api.ByBotType:
		c.Title, c.Unit = "BOT TYPE", Text
		return c, func(i api.TimeseriesItem) any { return value(i.BotType) }
	case api.ByURLPath:
		c.Title = "PATH"
		return c, func(i api.TimeseriesItem) any { return value(i.URLPath) }
	case api.ByNormalizedURLPath:
		c.Title = "PAGE"
		return c, func(i api.TimeseriesItem) any { return value(i.NormalizedURLPath) }
	case api.ByURLPathDirectory:
		c.Title = "DIRECTORY"
		return c, func(i api.TimeseriesItem) any { return value(i.URLPathDirectory) }
	}
	panic("unknown dimension " + d)
}

func metric(m api.Metric) (Column, func(api.TimeseriesItem) any) {
	c := Column{Unit: Count, Change: ChangeGrowth}
	switch m {
	case api.BotVisits:
		c.Name, c.Title = "botVisits", "BOT VISITS"
		return c, func(i api.TimeseriesItem) any { return value(i.BotVisits) }
	case api.HumanVisits:
		c.Name, c.Title = "humanVisits", "HUMAN VISITS"
		return c, func(i api.TimeseriesItem) any { return value(i.HumanVisits) }
	case api.ReferredHumanVisits:
		c.Name, c.Title = "referredHumanVisits", "REFERRED"
		return c, func(i api.TimeseriesItem) any { return value(i.ReferredHumanVisits) }
	case api.AIReferredHumanVisits:
		c.Name, c.Title = "aiReferredHumanVisits", "AI REFERRED"
		return c, func(i api.TimeseriesItem) any { return value(i.AIReferredHumanVisits) }
	case api.UniqueHumanVisitors:
		c.Name, c.Title = "uniqueHumanVisitors", "VISITORS"
		return c, func(i api.TimeseriesItem) any { return value(i.UniqueHumanVisitors) }
	case api.UniquePages:
		c.Name, c.Title = "uniquePages", "BOT PAGES"
		return c, func(i api.TimeseriesItem) any { return value(i.UniquePages) }
	case api.UniqueHumanPages:
		c.Name, c.Title = "uniqueHumanPages", "HUMAN PAGES"
		return c, func(i api.TimeseriesItem) any { return value(i.UniqueHumanPages) }
	case api.UniqueHumanPlatforms:
		c.Name, c.Title = "uniqueHumanPlatforms", "AI PLATFORMS"
		return c, func(i api.TimeseriesItem) any { return value(i.UniqueHumanPlatforms) }
	case api.BotUserAgents:
		c.Name, c.Title = "botUserAgents", "USER AGENTS"
		return c, func(i api.TimeseriesItem) any { return value(i.BotUserAgents) }
	}
	panic("unknown metric " + m)
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
