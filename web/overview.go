package web

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

const (
	topCitations = 8
	topMovers    = 6
)

// overviewPage is the first page: how visible, and what changed.
type overviewPage struct {
	form       filters
	Head       section
	Tiles      []tile
	Trend      section
	Platforms  []platformTile
	TrendData  chart
	Moves      section
	Movers     []promptRow
	Cites      section
	Top        []citedRow
	Visits     section
	VisitTiles []tile
	Traffic    traffic
	daily      []api.DailyPromptMetric
}

// platformTile is one platform, with a drawing of its days.
type platformTile struct {
	Name   string
	Column int // of the trend's table
	Now    standing
	Change change
}

func (p *overviewPage) filters() filters { return p.form }

func loadOverview(v *visit) content {
	now, before := v.summary(v.Window), v.summary(v.Before)
	rows, earlier := v.prompts(v.promptsRequest(v.Window)), v.prompts(v.promptsRequest(v.Before))
	dates, datesBefore := v.dates(v.Window), v.dates(v.Before)
	cited := v.citations(v.Window, api.GroupProperty)
	visits, visitsBefore := v.askVisits(v.Window), v.askVisits(v.Before)
	chosen := v.askChoices(rows)
	v.work.Wait()

	p := &overviewPage{form: v.promptFilters(chosen), daily: dates.Value}
	p.form.Covered = v.runsCovered(dates, datesBefore)
	p.Head = sectionOf("summary", "At a glance", now, before, rows, earlier)
	p.Head.Empty = now.Value.Visibility == nil
	p.Head.File = ""
	p.Tiles = summaryTiles(now.Value, before.Value, pool(rows.Value), pool(earlier.Value))

	p.Trend = sectionOf("trend", "Visibility by platform", dates, rows, earlier)
	p.Trend.Empty = len(dates.Value) == 0
	p.TrendData = trend(dates.Value, v.Window)
	p.Platforms = platformTiles(p.TrendData, rows.Value, earlier.Value)

	p.Moves = sectionOf("moves", "Prompts that changed most", rows, earlier)
	p.Movers = movers(promptRows(rows.Value, earlier.Value, false))
	p.Moves.Empty = len(p.Movers) == 0

	// The page of citations has all of them, and the changes.
	p.Cites = sectionOf("citations", "Most cited sources", cited)
	p.Top = citedRows(cited.Value, api.CitationResponse{}, api.GroupProperty)
	p.Top = p.Top[:min(len(p.Top), topCitations)]
	p.Cites.Empty = len(p.Top) == 0

	p.Visits = sectionOf("traffic", "Agents on your websites", visits, visitsBefore)
	p.Traffic = newTraffic(visits.Value, visitsBefore.Value, v.state, api.Day)
	p.VisitTiles = []tile{p.Traffic.AgentTile, p.Traffic.PeopleTile}
	p.Visits.Empty = p.Traffic.empty()
	return p
}

// askVisits asks for what the overview shows of traffic: less than that page.
func (v *visit) askVisits(w api.Window) *part[[]api.TimeseriesItem] {
	return v.timeseries(v.trafficRequest(w, []api.Metric{api.BotVisits, api.AIReferredHumanVisits}, api.ByPlatform))
}

func summaryTiles(now, before api.PromptSummary, rows, earlier standing) []tile {
	// The summary's visibility and the rows' runs: pooling is the API's affair.
	s, e := standing{Visibility: now.Visibility, Runs: rows.Runs}, standing{Visibility: before.Visibility, Runs: earlier.Runs}
	visibility := tile{Label: "Visibility", Value: percent(s.Visibility), Was: percent(e.Visibility), Change: visibilityChange(s, e), Standing: &s}
	if i := s.Interval(); i != nil {
		visibility.Note = fmt.Sprintf("95 %% sure: %s to %s, from %s answers", percent(&i.Low), percent(&i.High), countOf(s.Runs))
	}
	return []tile{
		visibility,
		{Label: "Average position", Value: decimal(now.Position), Was: decimal(before.Position), Note: "1 is named first in an answer",
			Change: placesChange(now.Position, before.Position, 2)},
		{Label: "Rank", Value: countOf(now.Rank), Was: countOf(before.Rank), Note: fmt.Sprintf("of %d products in the answers", now.TotalCompetitors+1),
			Change: placesChange(asFloat(now.Rank), asFloat(before.Rank), 0)},
	}
}

func trend(days []api.DailyPromptMetric, w api.Window) chart {
	c, present := newCells(), make(map[string]bool)
	for _, d := range days {
		present[d.Platform] = true
		if d.Visibility != nil {
			c.add(d.Date, d.Platform, *d.Visibility)
		}
	}
	var columns []column
	for p := range present {
		columns = append(columns, column{p, platformName(p)})
	}
	slices.SortFunc(columns, func(a, b column) int { return strings.Compare(a.Name, b.Name) })
	return chart{ID: "trend-data", Caption: "Visibility by day and platform", Unit: "percent", Columns: columns, Rows: c.rows(buckets(w, api.Day), columns, false)}
}

// platformTiles are in the order of visibility, the best first.
func platformTiles(c chart, rows, earlier []api.PromptMetric) (tiles []platformTile) {
	now, before := byPlatform(rows), byPlatform(earlier)
	for i, col := range c.Columns {
		s := pool(now[col.Key])
		tiles = append(tiles, platformTile{col.Name, i + 1, s, visibilityChange(s, pool(before[col.Key]))})
	}
	slices.SortStableFunc(tiles, func(a, b platformTile) int { return compareNil(b.Now.Visibility, a.Now.Visibility) })
	return tiles
}

// movers are the prompts with the largest change that chance does not explain.
func movers(rows []promptRow) []promptRow {
	size := func(r promptRow) float64 {
		i := insight.WilsonChange(r.Now.Visibility, r.Now.Runs, r.Before.Visibility, r.Before.Runs)
		if i == nil || i.Contains(0) {
			return 0
		}
		return math.Abs(*r.Now.Visibility - *r.Before.Visibility)
	}
	rows = slices.DeleteFunc(rows, func(r promptRow) bool { return size(r) == 0 })
	slices.SortStableFunc(rows, func(a, b promptRow) int { return cmp.Compare(size(b), size(a)) })
	return rows[:min(len(rows), topMovers)]
}
