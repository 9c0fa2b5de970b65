package web

import (
	"cmp"
	"slices"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

// traffic is what agents and people did, from rows by platform and bot type.
// It adds up counts of visits only: distinct counts of days do not add up.
type traffic struct {
	Agents, People              chart // visits of agents, and of people whom AI platforms sent
	AgentTile, PeopleTile       tile
	HumanTile                   tile
	AgentRows, TypeRows, Humans []visitRow
	Covered                     insight.Coverage
	Partial                     string // which days or weeks are
}

// visitRow is a platform, a bot type or a page, now and before.
type visitRow struct {
	Key, Name     string
	Platform      string // of a bot type
	Count, Before int64
	Share         float64 // of the largest count, for the bar
	good          bool
}

// Change is against the period before.
func (r visitRow) Change() change { return countChange(r.Count, r.Before, r.good) }

var trafficMetrics = []api.Metric{api.BotVisits, api.HumanVisits, api.AIReferredHumanVisits}

// askTraffic asks for the visits of a window with the page's filters.
func (v *visit) askTraffic(w api.Window) *part[[]api.TimeseriesItem] {
	return v.timeseries(v.trafficRequest(w, trafficMetrics, api.ByPlatform, api.ByBotType))
}

func (v *visit) trafficRequest(w api.Window, metrics []api.Metric, by ...api.Dimension) api.TimeseriesRequest {
	r := api.TimeseriesRequest{Window: w, Interval: v.Interval, Metrics: metrics, GroupBy: by}
	if v.path == "/traffic" {
		r.Platforms, r.BotTypes = v.Platforms, v.BotTypes
		r.WebsiteID, r.URLPath = given(v.Website), given(v.URLPath)
	}
	return r
}

func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// tally sums up rows.
type tally struct {
	agents, people              cells
	bots, humans, referred      int64
	platformOf                  map[string]string
	agentSums, peopleSums, kind map[string]int64
}

func sumUp(items []api.TimeseriesItem) *tally {
	t := &tally{agents: newCells(), people: newCells(), platformOf: make(map[string]string),
		agentSums: make(map[string]int64), peopleSums: make(map[string]int64), kind: make(map[string]int64)}
	for _, i := range items {
		platform, bot := text(i.Platform), text(i.BotType)
		if n := number(i.BotVisits); n > 0 {
			t.agents.add(i.Timestamp, platform, float64(n))
			t.agentSums[platform] += n
			t.kind[bot] += n
			t.platformOf[bot] = platform
			t.bots += n
		}
		if n := number(i.AIReferredHumanVisits); n > 0 {
			t.people.add(i.Timestamp, platform, float64(n))
			t.peopleSums[platform] += n
			t.referred += n
		}
		t.humans += number(i.HumanVisits)
	}
	return t
}

func newTraffic(now, before []api.TimeseriesItem, s *state, interval api.Interval) traffic {
	n, b := sumUp(now), sumUp(before)
	times := buckets(s.Window, interval)
	covered := insight.Covered(s.Before, interval, append(timesOf(now), timesOf(before)...))
	isGood := !covered.Partly // to have more people than in a part of the period
	agents, people := n.agents.columns(platformName), n.people.columns(platformName)
	t := traffic{
		Agents:     chart{ID: "agents-data", Unit: "count", Caption: "Visits of agents by " + string(interval) + " and platform", Columns: agents, Rows: n.agents.rows(times, agents, true)},
		People:     chart{ID: "people-data", Unit: "count", Caption: "Visits of people sent by AI platforms, by " + string(interval), Columns: people, Rows: n.people.rows(times, people, true)},
		AgentTile:  countTile("Agent visits", "by bots, AI agents and others", n.bots, b.bots, false),
		PeopleTile: countTile("AI-referred visits", "by people whom AI platforms sent", n.referred, b.referred, isGood),
		HumanTile:  countTile("Human visits", "by all people", n.humans, b.humans, isGood),
		AgentRows:  visitRows(n.agentSums, b.agentSums, platformName, false),
		TypeRows:   visitRows(n.kind, b.kind, botName, false),
		Covered:    covered,
		Partial:    insight.Partial(s.Window, interval),
		Humans:     visitRows(n.peopleSums, b.peopleSums, platformName, isGood),
	}
	for i, r := range t.TypeRows {
		t.TypeRows[i].Platform = n.platformOf[r.Key]
	}
	return t
}

func timesOf(items []api.TimeseriesItem) (all []time.Time) {
	for _, i := range items {
		if t, err := api.ParseTime(i.Timestamp); err == nil {
			all = append(all, t)
		}
	}
	return all
}

func (t traffic) empty() bool { return len(t.Agents.Columns) == 0 && len(t.People.Columns) == 0 }

func countTile(label, note string, now, before int64, isGood bool) tile {
	return tile{Label: label, Value: count(now), Was: count(before), Note: note, Change: countChange(now, before, isGood)}
}

// visitRows are in the order of their counts.
func visitRows(now, before map[string]int64, name func(string) string, isGood bool) (rows []visitRow) {
	var most int64
	for key, n := range now {
		rows = append(rows, visitRow{Key: key, Name: name(key), Count: n, Before: before[key], good: isGood})
		most = max(most, n)
	}
	slices.SortFunc(rows, func(a, b visitRow) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key)) })
	for i := range rows {
		rows[i].Share = share(rows[i].Count, most)
	}
	return rows
}

func botName(s string) string {
	switch s {
	case api.BotTypeOther:
		return "other bots"
	case api.BotTypeNone:
		return "people"
	}
	return s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func number(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}
