package duckdb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// fillVisits writes the visits of a span. The new file keeps the old one's
// words with their numbers and adds new ones after them, so that old visits
// are copied as they are.
func (b *build) fillVisits(ctx context.Context) error {
	for i, w := range vocabulary {
		if err := b.fillWords(ctx, i, w); err != nil {
			return err
		}
	}
	visits := fmt.Sprintf("select %s from staged_visits(%d)", unpacked, b.number)
	if b.ids > 0 {
		visits += " left join (select id, seq as latest from stage.staged_ids) using (id) where id is null or seq = latest"
	}
	if b.old != nil {
		visits += " union all select * from old.visits where " + kept
	}
	if err := b.exec(ctx, "insert into made.visits select * from ("+visits+") order by website, ts"); err != nil {
		return err
	}
	return b.fillTotals(ctx)
}

// fillWords writes a table of words. A word that is new to the span keeps its
// number of the stage, moved behind those of the old file. The others are noted
// as exceptions: words of the old file, and words that have several numbers.
// Words are compared by their sums: texts can be long, and many.
func (b *build) fillWords(ctx context.Context, i int, w words) error {
	columns := strings.Join(w.columns, ", ")
	used := fmt.Sprintf("%s in (select number from used_words(%d, %d))", w.key, b.number, i)
	if b.old == nil && !b.numberings[w.table].restarted { // each word has one number, and it is free
		statement := fmt.Sprintf("insert into made.%[1]s select * from stage.%[1]s where %[2]s", w.table, used)
		return errors.Join(b.exec(ctx, statement), b.note(ctx, i, w, 0, "select 0, 0 where false"))
	}
	sums := fmt.Sprintf("stage.sums_%d_%d", b.number, i) // of the staged words: number, sum, number of the first with that sum
	statements := []string{fmt.Sprintf("create table %s as select number, sum, min(number) over (partition by sum) as first"+
		" from (select %s as number, %s as sum from stage.%s where %s)", sums, w.key, w.sum(), w.table, used)}
	known := "false"
	if b.old != nil {
		statements = append(statements, fmt.Sprintf("insert into made.%[1]s select * from old.%[1]s", w.table))
		known = fmt.Sprintf("sum in (select %s from old.%s)", w.sum(), w.table)
	}
	for _, statement := range statements {
		if err := b.exec(ctx, statement); err != nil {
			return err
		}
	}
	var behind int64
	if err := b.scalar(ctx, b.names.Replace(fmt.Sprintf("select max(%s) + 1 from made.%s", w.key, w.table)), &behind); err != nil {
		return err
	}
	if err := b.exec(ctx, fmt.Sprintf("insert into made.%s select %s + %d, %s from stage.%[1]s where %[2]s in (select first from %[5]s where not (%[6]s))",
		w.table, w.key, behind, columns, sums, known)); err != nil {
		return err
	}
	exceptions := fmt.Sprintf("select number, first + %d from %s where number <> first and not (%s)", behind, sums, known)
	if b.old != nil {
		exceptions += fmt.Sprintf(" union all select s.number, o.%[1]s from %[2]s s join (select %[1]s, %[3]s as sum from old.%[4]s) o using (sum)",
			w.key, sums, w.sum(), w.table)
	}
	if err := b.note(ctx, i, w, behind, exceptions); err != nil {
		return err
	}
	return b.exec(ctx, "drop table "+sums)
}

// note notes which number each word has in the new file.
func (b *build) note(ctx context.Context, i int, w words, behind int64, exceptions string) error {
	numbers := make([]uint32, b.numberings[w.table].next)
	for n := range numbers {
		numbers[n] = uint32(n) + uint32(behind)
	}
	b.numbers[i] = numbers
	return b.each(ctx, b.names.Replace(exceptions), func(scan facts.Scan) error {
		var was, now facts.Int
		if err := scan(&was, &now); err != nil {
			return err
		}
		numbers[was] = uint32(now)
		return nil
	})
}
