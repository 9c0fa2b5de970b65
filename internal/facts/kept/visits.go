package kept

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"unique"

	"github.com/sightline-hq/sightline/internal/facts"
)

// weekKey is the visits to a website in a week of a piece.
type weekKey struct {
	Place
	week int64
}

// Few implements facts.Reader. How many visits there are, the totals know. The
// visits of small websites stay at hand as they are, week by week: whatever is
// asked about them, counting them takes less time than asking the engine.
func (r Reader) Few(ctx context.Context, q facts.VisitQuery, each func(*facts.SeenVisit)) (bool, error) {
	pieces, err := r.Pieces(facts.Visits, q.First, q.Last)
	if err != nil {
		return false, err
	}
	n, few, err := r.areFew(ctx, pieces, q)
	if err != nil || !few {
		return false, err
	}
	weeks, err := r.weeks(ctx, pieces, q, n)
	if err != nil || weeks == nil {
		return false, err
	}
	known := make(numbers)
	for place, website := range q.WebsiteIDs {
		for _, w := range weeks[website] {
			w.each(q, place, known, each)
		}
	}
	return true, nil
}

// maxKept is how many weeks of websites are looked for at most.
const maxKept = 1000

// areFew says whether the whole weeks that a query touches have few visits, and how
// many.
func (r Reader) areFew(ctx context.Context, pieces []Piece, q facts.VisitQuery) (n int64, few bool, err error) {
	var weeks int
	for _, p := range pieces {
		weeks += len(p.weeks(q.First, q.Last))
	}
	if weeks*len(q.WebsiteIDs) > maxKept {
		return 0, false, nil
	}
	totals := facts.TotalsQuery{Table: facts.Totals, WebsiteIDs: q.WebsiteIDs, Width: 7, First: facts.Week(q.First), Last: q.Last}
	err = r.Totals(ctx, totals, func(row *facts.TotalsRow) { n += row.Figures[facts.TotalBots] + row.Figures[facts.TotalHumans] })
	if errors.Is(err, facts.ErrTooMany) {
		return 0, false, nil
	}
	return n, n <= facts.FewVisits, err
}

// weeks gets the visits to websites, and reads those together that are not at hand.
// It gives nil if some take so much memory that they cannot be kept, so that nobody
// reads them again and again; and if they are not as many as were counted, so that
// what a server lacks for a moment is not kept for long.
func (r Reader) weeks(ctx context.Context, pieces []Piece, q facts.VisitQuery, n int64) (map[string][]*Week, error) {
	all, missing := make(map[string][]*Week), make(map[Place]map[int64]*Week)
	unproven := make(map[string]bool)
	for _, piece := range pieces {
		unproven[piece.ID] = piece.Unproven
		for _, website := range q.WebsiteIDs {
			for _, start := range piece.weeks(q.First, q.Last) {
				place := Place{piece.ID, website}
				w, ok := r.Memory.visits.Get(weekKey{place, start})
				if ok && w == nil {
					return nil, nil
				}
				if !ok {
					w = &Week{start: start}
					if missing[place] == nil {
						missing[place] = make(map[int64]*Week)
					}
					missing[place][start] = w
				}
				if n := len(all[website]); n > 0 && all[website][n-1].start >= start {
					return nil, fmt.Errorf("the week %d is in two pieces", start)
				}
				all[website] = append(all[website], w)
			}
		}
	}
	if len(missing) == 0 {
		return all, nil
	}
	if err := r.ReadVisits(ctx, missing); err != nil {
		return nil, err
	}
	for _, weeks := range missing {
		for _, w := range weeks {
			w.finish()
		}
	}
	for _, weeks := range all {
		for _, w := range weeks {
			n -= int64(len(w.visits))
		}
	}
	if n != 0 {
		return nil, nil
	}
	for place, weeks := range missing {
		for start, w := range weeks {
			if !unproven[place.Piece] {
				r.Memory.keepWeek(weekKey{place, start}, w)
			}
		}
	}
	return all, nil
}

// keepWeek keeps visits, or that they are too large to be kept.
func (m *Memory) keepWeek(key weekKey, w *Week) {
	cost := w.cost()
	if cost > m.visits.Largest() {
		w, cost = nil, keyCost
	}
	m.visits.Add(key, w, cost)
}

// Week is the visits to a website in a week: those of bots first, each by time.
type Week struct {
	start   int64
	visits  []Visit
	bots    int // how many of them are of bots
	origins []origin
	pages   []page
	names   []unique.Handle[string]
	known   [len(facts.Words{})]map[string]uint32 // the numbers of texts, while it is read
	words   facts.Words                           // how many of them there are
}

// Visit is one of them.
type Visit struct {
	Visitor      uint64
	When         uint32 // seconds since the week began, times 4, and 2 for a bot, and 1 for who was referred
	Agent        uint32 // a place, or a number that holds for the week
	Origin, Page uint32 // places
}

// origin and page have numbers beside their texts, and a page one for all that are
// the same but for the path.
type (
	origin struct {
		facts.Origin
		platform, botType uint32
	}
	page struct {
		facts.Page
		number                      uint32
		path, normalized, directory uint32
	}
)

// AddOrigin, AddPage and AddName add what visits have in common, and return its
// place. A page has a number that all have that are the same but for the path.
func (w *Week) AddOrigin(o facts.Origin) (place uint32) {
	w.origins = append(w.origins, origin{o, w.number(0, o.Platform), w.number(1, o.BotType)})
	return uint32(len(w.origins) - 1)
}

// AddPage does so for pages.
func (w *Week) AddPage(p facts.Page, number uint32) (place uint32) {
	w.pages = append(w.pages, page{p, number, w.number(2, p.URLPath), w.number(3, p.NormalizedURLPath), w.number(4, p.URLPathDirectory)})
	return uint32(len(w.pages) - 1)
}

// number is the one that stands for a text of a column.
func (w *Week) number(column int, text string) uint32 {
	if w.known[column] == nil {
		w.known[column] = make(map[string]uint32)
	}
	n, ok := w.known[column][text]
	if !ok {
		n = w.words[column]
		w.known[column][text] = n
		w.words[column]++
	}
	return n
}

// AddName does so for user agents, where an engine has no numbers for them.
func (w *Week) AddName(name unique.Handle[string]) (place uint32) {
	w.names = append(w.names, name)
	return uint32(len(w.names) - 1)
}

// Add adds a visit.
func (w *Week) Add(v Visit) { w.visits = append(w.visits, v) }

// Start is when the week begins.
func (w *Week) Start() int64 { return w.start }

// finish puts the visits in order, when all were added.
func (w *Week) finish() {
	w.known = [len(w.known)]map[string]uint32{}
	w.visits, w.origins, w.pages, w.names = slices.Clone(w.visits), slices.Clone(w.origins), slices.Clone(w.pages), slices.Clone(w.names) // without room for more
	slices.SortFunc(w.visits, func(a, b Visit) int { return cmp.Or(cmp.Compare(b.When&2, a.When&2), cmp.Compare(a.When, b.When)) })
	w.bots = sort.Search(len(w.visits), func(i int) bool { return w.visits[i].When&2 == 0 })
}

// selected are the visits that a query selects.
func (w *Week) selected(q facts.VisitQuery) (bots, humans []Visit) {
	between := func(visits []Visit) []Visit {
		from := sort.Search(len(visits), func(i int) bool { return w.second(&visits[i]) >= q.First })
		to := sort.Search(len(visits), func(i int) bool { return w.second(&visits[i]) > q.Last })
		return visits[from:to]
	}
	if q.Bots {
		bots = between(w.visits[:w.bots])
	}
	if q.Humans {
		humans = between(w.visits[w.bots:])
	}
	return bots, humans
}

// second is when a visit was.
func (w *Week) second(v *Visit) int64 { return w.start + int64(v.When>>2) }

// each calls a function for the visits that a query selects, with a visit that is
// used again.
func (w *Week) each(q facts.VisitQuery, website int, known numbers, each func(*facts.SeenVisit)) {
	bots, humans := w.selected(q)
	if len(bots)+len(humans) == 0 {
		return
	}
	agents := make([]uint32, len(w.names))
	for i, name := range w.names {
		agents[i] = known.of(name)
	}
	v := &facts.SeenVisit{SeenWeek: &facts.SeenWeek{Website: website, Start: w.start, Visits: len(w.visits), Texts: w.words}}
	w.show(bots, v, agents, each)
	w.show(humans, v, agents, each)
}

func (w *Week) show(visits []Visit, v *facts.SeenVisit, agents []uint32, each func(*facts.SeenVisit)) {
	for i := range visits {
		of := &visits[i]
		v.Second, v.Bot, v.Referred = w.second(of), of.When&2 != 0, of.When&1 != 0
		page := &w.pages[of.Page]
		v.Visitor, v.Agent, v.PageNumber = of.Visitor, of.Agent, page.number
		if len(agents) > 0 {
			v.Agent = agents[of.Agent]
		}
		origin := &w.origins[of.Origin]
		v.Origin, v.Page = &origin.Origin, &page.Page
		v.Words = facts.Words{origin.platform, origin.botType, page.path, page.normalized, page.directory}
		each(v)
	}
}

// weekCost is the size of a week without visits.
const weekCost = 180

// cost is about how many bytes it takes.
func (w *Week) cost() int64 {
	n := int64(keyCost + weekCost + len(w.visits)*24 + len(w.origins)*40)
	for i := range w.pages {
		p := &w.pages[i]
		n += int64(80 + len(p.URLPath) + len(p.NormalizedURLPath) + len(p.URLPathDirectory))
	}
	for _, name := range w.names { // it may be the only one that has it
		n += int64(64 + len(name.Value()))
	}
	return n
}
