package duckdb

import (
	"math/bits"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// The visits of a website and week by directory. A website may have as many
// directories as pages, so what is kept of one is little: what came on the days
// on which something came, and who, each with a bit for every day.

// directory is the visits to a directory of a website in a week.
type directory struct {
	page      uint32 // one of its pages
	days      []directoryDay
	visitors  daySet // of humans, by their number within the website
	agents    daySet // of bots
	platforms daySet // AI platforms that referred humans
}

// directoryDay is the figures of a day, or of the week.
type directoryDay struct {
	day     uint8
	figures metrics
}

// metrics are the figures of facts.MetricColumns, in that order.
type metrics [9]uint32

// Places of the metrics.
const (
	botVisits = iota
	humanVisits
	referredVisits
	aiReferredVisits
	humanVisitors
	botPages
	humanPages
	humanPlatforms
	botAgents
)

// pageDays is the directory of a page, and on which days it was seen by whom.
type pageDays struct {
	directory    *directory
	bots, humans uint8
}

// addPage notes the directory of a page that comes for the first time.
func (s *site) addPage(page, number uint32) {
	d := s.byNumber[number]
	if d == nil {
		d = &directory{page: page}
		s.byNumber[number] = d
		s.directories = append(s.directories, d)
	}
	s.pageDays = append(s.pageDays, pageDays{directory: d})
}

// addBot counts a visit of a bot to a page, given by its number within the website.
func (s *site) addBot(page uint32, day uint8, agent uint32, m *masks) {
	p := &s.pageDays[page]
	p.bots |= 1 << day
	p.directory.on(day)[botVisits]++
	p.directory.agents.add(agent, day, m)
}

// addHuman counts a visit of a human. ai is the AI platform that they may have come
// from; none: -1.
func (s *site) addHuman(page uint32, day uint8, visitor uint32, referred bool, ai int, m *masks) {
	p := &s.pageDays[page]
	p.humans |= 1 << day
	on := p.directory.on(day)
	on[humanVisits]++
	p.directory.visitors.add(visitor, day, m)
	if !referred {
		return
	}
	on[referredVisits]++
	if ai >= 0 {
		on[aiReferredVisits]++
		p.directory.platforms.add(uint32(ai), day, m)
	}
}

// on is the figures of a day; mostly it is the one of the visit before.
func (d *directory) on(day uint8) *metrics {
	for i := len(d.days) - 1; i >= 0; i-- {
		if d.days[i].day == day {
			return &d.days[i].figures
		}
	}
	d.days = append(d.days, directoryDay{day: day})
	return &d.days[len(d.days)-1].figures
}

// countDirectories completes the figures once all visits are known.
func (s *site) countDirectories(m *masks) {
	for _, d := range s.directories {
		d.count(m)
	}
	for _, p := range s.pageDays {
		week := p.directory.on(daysOfWeek)
		week[botPages] += uint32(min(p.bots, 1))
		week[humanPages] += uint32(min(p.humans, 1))
		for day := range uint8(daysOfWeek) {
			if (p.bots|p.humans)>>day&1 != 0 {
				on := p.directory.on(day)
				on[botPages] += uint32(p.bots >> day & 1)
				on[humanPages] += uint32(p.humans >> day & 1)
			}
		}
	}
}

// count writes down who came on each day and in the week, and adds up the days.
func (d *directory) count(m *masks) {
	var week metrics
	visitors, agents, platforms := d.visitors.counts(m), d.agents.counts(m), d.platforms.counts(m)
	d.visitors, d.agents, d.platforms = nil, nil, nil
	for i := range d.days {
		on := &d.days[i]
		for place := botVisits; place <= aiReferredVisits; place++ {
			week[place] += on.figures[place]
		}
		on.figures[humanVisitors], on.figures[botAgents], on.figures[humanPlatforms] = visitors[on.day], agents[on.day], platforms[on.day]
	}
	week[humanVisitors], week[botAgents], week[humanPlatforms] = visitors[daysOfWeek], agents[daysOfWeek], platforms[daysOfWeek]
	d.days = append(d.days, directoryDay{daysOfWeek, week})
}

// directoryTotal is what a row of directory_totals is about.
type directoryTotal struct {
	bucket int64
	width  uint8
	page   uint32
}

// directoryTotals calls each for the rows of a website, day by day, and then for
// those of the week. It is called once: it takes apart what was counted.
func (s *site) directoryTotals(week int64, m *masks, each func(directoryTotal, *metrics) error) error {
	s.countDirectories(m)
	for day := range uint8(daysOfWeek + 1) {
		row := directoryTotal{bucket: week + int64(day)*facts.DaySeconds, width: dayWidth}
		if day == daysOfWeek {
			row.bucket, row.width = week, weekWidth
		}
		for _, d := range s.directories {
			at := slices.IndexFunc(d.days, func(on directoryDay) bool { return on.day == day })
			if at < 0 {
				continue
			}
			row.page = d.page
			if err := each(row, &d.days[at].figures); err != nil {
				return err
			}
		}
	}
	return nil
}

// daysOfWeek is how many days a week has, and stands for the week behind its days.
const daysOfWeek = 7

// daySet is numbers with the days on which they came, a bit for each. A number may
// be in it several times, until there is no room left.
type daySet []uint64

// masks is room for the days of each number, all 0.
type masks []uint8

func (s *daySet) add(number uint32, day uint8, m *masks) {
	if len(*s) == cap(*s) {
		s.squeeze(m)
	}
	*s = append(*s, uint64(number)<<8|1<<day)
}

// squeeze puts equal numbers together, and makes more room if that gives little.
func (s *daySet) squeeze(m *masks) {
	each := (*s)[:0]
	for _, e := range *s {
		number := int(e >> 8)
		if number >= len(*m) {
			*m = append(*m, make(masks, number+1-len(*m)+len(*m)/2)...)
		}
		if (*m)[number] == 0 {
			each = append(each, e)
		}
		(*m)[number] |= uint8(e)
	}
	for i, e := range each {
		each[i] = e&^0xff | uint64((*m)[e>>8])
		(*m)[e>>8] = 0
	}
	if len(each) > cap(each)/2 || cap(each) == 0 {
		more := make(daySet, len(each), max(1, 2*cap(each)))
		copy(more, each)
		each = more
	}
	*s = each
}

// counts is how many numbers came on each day, and in the week.
func (s *daySet) counts(m *masks) (n [daysOfWeek + 1]uint32) {
	if len(*s) == 0 {
		return n
	}
	s.squeeze(m)
	for _, e := range *s {
		n[daysOfWeek]++
		for days := uint8(e); days != 0; days &= days - 1 {
			n[bits.TrailingZeros8(days)]++
		}
	}
	return n
}
