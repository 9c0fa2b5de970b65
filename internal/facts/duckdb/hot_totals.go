package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// Pieces implements kept.Source: they are the files.
func (s *set) Pieces(_ facts.Table, first, last int64) (pieces []kept.Piece, err error) {
	for _, f := range s.files {
		if f.kind != facts.KindVisits || !f.overlaps(first, last) {
			continue
		}
		if err := s.absent[f.name]; err != nil {
			return nil, err
		}
		pieces = append(pieces, kept.Piece{ID: f.sha256, First: f.firstWeek, Last: f.lastWeek, Unproven: !s.inspector.proven(f, s.stamps[f.name])})
	}
	return pieces, nil
}

// piece is the file that a piece is.
func (s *set) piece(id string) file {
	return s.files[slices.IndexFunc(s.files, func(f file) bool { return f.sha256 == id && f.kind == facts.KindVisits })]
}

// ReadTotals implements kept.Source.
func (s *set) ReadTotals(ctx context.Context, q facts.TotalsQuery, missing []kept.Missing, most int) (map[kept.Place][]facts.TotalsRow, error) {
	names := []string{"website_id", "bucket", "platform", "bot_type"}
	columns := facts.TotalColumns[:]
	if q.Table == facts.DirectoryTotals {
		names, columns = []string{"website_id", "bucket", "url_path_directory"}, facts.MetricColumns
	}
	all := make(map[kept.Place][]facts.TotalsRow)
	words := make(map[string]string) // they come again and again
	enough, err := s.readMissing(ctx, q, missing, append(names, columns...), most, func(piece string, scan facts.Scan) error {
		var r facts.TotalsRow
		var website, first, second sql.RawBytes
		into := []any{&website, &r.Bucket, &first, &second}[:len(names)]
		for i := range columns {
			into = append(into, &r.Figures[i])
		}
		err := scan(into...)
		if q.Table == facts.DirectoryTotals {
			r.Path = word(words, first)
		} else {
			r.Platform, r.BotType = word(words, first), word(words, second)
		}
		place := kept.Place{Piece: piece, Website: word(words, website)}
		all[place] = append(all[place], r)
		return err
	})
	if !enough {
		return nil, err
	}
	return all, err
}

// ReadAgents implements kept.Source.
func (s *set) ReadAgents(ctx context.Context, q facts.TotalsQuery, missing []kept.Missing, most int) (map[kept.Place][]kept.Agents, error) {
	gathered, words := kept.NewGathering(), make(map[string]string)
	columns := []string{"website_id", "bucket", "platform", "bot_type", "agent_key"}
	enough, err := s.readMissing(ctx, q, missing, columns, most, func(piece string, scan facts.Scan) error {
		var row facts.AgentsRow
		var agent uint32
		var website, platform, botType sql.RawBytes
		err := scan(&website, &row.Bucket, &platform, &botType, &agent)
		row.Platform, row.BotType = word(words, platform), word(words, botType)
		of := gathered.Of(kept.Place{Piece: piece, Website: word(words, website)}, row)
		of.Agents = append(of.Agents, agent)
		return err
	})
	if !enough {
		return nil, err
	}
	return gathered.Rows, err
}

// readMissing reads rows file by file, and says whether they were no more than asked for.
func (s *set) readMissing(ctx context.Context, q facts.TotalsQuery, missing []kept.Missing, columns []string, most int,
	row func(piece string, scan facts.Scan) error) (enough bool, err error) {
	for _, m := range missing {
		err := s.readWebsites(ctx, s.piece(m.ID), q, m.Websites, columns, most, func(scan facts.Scan) error {
			most--
			return row(m.ID, scan)
		})
		if err != nil || most < 0 {
			return false, err
		}
	}
	return true, nil
}

// readWebsites reads rows of websites, and at most one more than asked for.
func (s *set) readWebsites(ctx context.Context, f file, q facts.TotalsQuery, websites, columns []string, most int, row func(facts.Scan) error) error {
	reads := append(slices.Clone(columns), "width")
	where := fmt.Sprintf("width = %d and website_id in (%s)", q.Width, placeholders(len(websites)))
	if q.Table == facts.Totals {
		reads, where = append(reads, "level"), where+fmt.Sprint(" and level = ", q.Level)
	}
	query := fmt.Sprintf("select %s from (%s) where %s limit %d", strings.Join(columns, ", "), selectRows(f.database(), q.Table, reads), where, most+1)
	args := make([]any, len(websites))
	for i, id := range websites {
		args[i] = id
	}
	return s.Query(ctx, facts.Statement{SQL: query, Args: args}, row)
}

// placeholders are those of so many arguments.
func placeholders(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

// word makes one string of equal bytes.
func word(known map[string]string, text []byte) string {
	w, ok := known[string(text)]
	if !ok {
		w = string(text)
		known[w] = w
	}
	return w
}
