package duckdb

import (
	"context"
	"fmt"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Totals are the figures of whole days and whole weeks, counted once when a
// file is built (facts.Totals): distinct counts do not add up, so each level of
// grouping has its own.

// tallies counts the visits of a file. Sets of pages, paths and visitors are
// bits of numbers that are dense within a website.
type tallies struct {
	sources map[uint32]facts.Origin
	sites   map[uint32]*site
	last    *site // of the row before
}

// site is the visits of one website.
type site struct {
	website  uint32
	pages    map[uint32]uint32
	paths    map[uint32]uint32
	visitors map[uint64]uint32
	days     map[int64]*day
	today    *day // of the row before
}

// day is what came on one day, by source.
type day struct {
	start   int64
	sources map[uint32]*seen
}

// seen is what a source saw. A source is bots or humans, never both: humans
// have no bot type.
type seen struct {
	visits, referred     int64
	pages, paths, people facts.Bits
	agents               facts.Bits
}

// eachRow calls row for each row of a query.
type eachRow func(ctx context.Context, query string, row func(scan facts.Scan) error) error

// newTallies begins to count visits of a database, whose sources it reads.
func newTallies(ctx context.Context, each eachRow, database string) (*tallies, error) {
	t := &tallies{sources: make(map[uint32]facts.Origin), sites: make(map[uint32]*site)}
	err := each(ctx, "select source, platform, bot_type from "+database+".sources", func(scan facts.Scan) error {
		var number uint32
		var origin facts.Origin
		err := scan(&number, &origin.Platform, &origin.BotType)
		t.sources[number] = origin
		return err
	})
	return t, err
}

// addRows counts the visits of a week of a database.
func (t *tallies) addRows(ctx context.Context, each eachRow, database string, week int64) error {
	var row visitRow
	into := []any{&row.when, &row.visitor, &row.website, &row.source, &row.page, &row.path, &row.agent}
	query := fmt.Sprintf("select ts * 4 + bot * 2 + referred, visitor, website, source, page, path, agent from %s.visits where %s",
		database, within(week))
	return each(ctx, query, func(scan facts.Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		t.add(&row)
		return nil
	})
}

// visitRow fields are those of the file here. humanBit tells the humans of a
// source from its bots, should a sender have called them the same.
const humanBit = 1 << 31

func (t *tallies) add(r *visitRow) {
	s := t.last
	if s == nil || s.website != r.website {
		if s = t.sites[r.website]; s == nil {
			s = &site{website: r.website, pages: make(map[uint32]uint32), paths: make(map[uint32]uint32),
				visitors: make(map[uint64]uint32), days: make(map[int64]*day)}
			t.sites[r.website] = s
		}
		t.last = s
	}
	second := r.when >> 2
	start := second - second%facts.DaySeconds
	d := s.today
	if d == nil || d.start != start {
		if d = s.days[start]; d == nil {
			d = &day{start: start, sources: make(map[uint32]*seen)}
			s.days[start] = d
		}
		s.today = d
	}
	bot := r.when&2 != 0
	source := r.source
	if !bot {
		source |= humanBit
	}
	of := d.sources[source]
	if of == nil {
		of = &seen{}
		d.sources[source] = of
	}
	of.visits++
	of.pages.Add(int(dense(s.pages, r.page)))
	of.paths.Add(int(dense(s.paths, r.path)))
	if bot {
		of.agents.Add(int(r.agent))
		return
	}
	of.referred += r.when & 1
	of.people.Add(int(dense(s.visitors, r.visitor)))
}

// dense numbers things as they come.
func dense[T uint32 | uint64](numbers map[T]uint32, thing T) uint32 {
	n, ok := numbers[thing]
	if !ok {
		n = uint32(len(numbers))
		numbers[thing] = n
	}
	return n
}

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
						key.bucket = facts.Week(d.start)
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
	if of.referred > 0 && platform != "none" && platform != "other" {
		r.aiReferred += of.referred
		if r.platforms == nil {
			r.platforms = make(map[string]bool)
		}
		r.platforms[platform] = true
	}
}
