package clickhouse

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unique"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// Pieces implements kept.Source: a piece is the editions of a week, of which a table
// of totals has one.
func (s *set) Pieces(t facts.Table, first, last int64) (pieces []kept.Piece, err error) {
	for _, e := range s.state.of(kindOf(t), first, last) { // by week
		version := strconv.FormatInt(e.version, 10)
		if n := len(pieces); n > 0 && pieces[n-1].First == e.week {
			pieces[n-1].ID += "," + version
			continue
		}
		pieces = append(pieces, kept.Piece{ID: strconv.FormatInt(e.week, 10) + ":" + version, First: e.week, Last: e.week})
	}
	return pieces, nil
}

// wanted is what one statement reads: all websites that miss something in all weeks
// from the first to the last of which something is missing. What it reads besides was
// asked for, too, and is at hand.
type wanted struct {
	weeks       map[int64]string // the pieces
	websites    []string
	first, last int64 // seconds
	rows        int   // that were read, those that are left out, too
}

func newWanted() *wanted {
	return &wanted{weeks: make(map[int64]string), first: math.MaxInt64}
}

func (w *wanted) add(piece string, week int64, websites ...string) {
	w.weeks[week] = piece
	w.first, w.last = min(w.first, week), max(w.last, week+facts.WeekSeconds-1)
	w.websites = append(w.websites, websites...)
}

func wantedOf(missing []kept.Missing) *wanted {
	w := newWanted()
	for _, m := range missing {
		w.add(m.ID, m.First, m.Websites...)
	}
	return w
}

// read reads columns of a table, after the website and the week of each row. Rows of
// other weeks are left out.
func (w *wanted) read(ctx context.Context, s *set, t facts.Table, columns string, condition facts.Statement, row func(place kept.Place, week int64) error, into ...any) error {
	slices.Sort(w.websites)
	websites := slices.Compact(w.websites)
	statement := facts.Statement{SQL: fmt.Sprintf("select website_id, week, %s from %s where %s and website_id in (%s)%s",
		columns, s.Table(t, nil, w.first, w.last), s.Within(t, w.first, w.last), strings.TrimSuffix(strings.Repeat("?, ", len(websites)), ", "), condition.SQL)}
	for _, id := range websites {
		statement.Args = append(statement.Args, id)
	}
	statement.Args = append(statement.Args, condition.Args...)
	var website string
	var week facts.Int
	into = append([]any{&website, &week}, into...)
	return s.Query(ctx, statement, func(scan facts.Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		w.rows++
		piece, ok := w.weeks[int64(week)]
		if !ok {
			return nil
		}
		return row(kept.Place{Piece: piece, Website: website}, int64(week))
	})
}

// rowsOfWidth is the condition of a query on totals, and one row more than asked for.
func rowsOfWidth(q facts.TotalsQuery, most int) (condition facts.Statement) {
	condition.SQL = fmt.Sprintf(" and width = %d", q.Width)
	if len(totalsOf(facts.Kind(q.Table)).levels) > 0 {
		condition.SQL += fmt.Sprintf(" and level = %d", q.Level)
	}
	if q.Page != "" {
		condition.SQL += " and normalized_url_path = ?"
		condition.Args = append(condition.Args, q.Page)
	}
	condition.SQL += fmt.Sprintf(" limit %d", most+1)
	return condition
}

// ReadTotals implements kept.Source.
func (s *set) ReadTotals(ctx context.Context, q facts.TotalsQuery, missing []kept.Missing, most int) (map[kept.Place][]facts.TotalsRow, error) {
	all, table := make(map[kept.Place][]facts.TotalsRow), totalsOf(facts.Kind(q.Table))
	var r facts.TotalsRow
	into := []any{(*facts.Int)(&r.Bucket)}
	for _, column := range table.about() {
		into = append(into, map[string]*string{"platform": &r.Platform, "bot_type": &r.BotType, "url_path_directory": &r.Path, "normalized_url_path": &r.Path}[column])
	}
	for i := range table.figures {
		into = append(into, (*facts.Int)(&r.Figures[i]))
	}
	columns := strings.Join(slices.Concat([]string{"bucket"}, table.about(), table.figures), ", ")
	wanted, words := wantedOf(missing), make(words)
	err := wanted.read(ctx, s, q.Table, columns, rowsOfWidth(q, most), func(place kept.Place, _ int64) error {
		r.Platform, r.BotType, r.Path = words.one(r.Platform), words.one(r.BotType), words.one(r.Path)
		all[place] = append(all[place], r)
		return nil
	}, into...)
	if err != nil || wanted.rows > most {
		return nil, err
	}
	return all, nil
}

// ReadAgents implements kept.Source.
func (s *set) ReadAgents(ctx context.Context, q facts.TotalsQuery, missing []kept.Missing, most int) (map[kept.Place][]kept.Agents, error) {
	wanted, all, words := wantedOf(missing), kept.NewGathering(), make(words)
	var r facts.AgentsRow
	var agent string
	err := wanted.read(ctx, s, q.Table, "bucket, platform, bot_type, user_agent", rowsOfWidth(q, most), func(place kept.Place, _ int64) error {
		r.Platform, r.BotType = words.one(r.Platform), words.one(r.BotType)
		of := all.Of(place, r)
		of.Names = append(of.Names, unique.Make(agent))
		return nil
	}, (*facts.Int)(&r.Bucket), &r.Platform, &r.BotType, &agent)
	if err != nil || wanted.rows > most {
		return nil, err
	}
	return all.Rows, nil
}

// words makes one string of equal ones.
type words map[string]string

func (w words) one(text string) string {
	known, ok := w[text]
	if !ok {
		w[text], known = text, text
	}
	return known
}
