package duckdb

import (
	"context"
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
func (b *build) fillWords(ctx context.Context, i int, w words) error {
	columns := strings.Join(w.columns, ", ")
	staged := fmt.Sprintf("(select * from stage.%s where %s in (select number from used_words(%d, %d)))", w.table, w.key, b.number, i)
	known := ""
	if b.old != nil {
		if err := b.exec(ctx, fmt.Sprintf("insert into made.%[1]s select * from old.%[1]s", w.table)); err != nil {
			return err
		}
		known = fmt.Sprintf(" anti join old.%s using (%s)", w.table, columns)
	}
	var behind int64
	if err := b.scalar(ctx, b.names.Replace(fmt.Sprintf("select max(%s) + 1 from made.%s", w.key, w.table)), &behind); err != nil {
		return err
	}
	if err := b.exec(ctx, fmt.Sprintf("insert into made.%s select min(%s) + %d, %s from %s%s group by %[4]s",
		w.table, w.key, behind, columns, staged, known)); err != nil {
		return err
	}
	numbers := make([]uint32, b.numberings[w.table].next)
	for n := range numbers {
		numbers[n] = uint32(n) + uint32(behind)
	}
	b.numbers[i] = numbers
	return b.each(ctx, b.names.Replace(fmt.Sprintf("select was.%[1]s, now.%[1]s from %[2]s was join made.%[3]s now using (%[4]s) where now.%[1]s <> was.%[1]s + %[5]d",
		w.key, staged, w.table, columns, behind)), func(scan facts.Scan) error {
		var was, now uint32
		if err := scan(&was, &now); err != nil {
			return err
		}
		numbers[was] = now
		return nil
	})
}
