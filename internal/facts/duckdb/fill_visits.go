package duckdb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// fillVisits writes the visits of a span. The new file keeps the words of the
// first old file with their numbers and adds those of the others after them.
func (b *build) fillVisits(ctx context.Context) error {
	for i, w := range vocabulary {
		if err := b.fillWords(ctx, i, w); err != nil {
			return err
		}
	}
	for _, week := range b.mondays() {
		fill := b.copyVisits
		if b.dirty[week] {
			fill = b.mixVisits
		}
		if err := fill(ctx, week); err != nil {
			return err
		}
	}
	for i := 1; i < len(b.olds); i++ {
		for _, w := range vocabulary {
			if err := b.exec(ctx, "drop table "+b.renumbered(i, w)); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyVisits takes a week from its old file, in the order they have there.
func (b *build) copyVisits(ctx context.Context, week int64) error {
	i, ok := b.oldOf(week)
	if !ok {
		return nil
	}
	if err := b.exec(ctx, fmt.Sprintf("insert into %s.visits %s", b.made(), b.oldVisits(i, within(week)))); err != nil {
		return err
	}
	if b.outdated(week) {
		return b.fillTotals(ctx, week, false)
	}
	for _, table := range visitTotals {
		if err := b.exec(ctx, fmt.Sprintf("insert into %s.%s %s where bucket >= %d and bucket < %d",
			b.made(), table, b.oldTotals(i, table), week, week+facts.WeekSeconds)); err != nil {
			return err
		}
	}
	return nil
}

// visitTotals are the tables with what was counted of visits.
var visitTotals = []facts.Table{facts.Totals, facts.DirectoryTotals, facts.AgentTotals}

// oldTotals reads what was counted of an old file, with the numbers of the new one.
func (b *build) oldTotals(i int, table facts.Table) string {
	if i == 0 {
		return fmt.Sprintf("select * from %s.%s", b.old(i), table)
	}
	var numbers, joins []string
	for n, w := range wordsOf(table) {
		numbers = append(numbers, fmt.Sprintf("n%d.now as %s", n, w.key))
		joins = append(joins, fmt.Sprintf(" join %s n%d on n%[2]d.number = t.%[3]s", b.renumbered(i, w), n, w.key))
	}
	return fmt.Sprintf("select t.* replace (%s) from %s.%s t%s", strings.Join(numbers, ", "), b.old(i), table, strings.Join(joins, ""))
}

// mixVisits puts the staged and the old visits of a week together, and counts them.
func (b *build) mixVisits(ctx context.Context, week int64) error {
	visits := fmt.Sprintf("select %s from staged_visits(%d, %d)", unpacked, b.number, week)
	if b.ids > 0 {
		visits += " left join (select id, seq as latest from stage.staged_ids) using (id) where id is null or seq = latest"
	}
	i, ok := b.oldOf(week)
	if ok {
		where := within(week)
		if b.ids > 0 {
			where += " and (id is null or id not in (select id from stage.staged_ids))"
		}
		visits += " union all " + b.oldVisits(i, where)
	}
	if err := b.exec(ctx, fmt.Sprintf("insert into %s.visits select * from (%s) order by website, ts", b.made(), visits)); err != nil {
		return err
	}
	return b.fillTotals(ctx, week, !ok && b.idRows == 0)
}

// oldVisits reads visits of an old file, with the numbers of the new one.
func (b *build) oldVisits(i int, where string) string {
	if i == 0 {
		return fmt.Sprintf("select * from %s.visits where %s", b.old(i), where)
	}
	columns := "select id, ts, website, source, bot, referred, visitor, page, path, agent"
	from := fmt.Sprintf(" from (select * from %s.visits where %s) v", b.old(i), where)
	for n, w := range vocabulary {
		columns = strings.Replace(columns, ", "+w.key, fmt.Sprintf(", n%d.now", n), 1)
		from += fmt.Sprintf(" join %s n%d on n%[2]d.number = v.%[3]s", b.renumbered(i, w), n, w.key)
	}
	return columns + from
}

// renumbered is the table that says which number the words of an old file have
// in the new one.
func (b *build) renumbered(i int, w words) string {
	return fmt.Sprintf("stage.%s_%d_%d", w.table, b.number, i)
}

// fillWords writes a table of words: those of the old files, then those of the
// stage that are new. Words are compared by their sums: texts can be long, and
// many.
func (b *build) fillWords(ctx context.Context, at int, w words) error {
	for i := range b.olds {
		if err := b.oldWords(ctx, i, w); err != nil {
			return err
		}
	}
	if b.visits == nil || len(b.staged) == 0 { // only old files are put together
		return nil
	}
	used := fmt.Sprintf("%s in (select number from used_words(%d, %d))", w.key, b.number, at)
	numbers := make([]uint32, b.numberings[w.table].next)
	b.numbers[at] = numbers
	if len(b.olds) == 0 && !b.numberings[w.table].restarted { // each word has one number, and it is free
		for n := range numbers {
			numbers[n] = uint32(n)
		}
		return b.exec(ctx, fmt.Sprintf("insert into %s.%s select * from stage.%[2]s where %[3]s", b.made(), w.table, used))
	}
	sums := fmt.Sprintf("stage.sums_%d_%d", b.number, at)
	behind, err := b.behind(ctx, w)
	for _, statement := range []string{
		fmt.Sprintf("create table %s as select %s as number, %s as sum from stage.%s where %s", sums, w.key, w.sum(), w.table, used),
		b.addWords(w, "stage."+w.table, behind, fmt.Sprintf("select min(number) from %s where sum not in (select %s from %s.%s) group by sum",
			sums, w.sum(), b.made(), w.table)),
	} {
		if err == nil {
			err = b.exec(ctx, statement)
		}
	}
	if err != nil {
		return err
	}
	now := fmt.Sprintf("select number, %s from %s join (select %[1]s, %[3]s as sum from %[4]s.%[5]s) using (sum)", w.key, sums, w.sum(), b.made(), w.table)
	err = b.each(ctx, now, func(scan facts.Scan) error {
		var was, now uint32
		err := scan(&was, &now)
		numbers[was] = now
		return err
	})
	return errors.Join(err, b.exec(ctx, "drop table "+sums))
}

// oldWords adds the words of an old file. Those of the first keep their numbers,
// and go if only visits before the span have them.
func (b *build) oldWords(ctx context.Context, i int, w words) error {
	if i == 0 {
		words := fmt.Sprintf("insert into %s.%s select * from %s.%[2]s", b.made(), w.table, b.old(i))
		if b.olds[i].firstWeek < b.firstWeek {
			words += fmt.Sprintf(" where %s in (select %[1]s from %s.visits where ts >= %d)", w.key, b.old(i), b.firstWeek)
		}
		return b.exec(ctx, words)
	}
	behind, err := b.behind(ctx, w)
	if err != nil {
		return err
	}
	known := fmt.Sprintf("(select %s as known, %s as sum from %s.%s)", w.key, w.sum(), b.made(), w.table)
	table := fmt.Sprintf("create table %s as select number, coalesce(known, number + %d)::uinteger as now"+
		" from (select %s as number, %s as sum from %s.%s) left join %s using (sum)",
		b.renumbered(i, w), behind, w.key, w.sum(), b.old(i), w.table, known)
	if err := b.exec(ctx, table); err != nil {
		return err
	}
	return b.exec(ctx, b.addWords(w, b.old(i)+"."+w.table, behind, fmt.Sprintf("select number from %s where now >= %d", b.renumbered(i, w), behind)))
}

// behind is the first number after those of the words of the new file.
func (b *build) behind(ctx context.Context, w words) (behind int64, err error) {
	err = b.scalar(ctx, fmt.Sprintf("select coalesce(max(%s) + 1, 0) from %s.%s", w.key, b.made(), w.table), &behind)
	return behind, err
}

// addWords takes some words of a table, with their numbers moved.
func (b *build) addWords(w words, from string, behind int64, which string) string {
	return fmt.Sprintf("insert into %s.%s select %s + %d, %s from %s where %[3]s in (%[7]s)",
		b.made(), w.table, w.key, behind, strings.Join(w.columns, ", "), from, which)
}
