package clickhouse

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// rowsAtOnce bounds the memory of counting distinct things: so many visits are
// counted by one statement, or those of one week.
const rowsAtOnce = 20_000_000

// writeTotals counts the weeks whose visits have changed. A website is on one
// shard, so each shard counts its own.
func (p *publishing) writeTotals(ctx context.Context, c *change) error {
	var visits []edition
	var rows int64
	flush := func() error {
		if len(visits) == 0 {
			return nil
		}
		err := p.onEach(ctx, p.countTotals(visits))
		visits, rows = nil, 0
		return err
	}
	for _, week := range slices.Sorted(maps.Keys(p.touched)) {
		c.remove = append(c.remove, p.state.of(kindTotals, week, week)...)
		now := p.after(week)
		if len(now) > 0 {
			c.add = append(c.add, edition{kind: kindTotals, week: week, version: p.version})
		}
		var more int64
		for _, e := range now {
			more += e.rows
		}
		if rows+more > rowsAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
		visits, rows = append(visits, now...), rows+more
	}
	if err := flush(); err != nil {
		return err
	}
	if err := p.foldTotals(ctx, c); err != nil {
		return err
	}
	return p.settle(ctx, "totals")
}

// foldTotals writes the totals of other weeks anew, beside those of this
// version, if they are of many versions.
func (p *publishing) foldTotals(ctx context.Context, c *change) error {
	weeks := make(map[int64][]edition) // by version
	for _, e := range p.state.editions {
		if e.kind == kindTotals && !p.touched[e.week] {
			weeks[e.version] = append(weeks[e.version], e)
		}
	}
	var sizes []edition
	for _, version := range slices.Sorted(maps.Keys(weeks)) {
		sizes = append(sizes, edition{version: version, rows: int64(len(weeks[version]))})
	}
	var folded []edition
	for _, e := range crowded(sizes, mostTotals) {
		folded = append(folded, weeks[e.version]...)
	}
	if len(folded) == 0 {
		return nil
	}
	const columns = "website_id, bucket, width, level, platform, bot_type, " + totalColumns
	if err := p.copyRows(ctx, "totals", columns, "totals", among(folded)); err != nil {
		return err
	}
	for _, e := range folded {
		c.remove = append(c.remove, e)
		c.add = append(c.add, edition{kind: kindTotals, week: e.week, version: p.version})
	}
	return nil
}

// after is the editions of the visits of a week once this version is published.
func (p *publishing) after(week int64) (now []edition) {
	for _, e := range append(p.state.of(facts.KindVisits, week, week), p.made...) {
		if e.week == week && !slices.Contains(p.folded, e) {
			now = append(now, e)
		}
	}
	return now
}

// Starts of the buckets, by their width in days.
var buckets = []struct {
	width int
	start string
}{
	{1, "ts - ts % 86400"},
	{7, "week"},
}

// countTotals is the statement that counts editions, once for each width of
// bucket and each level of grouping.
func (p *publishing) countTotals(visits []edition) string {
	var counts []string
	for _, bucket := range buckets {
		for level := range facts.LevelPlatform + facts.LevelBotType + 1 {
			platform, botType := "''", "''"
			by := []string{"week", "website_id"}
			if bucket.start != "week" {
				by = append(by, bucket.start)
			}
			if level&facts.LevelPlatform != 0 {
				platform = "platform"
				by = append(by, platform)
			}
			if level&facts.LevelBotType != 0 {
				botType = "bot_type"
				by = append(by, botType)
			}
			counts = append(counts, fmt.Sprintf(`select week, toUInt64(%d), website_id, %s, toUInt8(%d), toUInt8(%d), %s, %s,
  %s
from %s
where %s
group by %s`, p.version, bucket.start, bucket.width, level, platform, botType, totalFigures,
				p.local("visits"), among(visits), strings.Join(by, ", ")))
		}
	}
	return "insert into " + p.local("totals") + " (week, version, website_id, bucket, width, level, platform, bot_type,\n  " +
		totalColumns + ")\n" + strings.Join(counts, "\nunion all\n")
}

// The figures of the totals (S18), and how they are counted.
const (
	sentByAI     = "bot = 0 and referred = 1 and platform not in ('none', 'other')"
	totalColumns = `bot_visits, human_visits, referred_human_visits, ai_referred_human_visits,
  unique_human_visitors, unique_pages, unique_human_pages,
  unique_human_platforms, bot_user_agents,
  all_pages, bot_paths, human_paths, all_paths`
	totalFigures = `countIf(bot = 1), countIf(bot = 0), countIf(bot = 0 and referred = 1), countIf(` + sentByAI + `),
  uniqExactIf(visitor, bot = 0), uniqExactIf(normalized_url_path, bot = 1), uniqExactIf(normalized_url_path, bot = 0),
  uniqExactIf(platform, ` + sentByAI + `), uniqExactIf(user_agent, bot = 1),
  uniqExact(normalized_url_path), uniqExactIf(url_path, bot = 1), uniqExactIf(url_path, bot = 0), uniqExact(url_path)`
)
