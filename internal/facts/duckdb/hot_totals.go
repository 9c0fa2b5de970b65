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
	most := maxTotals
	if q.Table == facts.DirectoryTotals {
		most = maxRows
	}
	kept := totalsKept[facts.TotalsRow]{s.hot.totals, s.readTotals, totalSize, func(*facts.TotalsRow) int { return 1 }}
	return eachTotal(ctx, s, q, kept, most, func(r *facts.TotalsRow) {
		if r.Bucket >= q.First && r.Bucket <= q.Last {
			each(r)
		}
	})
}

// Agents implements facts.Reader.
func (s *set) Agents(ctx context.Context, q facts.TotalsQuery, each func(*facts.AgentsRow)) error {
	kept := totalsKept[facts.AgentsRow]{s.hot.agents, s.readAgents, agentSize, func(r *facts.AgentsRow) int { return len(r.Agents) }}
	return eachTotal(ctx, s, q, kept, maxAgents, func(r *facts.AgentsRow) {
		if r.Bucket >= q.First && r.Bucket <= q.Last {
			each(r)
		}
	})
}

// How many rows of the totals, of directories and user agents a request holds at
// most: there may be as many directories as pages, as many user agents as visits,
// and very many websites.
var (
	maxTotals = 50_000
	maxRows   = 10_000
	maxAgents = 100_000
)

// Sizes of what is kept, about: of a row, and of a user agent with its part of one.
const (
	totalSize = 170
	agentSize = 8
)

// totalsKept is how a kind of totals is kept at hand, and read. Reading gives nil if
// there are more than asked for.
type totalsKept[R any] struct {
	*lru.Cache[totalsKey, []R]
	read  func(ctx context.Context, f file, q facts.TotalsQuery, websites []string, most int) (map[string][]R, error)
	size  int
	count func(*R) int
}

// eachTotal calls each for the totals of websites in all files of a window. If they
// turn out to be too many, it ends with ErrTooMany.
func eachTotal[R any](ctx context.Context, s *set, q facts.TotalsQuery, kept totalsKept[R], most int, each func(*R)) error {
	for _, f := range s.files {
		if f.kind != facts.KindVisits || !f.overlaps(q.First, q.Last) {
			continue
		}
		if err := s.absent[f.name]; err != nil {
			return err
		}
		of, err := kept.of(ctx, s, f, q, most)
		if err != nil {
			return err
		}
		for _, website := range q.WebsiteIDs {
			rows := of[website]
			for i := range rows {
				if most -= kept.count(&rows[i]); most < 0 {
					return facts.ErrTooMany
				}
				each(&rows[i])
			}
		}
	}
	return nil
}

// of gets the totals of websites in a file. It reads those together that are not at
// hand. That they are too many stays at hand, too.
func (t totalsKept[R]) of(ctx context.Context, s *set, f file, q facts.TotalsQuery, most int) (map[string][]R, error) {
	all := make(map[string][]R, len(q.WebsiteIDs))
	var missing []string
	for _, website := range q.WebsiteIDs {
		rows, ok := t.Get(totalsKey{f.sha256, website, q.Table, q.Width, q.Level})
		switch {
		case !ok:
			missing = append(missing, website)
		case rows == nil:
			return nil, facts.ErrTooMany
		default:
			all[website] = rows
		}
	}
	if len(missing) == 0 {
		return all, nil
	}
	together := totalsKey{f.sha256, strings.Join(missing, "\x00"), q.Table, q.Width, q.Level}
	if rows, ok := t.Get(together); ok && rows == nil {
		return nil, facts.ErrTooMany
	}
	if largest := int(t.Largest()); largest > 0 && q.Table != facts.Totals { // or they would be read again and again
		most = min(most, largest/t.size*len(missing))
	}
	read, err := t.read(ctx, f, q, missing, most)
	if err != nil {
		return nil, err
	}
	keep := func(key totalsKey, rows []R) {
		n := 0
		for i := range rows {
			n += t.count(&rows[i])
		}
		if s.inspector.proven(f, s.stamps[f.name]) {
			t.Add(key, rows, int64(keyCost+len(key.website)+n*t.size+len(rows)*80))
		}
	}
	if read == nil {
		keep(together, nil)
		return nil, facts.ErrTooMany
	}
	for _, website := range missing {
		rows := read[website]
		if rows == nil {
			rows = []R{}
		}
		all[website] = rows
		keep(totalsKey{f.sha256, website, q.Table, q.Width, q.Level}, rows)
	}
	return all, nil
}

// readTotals reads totals of websites in a file.
func (s *set) readTotals(ctx context.Context, f file, q facts.TotalsQuery, websites []string, most int) (map[string][]facts.TotalsRow, error) {
	names := []string{"website_id", "bucket", "platform", "bot_type"}
	columns := facts.TotalColumns[:]
	if q.Table == facts.DirectoryTotals {
		names, columns = []string{"website_id", "bucket", "url_path_directory"}, facts.MetricColumns
	}
	all, n := make(map[string][]facts.TotalsRow), 0
	words := make(map[string]string) // they come again and again
	err := s.readWebsites(ctx, f, q, websites, append(names, columns...), most, func(scan facts.Scan) error {
		var r facts.TotalsRow
		var website, first, second sql.RawBytes
		into := []any{&website, &r.Bucket, &first, &second}[:len(names)]
		for i := range columns {
			into = append(into, &r.Figures[i])
		}
		err := scan(into...)
		if q.Table == facts.DirectoryTotals {
			r.Directory = word(words, first)
		} else {
			r.Platform, r.BotType = word(words, first), word(words, second)
		}
		n++
		of := word(words, website)
		all[of] = append(all[of], r)
		return err
	})
	if n > most {
		all = nil
	}
	return all, err
}

// readAgents reads user agents of websites in a file.
func (s *set) readAgents(ctx context.Context, f file, q facts.TotalsQuery, websites []string, most int) (map[string][]facts.AgentsRow, error) {
	type group struct {
		website           string
		bucket            int64
		platform, botType string
	}
	all, places := make(map[string][]facts.AgentsRow), make(map[group]int)
	words, n := make(map[string]string), 0
	columns := []string{"website_id", "bucket", "platform", "bot_type", "agent_key"}
	err := s.readWebsites(ctx, f, q, websites, columns, most, func(scan facts.Scan) error {
		var bucket int64
		var agent uint32
		var website, platform, botType sql.RawBytes
		err := scan(&website, &bucket, &platform, &botType, &agent)
		g := group{word(words, website), bucket, word(words, platform), word(words, botType)}
		rows := all[g.website]
		at, ok := places[g]
		if !ok {
			at = len(rows)
			places[g] = at
			rows = append(rows, facts.AgentsRow{Bucket: bucket, Platform: g.platform, BotType: g.botType})
			all[g.website] = rows
		}
		rows[at].Agents = append(rows[at].Agents, agent)
		n++
		return err
	})
	if n > most {
		all = nil
	}
	return all, err
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
