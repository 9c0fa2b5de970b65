package duckdb

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// Few implements facts.Reader.
func (s *set) Few(ctx context.Context, q facts.VisitQuery, each func(*facts.SeenVisit)) (bool, error) {
	if !withCounts {
		return false, nil
	}
	return s.Reader.Few(ctx, q, each)
}

// ReadVisits implements kept.Source: file by file.
func (s *set) ReadVisits(ctx context.Context, into map[kept.Place]map[int64]*kept.Week) error {
	readers := make(map[string]*keptReader)
	for place, weeks := range into {
		r := readers[place.Piece]
		if r == nil {
			r = &keptReader{set: s, file: s.piece(place.Piece), into: make(map[string]map[int64]*kept.Week), first: math.MaxInt64}
			readers[place.Piece] = r
		}
		r.websites = append(r.websites, place.Website)
		r.into[place.Website] = weeks
		for week := range weeks {
			r.first, r.last = min(r.first, week), max(r.last, week+facts.WeekSeconds-1)
		}
	}
	for _, r := range readers {
		if err := r.read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// keptReader reads visits of a file: their numbers, and the words that these stand for.
type keptReader struct {
	*set
	file        file
	into        map[string]map[int64]*kept.Week // by website
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
		week := r.into[words[wordWebsite][row.website][0]][facts.Week(row.when>>2)]
		if week == nil { // it was at hand
			return nil
		}
		keep(week, &row, &words, places)
		return nil
	})
}

// keptPlace is what has a place: a source, or a page and the path it came by.
type keptPlace struct {
	in         *kept.Week
	source     bool
	page, path uint32
}

// keep adds a visit to a week, with the words that its numbers stand for.
func keep(week *kept.Week, row *visitRow, words *[len(vocabulary)]map[uint32][]string, places map[keptPlace]uint32) {
	source, page := keptPlace{in: week, source: true, page: row.source}, keptPlace{in: week, page: row.page, path: row.path}
	origin, ok := places[source]
	if !ok {
		of := words[wordSource][row.source]
		origin = week.AddOrigin(facts.Origin{Platform: of[0], BotType: of[1]})
		places[source] = origin
	}
	place, ok := places[page]
	if !ok {
		of := words[wordPage][row.page]
		place = week.AddPage(facts.Page{URLPath: words[wordPath][row.path][0], NormalizedURLPath: of[0], URLPathDirectory: of[1]}, row.page)
		places[page] = place
	}
	week.Add(kept.Visit{Visitor: row.visitor, When: uint32(row.when - week.Start()<<2), Agent: row.agent, Origin: origin, Page: place})
}
