package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// totalsTable is a table of what is counted about the visits of whole days and
// weeks. Its editions are of a kind of its own, one for each week, and its rows are
// in a partition for each version.
type totalsTable struct {
	name facts.Table
	// by are the columns that say what a row is about, beside the week, the version,
	// website_id, bucket and width; figures those that are counted, and counts how.
	by, figures, counts []string
	// levels has rows at each level of grouping, with those of by that are not grouped
	// by empty, and a column that says which.
	levels bool
	where  string // which visits; empty: all
	// sliced is a column of by that may have so many values that not all are counted
	// by one statement; empty: none may.
	sliced string
}

// totalsTables are all of them. A new one needs its place here, a migration that
// makes it, and a word in docs/scaling.md; weeks that are there are counted by
// 'sightline migrate'.
var totalsTables = []totalsTable{
	{name: facts.Totals, by: []string{"platform", "bot_type"}, figures: facts.TotalColumns[:], counts: totalCounts, levels: true},
	{name: facts.DirectoryTotals, by: []string{"url_path_directory"}, figures: facts.MetricColumns, counts: totalCounts[:len(facts.MetricColumns)],
		sliced: "url_path_directory"},
	{name: facts.AgentTotals, by: []string{"platform", "bot_type", "user_agent"}, where: "bot = 1"},
}

// totalCounts is how the figures of facts.TotalColumns are counted (S18).
var totalCounts = []string{
	"countIf(bot = 1)", "countIf(bot = 0)", "countIf(bot = 0 and referred = 1)", "countIf(" + sentByAI + ")",
	"uniqExactIf(visitor, bot = 0)", "uniqExactIf(normalized_url_path, bot = 1)", "uniqExactIf(normalized_url_path, bot = 0)",
	"uniqExactIf(platform, " + sentByAI + ")", "uniqExactIf(user_agent, bot = 1)",
	"uniqExact(normalized_url_path)", "uniqExactIf(url_path, bot = 1)", "uniqExactIf(url_path, bot = 0)", "uniqExact(url_path)",
}

const sentByAI = "bot = 0 and referred = 1 and platform not in ('none', 'other')"

// kind is that of its editions.
func (t *totalsTable) kind() facts.Kind { return facts.Kind(t.name) }

// totalsOf is the table of totals that a kind of editions is of, or nil.
func totalsOf(kind facts.Kind) *totalsTable {
	at := slices.IndexFunc(totalsTables, func(t totalsTable) bool { return t.kind() == kind })
	if at < 0 {
		return nil
	}
	return &totalsTables[at]
}

// totalsNames are the names of the tables.
func totalsNames() (names []string) {
	for _, t := range totalsTables {
		names = append(names, string(t.name))
	}
	return names
}

// columns are those beside the week and the version.
func (t *totalsTable) columns() string {
	columns := []string{"website_id", "bucket", "width"}
	if t.levels {
		columns = append(columns, "level")
	}
	return strings.Join(slices.Concat(columns, t.by, t.figures), ", ")
}

// Starts of the buckets, by their width in days.
var buckets = []struct {
	width int
	start string
}{
	{1, "ts - ts % 86400"},
	{7, "week"},
}

// statement counts a slice of editions, once for each width of bucket and each
// level of grouping.
func (c *counting) statement(t *totalsTable, visits []edition, slice, slices int) string {
	where := among(visits)
	if t.where != "" {
		where += " and " + t.where
	}
	if slices > 1 {
		where += fmt.Sprintf(" and cityHash64(%s) %% %d = %d", t.sliced, slices, slice)
	}
	var selects []string
	for _, bucket := range buckets {
		if !t.levels {
			selects = append(selects, c.selectTotals(t, bucket.width, bucket.start, t.by, t.by, "", where))
			continue
		}
		for level := range 1 << len(t.by) {
			shown, by := make([]string, len(t.by)), []string(nil)
			for i, column := range t.by {
				if shown[i] = "''"; level>>i&1 != 0 {
					shown[i], by = column, append(by, column)
				}
			}
			selects = append(selects, c.selectTotals(t, bucket.width, bucket.start, shown, by, fmt.Sprintf("toUInt8(%d)", level), where))
		}
	}
	return fmt.Sprintf("insert into %s (week, version, %s)\n%s", c.local(string(t.name)), t.columns(), strings.Join(selects, "\nunion all\n"))
}

// selectTotals counts buckets of one width at one level.
func (c *counting) selectTotals(t *totalsTable, width int, start string, shown, by []string, level, where string) string {
	values := []string{"week", unsigned(c.version), "website_id", start, fmt.Sprintf("toUInt8(%d)", width)}
	if level != "" {
		values = append(values, level)
	}
	groups := []string{"week", "website_id"}
	if start != "week" {
		groups = append(groups, start)
	}
	return fmt.Sprintf("select %s\nfrom %s\nwhere %s\ngroup by %s", strings.Join(slices.Concat(values, shown, t.counts), ", "),
		c.local("visits"), where, strings.Join(append(groups, by...), ", "))
}

// valuesAtOnce is how many values of a column that a table is sliced by are counted
// by one statement, about: each has a few sets for each day, of a kilobyte together.
var valuesAtOnce int64 = 100_000

// slices is into how many slices visits are cut to be counted.
func (c *counting) slices(ctx context.Context, t *totalsTable, visits []edition) (int, error) {
	if t.sliced == "" || rowsOf(visits) <= valuesAtOnce {
		return 1, nil
	}
	n, err := scalar(ctx, c, fmt.Sprintf("select uniq(website_id, %s) from %s where %s", t.sliced, c.all("visits"), among(visits)))
	return int(n/valuesAtOnce) + 1, err
}
