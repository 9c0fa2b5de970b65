package web

import (
	"slices"

	"github.com/sightline-hq/sightline/api"
)

const (
	// pagesPerWeek is how many pages of each week are asked for: a website may
	// have millions, and a page of the dashboard shows few.
	pagesPerWeek = 200
	topPages     = 15
	topLandings  = 10
)

// trafficPage is what agents and AI-referred people do on the websites.
type trafficPage struct {
	form filters
	traffic
	Path       string
	Head       section
	ByAgent    section
	ByType     section
	ByPage     section
	ByPerson   section
	HeadTiles  []tile
	AgentList  visitList
	TypeList   visitList
	PeopleList visitList
	PageList   visitList // read by agents
	LandedList visitList // where people arrived
	Limit      int
	pages      []visitRow
	landed     []visitRow
}

func (p *trafficPage) filters() filters { return p.form }

func loadTraffic(v *visit) content {
	now, before := v.askTraffic(v.Window), v.askTraffic(v.Before)
	pages, landed := v.askPages(api.BotVisits), v.askPages(api.AIReferredHumanVisits)
	sites := v.websites()
	all := now
	if len(v.Platforms)+len(v.BotTypes) > 0 || v.URLPath != "" {
		all = v.timeseries(api.TimeseriesRequest{Window: v.Window, Interval: api.Week, Metrics: trafficMetrics,
			GroupBy: []api.Dimension{api.ByPlatform, api.ByBotType}})
	}
	v.work.Wait()

	p := &trafficPage{form: v.trafficFilters(all.Value, sites.Value), Path: v.URLPath, Limit: pagesPerWeek}
	p.traffic = newTraffic(now.Value, before.Value, v.state, v.Interval)
	p.form.Covered = p.Covered
	p.pages, p.landed = pageRows(pages.Value), pageRows(landed.Value)
	p.lists()
	p.Head = sectionOf("summary", "At a glance", now, before)
	p.Head.File = ""
	p.ByAgent = sectionOf("agents", "Agents by platform", now, before)
	p.ByType = sectionOf("types", "Bot types", now, before)
	p.ByPage = sectionOf("pages", "Pages that agents read", pages)
	p.ByPerson = sectionOf("people", "People sent by AI platforms", now, before, landed)
	p.Head.Empty = p.empty()
	p.ByAgent.Empty, p.ByType.Empty = len(p.AgentRows) == 0, len(p.TypeRows) == 0
	p.ByPage.Empty, p.ByPerson.Empty = len(p.pages) == 0, len(p.Humans) == 0
	return p
}

// lists are the tables that the page shows; files hold all rows.
func (p *trafficPage) lists() {
	p.HeadTiles = []tile{p.AgentTile, p.PeopleTile, p.HumanTile}
	p.AgentList = visitList{"Visits of agents by platform", "Platform", p.AgentRows}
	p.TypeList = visitList{"Visits by bot type", "Bot type", p.TypeRows}
	p.PeopleList = visitList{"Visits of people by the platform that sent them", "Platform", p.Humans}
	p.PageList = visitList{"Pages that agents read", "Page", p.pages[:min(len(p.pages), topPages)]}
	p.LandedList = visitList{"Pages where AI-referred people arrived", "Page", p.landed[:min(len(p.landed), topLandings)]}
}

// askPages asks for this period alone: reports by page are the dear ones.
func (v *visit) askPages(m api.Metric) *part[[]api.TimeseriesItem] {
	r := v.trafficRequest(v.Window, []api.Metric{m}, api.ByNormalizedURLPath)
	r.Interval, r.TopLimit = api.Week, pagesPerWeek
	return v.timeseries(r)
}

func pageRows(items []api.TimeseriesItem) []visitRow {
	sums := make(map[string]int64)
	for _, i := range items {
		sums[text(i.NormalizedURLPath)] += number(i.BotVisits) + number(i.AIReferredHumanVisits)
	}
	return visitRows(sums, nil, func(path string) string { return path }, false)
}

func (v *visit) trafficFilters(all []api.TimeseriesItem, sites []api.Website) filters {
	platforms, bots := make(map[string]string), make(map[string]string)
	for _, i := range all {
		platforms[text(i.Platform)] = platformName(text(i.Platform))
		bots[text(i.BotType)] = botName(text(i.BotType))
	}
	f := filters{About: "all websites", Interval: true, Groups: []group{
		{"platform", "Platforms", options(platforms, v.Platforms)},
		{"bot", "Bot types", options(bots, v.BotTypes)},
	}}
	for _, s := range sites {
		f.Websites = append(f.Websites, option{s.WebsiteID, s.Domain, s.WebsiteID == v.Website})
	}
	// What was chosen is offered even if the product has no such website: it is
	// why there are no visits.
	if known := slices.ContainsFunc(f.Websites, func(o option) bool { return o.Chosen }); v.Website != "" && !known {
		f.Websites = append(f.Websites, option{v.Website, v.Website, true})
	}
	for _, o := range f.Websites {
		if o.Chosen {
			f.About = o.Label
		}
	}
	return f
}
