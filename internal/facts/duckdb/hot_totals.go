package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/lru"
)

// Totals implements facts.Reader.
func (s *set) Totals(ctx context.Context, q facts.TotalsQuery, each func(*facts.TotalsRow)) error {
	return eachTotal(ctx, s, q, s.hot.totals, s.readTotals, totalCost, func(r *facts.TotalsRow) {
		if r.Bucket >= q.First && r.Bucket <= q.Last {
			each(r)
		}
	})
}

// Agents implements facts.Reader.
func (s *set) Agents(ctx context.Context, q facts.TotalsQuery, each func(*facts.AgentsRow)) error {
	return eachTotal(ctx, s, q, s.hot.agents, s.readAgents, agentsCost, func(r *facts.AgentsRow) {
		if r.Bucket >= q.First && r.Bucket <= q.Last {
			each(r)
		}
	})
}

// Sizes of rows that are kept, about.
func totalCost(*facts.TotalsRow) int    { return 170 }
func agentsCost(r *facts.AgentsRow) int { return 80 + 4*cap(r.Agents) }

// maxRows and maxAgents are how many of a website and a file are held at most: there
// may be as many directories as pages, and as many user agents as visits.
var (
	maxRows   = 10_000
	maxAgents = 100_000
)

// eachTotal calls each for the totals of websites in all files of a window. It reads
// those that are not at hand; nil is kept for those that are too many.
func eachTotal[R any](ctx context.Context, s *set, q facts.TotalsQuery, kept *lru.Cache[totalsKey, []R],
	read func(context.Context, file, totalsKey) ([]R, error), cost func(*R) int, each func(*R)) error {
	for _, f := range s.files {
		if f.kind != facts.KindVisits || !f.overlaps(q.First, q.Last) {
			continue
		}
		if err := s.absent[f.name]; err != nil {
			return err
		}
		for _, website := range q.WebsiteIDs {
			key := totalsKey{f.sha256, website, q.Table, q.Width, q.Level}
			rows, ok := kept.Get(key)
			if !ok {
				var err error
				if rows, err = read(ctx, f, key); err != nil {
					return err
				}
				if s.inspector.proven(f, s.stamps[f.name]) {
					size := keyCost
					for i := range rows {
						size += cost(&rows[i])
					}
					kept.Add(key, rows, int64(size))
				}
			}
			if rows == nil {
				return facts.ErrTooMany
			}
			for i := range rows {
				each(&rows[i])
			}
		}
	}
	return nil
}

// readTotals reads totals of a file; nil if they are too many.
func (s *set) readTotals(ctx context.Context, f file, key totalsKey) ([]facts.TotalsRow, error) {
	names := []string{"bucket", "platform", "bot_type"}
	columns := facts.TotalColumns[:]
	if key.table == facts.DirectoryTotals {
		names, columns = []string{"bucket", "url_path_directory"}, facts.MetricColumns
	}
	rows := []facts.TotalsRow{}
	words := make(map[string]string) // they come again and again
	err := s.readWebsite(ctx, f, key, append(names, columns...), maxRows, func(scan facts.Scan) error {
		var r facts.TotalsRow
		var first, second sql.RawBytes
		into := []any{&r.Bucket, &first, &second}[:len(names)]
		for i := range columns {
			into = append(into, &r.Figures[i])
		}
		err := scan(into...)
		if key.table == facts.DirectoryTotals {
			r.Directory = word(words, first)
		} else {
			r.Platform, r.BotType = word(words, first), word(words, second)
		}
		rows = append(rows, r)
		return err
	})
	if key.table == facts.DirectoryTotals && len(rows) > maxRows {
		rows = nil
	}
	return rows, err
}

// readAgents reads user agents of a file; nil if they are too many.
func (s *set) readAgents(ctx context.Context, f file, key totalsKey) ([]facts.AgentsRow, error) {
	type group struct {
		bucket            int64
		platform, botType string
	}
	rows, places := []facts.AgentsRow{}, make(map[group]int)
	words, n := make(map[string]string), 0
	err := s.readWebsite(ctx, f, key, []string{"bucket", "platform", "bot_type", "agent_key"}, maxAgents, func(scan facts.Scan) error {
		var bucket int64
		var agent uint32
		var platform, botType sql.RawBytes
		err := scan(&bucket, &platform, &botType, &agent)
		g := group{bucket, word(words, platform), word(words, botType)}
		at, ok := places[g]
		if !ok {
			at = len(rows)
			places[g] = at
			rows = append(rows, facts.AgentsRow{Bucket: bucket, Platform: g.platform, BotType: g.botType})
		}
		rows[at].Agents = append(rows[at].Agents, agent)
		n++
		return err
	})
	if n > maxAgents {
		rows = nil
	}
	return rows, err
}

// readWebsite reads the rows of a website, and at most one more than are held. Those
// that have levels are few.
func (s *set) readWebsite(ctx context.Context, f file, key totalsKey, columns []string, most int, row func(facts.Scan) error) error {
	reads := append(slices.Clone(columns), "website_id", "width")
	where := fmt.Sprintf("width = %d and website_id = ?", key.width)
	end := fmt.Sprint(" limit ", most+1)
	if key.table == facts.Totals {
		reads, where, end = append(reads, "level"), where+fmt.Sprint(" and level = ", key.level), ""
	}
	query := fmt.Sprintf("select %s from (%s) where %s%s", strings.Join(columns, ", "), selectRows(f.database(), key.table, reads), where, end)
	return s.Query(ctx, facts.Statement{SQL: query, Args: []any{key.website}}, row)
}

// word makes one string of equal bytes.
func word(known map[string]string, text []byte) string {
	w, ok := known[string(text)]
	if !ok {
		w = string(text)
		known[w] = w
	}
	return w
}
