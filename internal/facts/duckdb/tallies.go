package duckdb

import (
	"context"
	"fmt"

	"github.com/sightline-hq/sightline/internal/facts"
)

// tallies counts the visits of a week of a file. Sets of pages, paths and visitors
// are bits of numbers that are dense within a website.
type tallies struct {
	*tallyWords
	week      int64
	sites     map[uint32]*site
	last      *site             // of the row before
	platforms map[string]uint32 // numbers of AI platforms
	masks     masks
}

// tallyWords is what has to be known of the words of a file to count its visits.
type tallyWords struct {
	sources     map[uint32]facts.Origin
	directories []uint32 // by page: a number that the pages of a directory have in common
}

// site is the visits of one website.
type site struct {
	website  uint32
	pages    map[uint32]uint32
	paths    map[uint32]uint32
	visitors map[uint64]uint32
	days     map[int64]*day
	today    *day // of the row before

	pageDays    []pageDays // by the dense number of a page
	directories []*directory
	byNumber    map[uint32]*directory
}

// day is what came on one day, by source.
type day struct {
	start   int64
	number  uint8 // within the week
	sources map[uint32]*seen
}

// seen is what a source saw. A source is bots or humans, never both: humans
// have no bot type.
type seen struct {
	visits, referred     int64
	pages, paths, people facts.Bits
	agents               facts.Bits
	ai                   int // number of the platform; -1: it is no AI platform
}

// eachRow calls row for each row of a query.
type eachRow func(ctx context.Context, query string, row func(scan facts.Scan) error) error

// newTallies begins to count visits of a week.
func newTallies(words *tallyWords, week int64) *tallies {
	return &tallies{tallyWords: words, week: week, sites: make(map[uint32]*site), platforms: make(map[string]uint32)}
}

// readTallyWords reads the words of a database.
func readTallyWords(ctx context.Context, each eachRow, database string) (*tallyWords, error) {
	w := &tallyWords{sources: make(map[uint32]facts.Origin)}
	err := each(ctx, "select source, platform, bot_type from "+database+".sources", func(scan facts.Scan) error {
		var number uint32
		var origin facts.Origin
		err := scan(&number, &origin.Platform, &origin.BotType)
		w.sources[number] = origin
		return err
	})
	if err != nil {
		return nil, err
	}
	query := fmt.Sprintf("select page, first from %s.pages join (select url_path_directory, min(page) as first from %[1]s.pages group by all) using (url_path_directory)", database)
	return w, each(ctx, query, func(scan facts.Scan) error {
		var page, directory uint32
		err := scan(&page, &directory)
		if n := int(page) + 1 - len(w.directories); n > 0 {
			w.directories = append(w.directories, make([]uint32, n)...)
		}
		w.directories[page] = directory
		return err
	})
}

// directory is the number of the directory of a page. A page without a word is
// found elsewhere.
func (w *tallyWords) directory(page uint32) uint32 {
	if int(page) < len(w.directories) {
		return w.directories[page]
	}
	return page
}

// addRows counts the visits of the week of a database.
func (t *tallies) addRows(ctx context.Context, each eachRow, database string) error {
	var row visitRow
	into := []any{&row.when, &row.visitor, &row.website, &row.source, &row.page, &row.path, &row.agent}
	query := fmt.Sprintf("select ts * 4 + bot * 2 + referred, visitor, website, source, page, path, agent from %s.visits where %s",
		database, within(t.week))
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
	s := t.site(r.website)
	d := s.day(r.when>>2, t.week)
	bot := r.when&2 != 0
	source := r.source
	if !bot {
		source |= humanBit
	}
	of := d.sources[source]
	if of == nil {
		of = &seen{ai: t.ai(r.source)}
		d.sources[source] = of
	}
	of.visits++
	page := dense(s.pages, r.page)
	if int(page) == len(s.pageDays) {
		s.addPage(r.page, t.directory(r.page))
	}
	of.pages.Add(int(page))
	of.paths.Add(int(dense(s.paths, r.path)))
	if bot {
		of.agents.Add(int(r.agent))
		s.addBot(page, d.number, r.agent, &t.masks)
		return
	}
	of.referred += r.when & 1
	visitor := dense(s.visitors, r.visitor)
	of.people.Add(int(visitor))
	s.addHuman(page, d.number, visitor, r.when&1 != 0, of.ai, &t.masks)
}

// site is the one of a website; mostly it is the one of the row before.
func (t *tallies) site(website uint32) *site {
	if s := t.last; s != nil && s.website == website {
		return s
	}
	s := t.sites[website]
	if s == nil {
		s = &site{website: website, pages: make(map[uint32]uint32), paths: make(map[uint32]uint32),
			visitors: make(map[uint64]uint32), days: make(map[int64]*day), byNumber: make(map[uint32]*directory)}
		t.sites[website] = s
	}
	t.last = s
	return s
}

// day is the one of a second; mostly it is the one of the row before.
func (s *site) day(second, week int64) *day {
	start := second - second%facts.DaySeconds
	if d := s.today; d != nil && d.start == start {
		return d
	}
	d := s.days[start]
	if d == nil {
		d = &day{start: start, number: uint8((start - week) / facts.DaySeconds), sources: make(map[uint32]*seen)}
		s.days[start] = d
	}
	s.today = d
	return d
}

// ai is the number of the AI platform of a source.
func (t *tallies) ai(source uint32) int {
	if origin := t.sources[source]; isAI(origin.Platform) {
		return int(dense(t.platforms, origin.Platform))
	}
	return -1
}

func isAI(platform string) bool { return platform != "none" && platform != "other" }

// dense numbers things as they come.
func dense[T uint32 | uint64 | string](numbers map[T]uint32, thing T) uint32 {
	n, ok := numbers[thing]
	if !ok {
		n = uint32(len(numbers))
		numbers[thing] = n
	}
	return n
}
