package clickhouse

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// mostEditions is how many editions a week may have before they are written
// anew as one, and mostTotals how many versions the totals of all weeks.
const (
	mostEditions = 8
	mostTotals   = 4
)

// publishing is the work of a publish: what changes, week by week.
type publishing struct {
	*load
	state    *state
	folded   []edition      // that are written anew, without rows that are replaced
	replaced int64          // rows
	fresh    int64          // rows of this load, after replacement within it
	touched  map[int64]bool // weeks in which rows come or go
	made     []edition      // of this version
}

// Publish implements facts.Load.
func (d *load) Publish(ctx context.Context, inputs []facts.Input) (done facts.Published, err error) {
	if err := d.flush(ctx); err != nil {
		return done, err
	}
	p := &publishing{load: d, touched: make(map[int64]bool)}
	if p.state, err = d.current(ctx, d.shards[0]); err != nil {
		return done, err
	}
	c, err := p.build(ctx)
	if err != nil {
		return done, err
	}
	c.inputs, c.nextAnswerKey = inputs, d.firstKey
	if d.kind == facts.KindAnswers {
		c.nextAnswerKey += d.seq
	}
	done = facts.Published{Rows: p.fresh, Replaced: p.replaced}
	for week := range p.touched {
		done.Weeks = append(done.Weeks, week)
	}
	slices.Sort(done.Weeks)
	version := d.version
	if done.Version, err = d.commit(ctx, c); err != nil {
		return done, err
	}
	d.done = true
	d.dropStaged(ctx, version)
	return done, nil
}

// dropStaged removes the rows of a version that have found their place. If it
// fails, the next load does it.
func (d *load) dropStaged(ctx context.Context, version int64) {
	for _, table := range stagedTables {
		for i := range d.shards {
			if d.sent[table] > 0 {
				_ = d.dropPartition(ctx, i, table, fmt.Sprint(version))
			}
		}
	}
}

// build writes the editions of this version.
func (p *publishing) build(ctx context.Context) (c change, err error) {
	staged := "staged_" + string(p.kind)
	if p.sent[staged] > 0 {
		if err := p.findReplaced(ctx, staged); err != nil {
			return c, err
		}
	}
	for table, n := range p.sent {
		if n == 0 || table != staged && table != string(p.kind) {
			continue
		}
		if err := p.weeksOf(ctx, table); err != nil {
			return c, err
		}
	}
	p.foldCrowded()
	write := p.writeVisits
	if p.kind == facts.KindAnswers {
		write = p.writeAnswers
	}
	if err := write(ctx); err != nil {
		return c, err
	}
	if err := p.settle(ctx, tablesOf[p.kind]...); err != nil {
		return c, err
	}
	if err := p.count(ctx); err != nil {
		return c, err
	}
	c = change{add: p.made, remove: p.folded}
	if p.kind == facts.KindVisits {
		err = p.writeTotals(ctx, &c)
	}
	return c, err
}

// each runs a query that gives numbers.
func (d *load) each(ctx context.Context, sql string, columns int, row func(n []int64)) error {
	return d.query(ctx, sql, func(scan facts.Scan) error {
		numbers, into := make([]int64, columns), make([]any, columns)
		for i := range numbers {
			into[i] = (*facts.Int)(&numbers[i])
		}
		err := scan(into...)
		row(numbers)
		return err
	})
}

// findReplaced finds the editions that have rows with an id that was loaded
// now, on whatever shard and in whatever week.
func (p *publishing) findReplaced(ctx context.Context, staged string) error {
	distinct, err := scalar(ctx, p, fmt.Sprintf("select uniqExact(id) from %s where version = %d", p.all(staged), p.version))
	if err != nil {
		return err
	}
	p.fresh = distinct
	var withIDs []edition
	known := make(map[edition]edition)
	for _, e := range p.state.editions {
		if e.kind == p.kind && e.ids > 0 {
			withIDs = append(withIDs, e)
			known[edition{week: e.week, version: e.version}] = e
		}
	}
	if len(withIDs) == 0 {
		return nil
	}
	return p.each(ctx, fmt.Sprintf("select week, version, count() from %s where %s and id global in (select id from %s where version = %d) group by week, version",
		p.all(string(p.kind)), among(withIDs), p.all(staged), p.version), 3, func(n []int64) {
		p.folded = append(p.folded, known[edition{week: n[0], version: n[1]}])
		p.touched[n[0]] = true
		p.replaced += n[2]
	})
}

// weeksOf notes the weeks of a table's new rows.
func (p *publishing) weeksOf(ctx context.Context, table string) error {
	if table == "visits" {
		p.fresh += p.sent[table]
	}
	return p.each(ctx, fmt.Sprintf("select distinct week from %s where version = %d", p.all(table), p.version), 1, func(n []int64) {
		p.touched[n[0]] = true
	})
}

// foldCrowded writes editions of weeks anew that would have too many.
func (p *publishing) foldCrowded() {
	for week := range p.touched {
		var others []edition
		for _, e := range p.state.of(p.kind, week, week) {
			if !slices.Contains(p.folded, e) {
				others = append(others, e)
			}
		}
		p.folded = append(p.folded, crowded(others, mostEditions)...)
	}
}

// crowded picks the editions of a week to put together: the small ones, so that
// loads that come often do not write a large week anew each time; and larger ones
// as soon as those before them are not much less together.
func crowded(editions []edition, most int) []edition {
	if len(editions) < most {
		return nil
	}
	editions = slices.Clone(editions)
	slices.SortFunc(editions, func(a, b edition) int { return cmp.Compare(a.rows, b.rows) })
	var rows int64
	for i, e := range editions {
		if i > most/2 && e.rows > 2*rows {
			return editions[:i]
		}
		rows += e.rows
	}
	return editions
}

// count notes what was written, and refuses to publish if that is not as many
// rows as there must be.
func (p *publishing) count(ctx context.Context) error {
	want := p.fresh - p.replaced
	for _, e := range p.folded {
		want += e.rows
	}
	err := p.each(ctx, fmt.Sprintf("select week, count(), countIf(id != ''), max(ts) from %s where version = %d group by week order by week",
		p.all(string(p.kind)), p.version), 4, func(n []int64) {
		p.made = append(p.made, edition{p.kind, n[0], p.version, n[1], n[2], n[3]})
		want -= n[1]
	})
	if err == nil && want != 0 {
		err = fmt.Errorf("%d rows too few were written to %s", want, p.all(string(p.kind)))
	}
	return err
}

// stagedIDs selects the ids of this load; latest those of them with the place of
// their last row.
func (p *publishing) stagedIDs(staged string) string {
	return fmt.Sprintf("(select id from %s where version = %d)", p.all(staged), p.version)
}

func (p *publishing) latest(staged string) string {
	return fmt.Sprintf("(select id, max(seq) from %s where version = %d group by id)", p.all(staged), p.version)
}

// copyRows writes rows of a table, on each shard where they are, as an edition
// of this version. The version is no alias: in ClickHouse, a condition would mean
// the alias.
func (l *Loader) copyRows(ctx context.Context, into, columns, from, condition string) error {
	return l.onEach(ctx, fmt.Sprintf("insert into %s (week, version, %s) select week, toUInt64(%d), %s from %s where %s",
		l.local(into), columns, l.version, columns, l.local(from), condition))
}

func (p *publishing) writeVisits(ctx context.Context) error {
	const columns = "id, " + visitColumns
	staged := p.sent["staged_visits"] > 0
	if len(p.folded) > 0 {
		kept := among(p.folded)
		if staged {
			kept += " and id not in " + p.stagedIDs("staged_visits")
		}
		if err := p.copyRows(ctx, "visits", columns, "visits", kept); err != nil {
			return err
		}
	}
	if !staged {
		return nil
	}
	return p.copyRows(ctx, "visits", columns, "staged_visits",
		fmt.Sprintf("version = %d and (id, seq) in %s", p.version, p.latest("staged_visits")))
}

func (p *publishing) writeAnswers(ctx context.Context) error {
	ids := p.stagedIDs("staged_answers")
	if len(p.folded) > 0 {
		if err := p.copyRows(ctx, "answers", "id, "+answerColumns, "answers", among(p.folded)+" and id not in "+ids); err != nil {
			return err
		}
		kept := fmt.Sprintf("%s and answer_key not in (select answer_key from %s where %[1]s and id in %[3]s)", among(p.folded), p.local("answers"), ids)
		for table, columns := range answerParts {
			if err := p.copyRows(ctx, table, columns, table, kept); err != nil {
				return err
			}
		}
	}
	mine := fmt.Sprintf("version = %d and ", p.version)
	if err := p.copyRows(ctx, "answers", "id, "+answerColumns, "staged_answers", mine+"(id, seq) in "+p.latest("staged_answers")); err != nil {
		return err
	}
	for table, columns := range answerParts {
		condition := fmt.Sprintf("%sanswer_key in (select answer_key from %s where version = %d)", mine, p.local("answers"), p.version)
		if err := p.copyRows(ctx, table, columns, "staged_"+table, condition); err != nil {
			return err
		}
	}
	return nil
}

// tablesOf are the tables of a kind, without totals.
var tablesOf = map[facts.Kind][]string{facts.KindVisits: {"visits"}, facts.KindAnswers: {"answers", "mentions", "citations"}}

// answerParts are the tables of what is in answers, with their columns.
var answerParts = map[string]string{"mentions": mentionColumns, "citations": citationColumns}
