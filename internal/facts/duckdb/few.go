package duckdb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Few implements facts.Reader. How many visits there are, the totals know. The
// visits of small websites stay at hand as they are, week by week: whatever is
// asked about them, counting them takes less time than asking the engine.
func (s *set) Few(ctx context.Context, q facts.VisitQuery, each func(*facts.SeenVisit)) (bool, error) {
	if few, err := s.areFew(ctx, q); err != nil || !few {
		return false, err
	}
	for _, f := range s.files {
		if f.kind != facts.KindVisits || !f.overlaps(q.First, q.Last) {
			continue
		}
		all, err := s.keptOf(ctx, f, q.WebsiteIDs, weeksOf(f, q.First, q.Last))
		if err != nil || all == nil {
			return false, err
		}
		for place, website := range q.WebsiteIDs {
			for _, k := range all[website] {
				k.each(q, place, each)
			}
		}
	}
	return true, nil
}

// maxKept is how many weeks of websites are looked for at most.
const maxKept = 1000

// areFew says whether the whole weeks that a query touches have few visits.
func (s *set) areFew(ctx context.Context, q facts.VisitQuery) (bool, error) {
	var weeks int
	for _, f := range s.files {
		if f.kind == facts.KindVisits && f.overlaps(q.First, q.Last) {
			weeks += len(weeksOf(f, q.First, q.Last))
		}
	}
	if !withCounts || weeks*len(q.WebsiteIDs) > maxKept {
		return false, nil
	}
	var n int64
	totals := facts.TotalsQuery{Table: facts.Totals, WebsiteIDs: q.WebsiteIDs, Width: weekWidth, First: facts.Week(q.First), Last: q.Last}
	err := s.Totals(ctx, totals, func(r *facts.TotalsRow) { n += r.Figures[facts.TotalBots] + r.Figures[facts.TotalHumans] })
	if errors.Is(err, facts.ErrTooMany) {
		return false, nil
	}
	return n <= facts.FewVisits, err
}

// kept is the visits to a website in a week.
type kept struct {
	week    int64
	visits  []keptVisit
	origins []facts.Origin
	pages   []keptPage
}

type keptVisit struct {
	visitor      uint64
	when         uint32 // second of the week, bot, referred
	agent        uint32
	origin, page uint32 // places
}

// keptPage is a page and its number in the file.
type keptPage struct {
	facts.Page
	number uint32
}

// each calls a function for the visits that a query selects, with a visit that is
// used again.
func (k *kept) each(q facts.VisitQuery, website int, each func(*facts.SeenVisit)) {
	v := &facts.SeenVisit{Website: website}
	for i := range k.visits {
		of := &k.visits[i]
		v.Second, v.Bot, v.Referred = k.week+int64(of.when>>2), of.when&2 != 0, of.when&1 != 0
		if v.Second < q.First || v.Second > q.Last || v.Bot && !q.Bots || !v.Bot && !q.Humans {
			continue
		}
		page := &k.pages[of.page]
		v.Visitor, v.Agent, v.PageNumber = of.visitor, of.agent, page.number
		v.Origin, v.Page = &k.origins[of.origin], &page.Page
		each(v)
	}
}

// keptOf gets the visits to websites in some weeks of a file, and reads those
// together that are not at hand. It gives nil if some take so much memory that they
// cannot be kept, so that nobody reads them again and again.
func (s *set) keptOf(ctx context.Context, f file, websites []string, weeks []int64) (map[string][]*kept, error) {
	if err := s.absent[f.name]; err != nil {
		return nil, err
	}
	all, missing := make(map[string][]*kept), make(map[keptKey]*kept)
	for _, website := range websites {
		for _, week := range weeks {
			key := keptKey{f.sha256, website, week}
			k, ok := s.hot.visits.Get(key)
			if ok && k == nil {
				return nil, nil
			}
			if !ok {
				k = &kept{week: week}
				missing[key] = k
			}
			all[website] = append(all[website], k)
		}
	}
	if len(missing) == 0 {
		return all, nil
	}
	if err := s.readKept(ctx, f, missing); err != nil {
		return nil, err
	}
	if s.inspector.proven(f, s.stamps[f.name]) {
		for key, k := range missing {
			s.hot.keepVisits(key, k)
		}
	}
	return all, nil
}

// cost is about how many bytes it takes.
func (k *kept) cost() int64 {
	n := int64(keyCost + len(k.visits)*24 + len(k.origins)*32)
	for i := range k.pages {
		p := &k.pages[i]
		n += int64(64 + len(p.URLPath) + len(p.NormalizedURLPath) + len(p.URLPathDirectory))
	}
	return n
}

// readKept reads visits of a file: their numbers, and the words that these stand for.
func (s *set) readKept(ctx context.Context, f file, into map[keptKey]*kept) error {
	r := keptReader{set: s, file: f, into: into, first: math.MaxInt64}
	for key := range into {
		if !slices.Contains(r.websites, key.website) {
			r.websites = append(r.websites, key.website)
		}
		r.first, r.last = min(r.first, key.week), max(r.last, key.week+facts.WeekSeconds-1)
	}
	return r.read(ctx)
}

// keptReader reads what several of them need at once.
type keptReader struct {
	*set
	file        file
	into        map[keptKey]*kept
	websites    []string
	first, last int64
}

// where is the condition of the visits.
func (r *keptReader) where() string {
	return fmt.Sprintf("website in (select website from %s.websites where website_id in (%s)) and ts between %d and %d",
		r.file.database(), placeholders(len(r.websites)), r.first, r.last)
}

func (r *keptReader) each(ctx context.Context, query string, row func(facts.Scan) error) error {
	args := make([]any, len(r.websites))
	for i, id := range r.websites {
		args[i] = id
	}
	return r.Query(ctx, facts.Statement{SQL: query, Args: args}, row)
}

// words reads the words of a table that the visits use.
func (r *keptReader) words(ctx context.Context, w words) (map[uint32][]string, error) {
	all := make(map[uint32][]string)
	query := fmt.Sprintf("select %s, %s from %s.%s where %[1]s in (select %[1]s from %[3]s.visits where %[5]s)",
		w.key, strings.Join(w.columns, ", "), r.file.database(), w.table, r.where())
	err := r.each(ctx, query, func(scan facts.Scan) error {
		var number uint32
		texts := make([]string, len(w.columns))
		into := []any{&number}
		for i := range texts {
			into = append(into, &texts[i])
		}
		err := scan(into...)
		all[number] = texts
		return err
	})
	return all, err
}

func (r *keptReader) read(ctx context.Context) error {
	var words [len(vocabulary)]map[uint32][]string
	for _, w := range []int{wordWebsite, wordSource, wordPage, wordPath} {
		var err error
		if words[w], err = r.words(ctx, vocabulary[w]); err != nil {
			return err
		}
	}
	places := make(map[keptPlace]uint32)
	var row visitRow
	into := []any{&row.when, &row.visitor, &row.website, &row.source, &row.page, &row.path, &row.agent}
	query := fmt.Sprintf("select ts * 4 + bot * 2 + referred, visitor, website, source, page, path, agent from %s.visits where %s", r.file.database(), r.where())
	return r.each(ctx, query, func(scan facts.Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		for w, number := range row.words() {
			if w != wordAgent && words[w][number] == nil {
				return fmt.Errorf("%s is damaged: a visit has no %s: %s", r.file.name, vocabulary[w].key, restoreIt)
			}
		}
		week := facts.Week(row.when >> 2)
		k := r.into[keptKey{r.file.sha256, words[wordWebsite][row.website][0], week}]
		if k == nil { // it was at hand
			return nil
		}
		k.add(&row, &words, places)
		return nil
	})
}

// keptPlace is what has a place: a source, or a page and the path it came by.
type keptPlace struct {
	in         *kept
	source     bool
	page, path uint32
}

// add adds a visit, with the words that its numbers stand for.
func (k *kept) add(row *visitRow, words *[len(vocabulary)]map[uint32][]string, places map[keptPlace]uint32) {
	source, page := keptPlace{in: k, source: true, page: row.source}, keptPlace{in: k, page: row.page, path: row.path}
	origin, ok := places[source]
	if !ok {
		of := words[wordSource][row.source]
		origin = uint32(len(k.origins))
		places[source] = origin
		k.origins = append(k.origins, facts.Origin{Platform: of[0], BotType: of[1]})
	}
	place, ok := places[page]
	if !ok {
		of := words[wordPage][row.page]
		place = uint32(len(k.pages))
		places[page] = place
		k.pages = append(k.pages, keptPage{facts.Page{URLPath: words[wordPath][row.path][0], NormalizedURLPath: of[0], URLPathDirectory: of[1]}, row.page})
	}
	k.visits = append(k.visits, keptVisit{row.visitor, uint32(row.when - k.week<<2), row.agent, origin, place})
}
