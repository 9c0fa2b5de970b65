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
	// levels are columns by which rows are grouped or not, at each level of grouping:
	// those that are not are empty, and a column says which level it is.
	levels []string
	where  string // which visits; empty: all
	// busy leaves out pages with few visits in a week.
	busy bool
	// sliced is a column of by that may have so many values that not all are counted
	// by one statement; empty: none may.
	sliced string
}

// totalsTables are all of them. A new one needs its place here, a migration that
// makes it, and a word in docs/scaling.md; weeks that are there are counted by
// 'sightline migrate'.
var totalsTables = []totalsTable{
	{name: facts.Totals, levels: []string{"platform", "bot_type"}, figures: facts.TotalColumns[:], counts: totalCounts},
	{name: facts.DirectoryTotals, by: []string{"url_path_directory"}, figures: facts.MetricColumns, counts: metricCounts, sliced: "url_path_directory"},
	{name: facts.AgentTotals, by: []string{"platform", "bot_type", "user_agent"}, where: "bot = 1", sliced: "user_agent"},
	{name: facts.BusyPages, by: []string{"normalized_url_path"}, levels: []string{"platform"}, figures: facts.MetricColumns, counts: metricCounts, busy: true},
}

// totalCounts is how the figures of facts.TotalColumns are counted (S18).
var totalCounts = []string{
	"countIf(bot = 1)", "countIf(bot = 0)", "countIf(bot = 0 and referred = 1)", "countIf(" + sentByAI + ")",
	"uniqExactIf(visitor, bot = 0)", "uniqExactIf(normalized_url_path, bot = 1)", "uniqExactIf(normalized_url_path, bot = 0)",
	"uniqExactIf(platform, " + sentByAI + ")", "uniqExactIf(user_agent, bot = 1)",
	"uniqExact(normalized_url_path)", "uniqExactIf(url_path, bot = 1)", "uniqExactIf(url_path, bot = 0)", "uniqExact(url_path)",
}

// metricCounts is how those of facts.MetricColumns are.
var metricCounts = totalCounts[:len(facts.MetricColumns)]

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
	if len(t.levels) > 0 {
		columns = append(columns, "level")
	}
	return strings.Join(slices.Concat(columns, t.about(), t.figures), ", ")
}

// about is the columns that say what a row is about.
func (t *totalsTable) about() []string { return slices.Concat(t.by, t.levels) }

// Starts of the buckets, by their width in days.
var buckets = []struct {
	width int
	start string
}{
	{1, "ts - ts % 86400"},
	{7, "week"},
}

// statements count a slice of editions, once for each width of bucket and each
// level of grouping: one after the other, because a server would do all of one
// statement at once and have the sets of all in memory, unless there are few visits.
func (c *counting) statements(t *totalsTable, visits []edition, slice, slices int) []string {
	where := t.of(visits)
	if t.busy {
		where += fmt.Sprintf(" and (week, website_id, normalized_url_path) in (select week, website_id, normalized_url_path\n  from %s where %s\n"+
			"  group by week, website_id, normalized_url_path having count() >= %d)", c.local("visits"), among(visits), facts.BusyVisits)
	}
	if slices > 1 {
		where += fmt.Sprintf(" and cityHash64(%s) %% %d = %d", t.sliced, slices, slice)
	}
	var selects []string
	for _, bucket := range buckets {
		for level := range 1 << len(t.levels) {
			selects = append(selects, c.selectTotals(t, bucket.width, bucket.start, level, where))
		}
	}
	if rowsOf(visits) <= valuesAtOnce {
		selects = []string{strings.Join(selects, "\nunion all\n")}
	}
	for i, s := range selects {
		selects[i] = fmt.Sprintf("insert into %s (week, version, %s)\n%s", c.local(string(t.name)), t.columns(), s)
	}
	return selects
}

// of is the condition for the visits that are counted.
func (t *totalsTable) of(visits []edition) string {
	if t.where == "" {
		return among(visits)
	}
	return among(visits) + " and " + t.where
}

// selectTotals counts buckets of one width at one level.
func (c *counting) selectTotals(t *totalsTable, width int, start string, level int, where string) string {
	values := []string{"week", unsigned(c.version), "website_id", start, fmt.Sprintf("toUInt8(%d)", width)}
	if len(t.levels) > 0 {
		values = append(values, fmt.Sprintf("toUInt8(%d)", level))
	}
	groups := []string{"week", "website_id"}
	if start != "week" {
		groups = append(groups, start)
	}
	values, groups = append(values, t.by...), append(groups, t.by...)
	for i, column := range t.levels {
		if level>>i&1 == 0 {
			values = append(values, "''")
			continue
		}
		values, groups = append(values, column), append(groups, column)
	}
	return fmt.Sprintf("select %s\nfrom %s\nwhere %s\ngroup by %s", strings.Join(append(values, t.counts...), ", "),
		c.local("visits"), where, strings.Join(groups, ", "))
}

// valuesAtOnce is how many values of a column that a table is sliced by are counted
// by one statement, about: a directory has a few sets for each day, of a kilobyte together.
var valuesAtOnce int64 = 100_000

// slices is into how many slices visits are cut to be counted.
func (c *counting) slices(ctx context.Context, t *totalsTable, visits []edition) (int, error) {
	if t.sliced == "" || rowsOf(visits) <= valuesAtOnce {
		return 1, nil
	}
	n, err := scalar(ctx, c, fmt.Sprintf("select uniq(website_id, %s) from %s where %s", t.sliced, c.all("visits"), t.of(visits)))
	return int(n/valuesAtOnce) + 1, err
}
