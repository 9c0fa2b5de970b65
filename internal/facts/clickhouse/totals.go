package clickhouse

import (
	"context"
	"maps"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// rowsAtOnce bounds the memory of counting distinct things: so many visits are
// counted by one statement, or those of one week.
var rowsAtOnce int64 = 20_000_000

// counting is weeks whose visits are counted, as editions of this version.
type counting struct {
	*Loader
	state  *state // before
	change *change
	// weeks are the visits to be counted, by week; none: the week has none any more.
	weeks map[int64][]edition
}

// count writes the weeks into a table of totals. A website is on one shard, so
// each shard counts its own.
func (c *counting) count(ctx context.Context, t *totalsTable) error {
	var visits []edition
	var rows int64
	for _, week := range slices.Sorted(maps.Keys(c.weeks)) {
		c.change.remove = append(c.change.remove, c.state.of(t.kind(), week, week)...)
		if len(c.weeks[week]) > 0 {
			c.change.add = append(c.change.add, edition{kind: t.kind(), week: week, version: c.version})
		}
		more := rowsOf(c.weeks[week])
		if rows > 0 && rows+more > rowsAtOnce {
			if err := c.countVisits(ctx, t, visits); err != nil {
				return err
			}
			visits, rows = nil, 0
		}
		visits, rows = append(visits, c.weeks[week]...), rows+more
	}
	if err := c.countVisits(ctx, t, visits); err != nil {
		return err
	}
	if err := c.fold(ctx, t); err != nil {
		return err
	}
	return c.settle(ctx, string(t.name))
}

func (c *counting) countVisits(ctx context.Context, t *totalsTable, visits []edition) error {
	if len(visits) == 0 {
		return nil
	}
	slices, err := c.slices(ctx, t, visits)
	if err != nil {
		return err
	}
	for i := range slices {
		for _, statement := range c.statements(t, visits, i, slices) {
			if err := c.onEach(ctx, statement); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowsOf adds up the rows of editions.
func rowsOf(editions []edition) (rows int64) {
	for _, e := range editions {
		rows += e.rows
	}
	return rows
}

// fold writes the totals of other weeks anew, beside those of this version, if
// they are of many versions.
func (c *counting) fold(ctx context.Context, t *totalsTable) error {
	weeks := make(map[int64][]edition) // by version
	for _, e := range c.state.editions {
		if _, counted := c.weeks[e.week]; e.kind == t.kind() && !counted {
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
	if err := c.copyRows(ctx, string(t.name), t.columns(), string(t.name), among(folded)); err != nil {
		return err
	}
	for _, e := range folded {
		c.change.remove = append(c.change.remove, e)
		c.change.add = append(c.change.add, edition{kind: t.kind(), week: e.week, version: c.version})
	}
	return nil
}

// writeTotals counts the weeks whose visits have changed.
func (p *publishing) writeTotals(ctx context.Context, c *change) error {
	counting := counting{Loader: p.Loader, state: p.state, change: c, weeks: make(map[int64][]edition)}
	for week := range p.touched {
		counting.weeks[week] = p.after(week)
	}
	for i := range totalsTables {
		if err := counting.count(ctx, &totalsTables[i]); err != nil {
			return err
		}
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
