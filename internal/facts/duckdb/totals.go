package duckdb

import "github.com/sightline-hq/sightline/internal/facts"

// Totals are the figures of whole days and whole weeks, counted once when a
// file is built (facts.Totals): distinct counts do not add up, so each level of
// grouping has its own.

// total is a row of the table.
type total struct {
	bucket            int64
	width             uint8
	level             uint8
	platform, botType string

	bots, humans               groupTotal
	aiReferred                 int64
	platforms                  map[string]bool // AI platforms that referred humans
	allPages, allPaths, agents facts.Bits
}

// figures are those of facts.TotalColumns.
func (r *total) figures() [len(facts.TotalColumns)]int64 {
	return [...]int64{
		r.bots.visits, r.humans.visits, r.humans.referred, r.aiReferred, r.humans.people.Count(),
		r.bots.pages.Count(), r.humans.pages.Count(), int64(len(r.platforms)), r.agents.Count(),
		r.allPages.Count(), r.bots.paths.Count(), r.humans.paths.Count(), r.allPaths.Count(),
	}
}

// groupTotal is the part of bots, or of humans.
type groupTotal struct {
	visits, referred     int64
	pages, paths, people facts.Bits
}

func (g *groupTotal) add(s *seen) {
	g.visits += s.visits
	g.referred += s.referred
	g.pages.Union(s.pages)
	g.paths.Union(s.paths)
	g.people.Union(s.people)
}

// levels is how many there are.
const levels = (facts.LevelPlatform | facts.LevelBotType) + 1

// Widths of buckets, in days.
const (
	dayWidth  = 1
	weekWidth = 7
)

type totalKey struct {
	bucket            int64
	width, level      uint8
	platform, botType string
}

// totals adds up the days of a website, at every level.
func (t *tallies) totals(s *site) []*total {
	all := make(map[totalKey]*total)
	var order []*total
	for _, d := range s.days {
		for source, of := range d.sources {
			human := source&humanBit != 0
			origin := t.sources[source&^humanBit]
			for level := range uint8(levels) {
				for _, width := range []uint8{dayWidth, weekWidth} {
					key := totalKey{bucket: d.start, width: width, level: level}
					if width == weekWidth {
						key.bucket = t.week
					}
					if level&facts.LevelPlatform != 0 {
						key.platform = origin.Platform
					}
					if level&facts.LevelBotType != 0 {
						key.botType = origin.BotType
					}
					row := all[key]
					if row == nil {
						row = &total{bucket: key.bucket, width: width, level: level, platform: key.platform, botType: key.botType}
						all[key] = row
						order = append(order, row)
					}
					row.add(of, human, origin.Platform)
				}
			}
		}
	}
	return order
}

func (r *total) add(of *seen, human bool, platform string) {
	r.allPages.Union(of.pages)
	r.allPaths.Union(of.paths)
	if !human {
		r.bots.add(of)
		r.agents.Union(of.agents)
		return
	}
	r.humans.add(of)
	if of.referred > 0 && isAI(platform) {
		r.aiReferred += of.referred
		if r.platforms == nil {
			r.platforms = make(map[string]bool)
		}
		r.platforms[platform] = true
	}
}

// agentTotal is a row of agent_totals.
type agentTotal struct {
	bucket        int64
	width         uint8
	source, agent uint32
}

// agentTotals are the user agents of the bots of a website: of each day, and of
// the week.
func (t *tallies) agentTotals(s *site) (rows []agentTotal) {
	week := make(map[uint32]*facts.Bits)
	for _, d := range s.days {
		for source, of := range d.sources {
			if source&humanBit != 0 {
				continue
			}
			if week[source] == nil {
				week[source] = &facts.Bits{}
			}
			week[source].Union(of.agents)
			for agent := range of.agents.All() {
				rows = append(rows, agentTotal{d.start, dayWidth, source, uint32(agent)})
			}
		}
	}
	for source, agents := range week {
		for agent := range agents.All() {
			rows = append(rows, agentTotal{t.week, weekWidth, source, uint32(agent)})
		}
	}
	return rows
}
