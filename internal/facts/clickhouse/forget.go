package clickhouse

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
)

// PlanForget implements facts.Store.
func (s Store) PlanForget(ctx context.Context, whose facts.Whose) (f facts.Forgotten, err error) {
	err = s.reading(ctx, func(b *base, _ []server) error {
		now, err := b.current(ctx, b)
		if err != nil {
			return err
		}
		f, _, err = b.planForget(ctx, now, whose)
		return err
	})
	return f, err
}

// Forget implements facts.Loader: the editions that have something of it are
// written anew without, on each shard where they are, and published at once.
func (l *Loader) Forget(ctx context.Context, whose facts.Whose, progress func(done, all int)) (facts.Forgotten, error) {
	if err := l.begin(ctx, nil); err != nil {
		return facts.Forgotten{}, err
	}
	now, err := l.current(ctx, l.shards[0])
	if err != nil {
		return facts.Forgotten{}, err
	}
	f, touched, err := l.planForget(ctx, now, whose)
	if err != nil || f.Nothing() {
		return f, err
	}
	var c change
	kinds := []facts.Kind{facts.KindVisits}
	for _, t := range totalsTables {
		kinds = append(kinds, t.kind())
	}
	kinds = append(kinds, facts.KindAnswers)
	for i, kind := range kinds {
		progress(i, len(kinds))
		if err := l.rewrite(ctx, kind, touched[kind], whose, &c); err != nil {
			return f, err
		}
	}
	progress(len(kinds), len(kinds))
	f.Version, err = l.commit(ctx, c)
	f.Free = time.Now().Add(grace).UTC()
	return f, err
}

// planForget counts what goes, and finds the editions with something of it.
func (b *base) planForget(ctx context.Context, now *state, whose facts.Whose) (f facts.Forgotten, touched map[facts.Kind][]edition, err error) {
	f.Version, touched = now.version, make(map[facts.Kind][]edition)
	type look struct {
		table     string
		condition string
		rows      *int64
	}
	looks := []look{{"visits", websitesOf(whose), &f.Visits}, {"answers", productsOf(whose), &f.Answers}}
	for _, name := range totalsNames() {
		looks = append(looks, look{name, websitesOf(whose), nil})
	}
	for _, look := range looks {
		kind := kindOf(facts.Table(look.table))
		known := make(map[edition]edition)
		var current []edition
		for _, e := range now.editions {
			if e.kind == kind {
				current = append(current, e)
				known[edition{week: e.week, version: e.version}] = e
			}
		}
		err = b.query(ctx, fmt.Sprintf("select week, version, count() from %s where %s and %s group by week, version order by week, version",
			b.all(look.table), among(current), look.condition), func(scan facts.Scan) error {
			var week, version, rows facts.Int
			if err := scan(&week, &version, &rows); err != nil {
				return err
			}
			touched[kind] = append(touched[kind], known[edition{week: int64(week), version: int64(version)}])
			if look.rows != nil {
				*look.rows += int64(rows)
				f.Touch(int64(week), int64(week))
			}
			return nil
		})
		if err != nil {
			return f, nil, err
		}
	}
	for table, rows := range map[string]*int64{"mentions": &f.Mentions, "citations": &f.Citations} {
		gone := among(touched[facts.KindAnswers])
		if *rows, err = scalar(ctx, b, fmt.Sprintf("select count() from %s where %s and answer_key global in (select answer_key from %s where %s and %s)",
			b.all(table), gone, b.all("answers"), gone, productsOf(whose))); err != nil {
			return f, nil, err
		}
	}
	return f, touched, nil
}

// rewrite copies editions without what is forgotten, as editions of this version.
func (l *Loader) rewrite(ctx context.Context, kind facts.Kind, olds []edition, whose facts.Whose, c *change) error {
	if len(olds) == 0 {
		return nil
	}
	c.remove = append(c.remove, olds...)
	from := among(olds)
	if totals := totalsOf(kind); totals != nil {
		return l.rewriteTotals(ctx, totals, olds, whose, c)
	}
	var err error
	switch kind {
	case facts.KindVisits:
		err = l.copyRows(ctx, "visits", "id, "+visitColumns, "visits", from+" and not "+websitesOf(whose))
	default:
		if err = l.copyRows(ctx, "answers", "id, "+answerColumns, "answers", from+" and not "+productsOf(whose)); err != nil {
			return err
		}
		for table, columns := range answerParts {
			// A prompt's answers are on one shard, and what is in them.
			kept := fmt.Sprintf("%s and answer_key not in (select answer_key from %s where %[1]s and %[3]s)", from, l.local("answers"), productsOf(whose))
			if err = l.copyRows(ctx, table, columns, table, kept); err != nil {
				return err
			}
		}
	}
	if err != nil {
		return err
	}
	if err := l.settle(ctx, tablesOf[kind]...); err != nil {
		return err
	}
	return l.madeOf(ctx, kind, c)
}

// rewriteTotals copies editions of totals. One may be left without rows, and is
// still what was counted of its week.
func (l *Loader) rewriteTotals(ctx context.Context, t *totalsTable, olds []edition, whose facts.Whose, c *change) error {
	for _, e := range olds {
		c.add = append(c.add, edition{kind: t.kind(), week: e.week, version: l.version})
	}
	if err := l.copyRows(ctx, string(t.name), t.columns(), string(t.name), among(olds)+" and not "+websitesOf(whose)); err != nil {
		return err
	}
	return l.settle(ctx, string(t.name))
}

// madeOf notes the editions of this version that have rows.
func (l *Loader) madeOf(ctx context.Context, kind facts.Kind, c *change) error {
	return l.query(ctx, fmt.Sprintf("select week, count(), countIf(id != ''), max(ts) from %s where version = %d group by week order by week", l.all(string(kind)), l.version),
		func(scan facts.Scan) error {
			e := edition{kind: kind, version: l.version}
			err := scan((*facts.Int)(&e.week), (*facts.Int)(&e.rows), (*facts.Int)(&e.ids), (*facts.Int)(&e.newest))
			c.add = append(c.add, e)
			return err
		})
}

// websitesOf and productsOf are the conditions for rows of those.
func websitesOf(whose facts.Whose) string { return oneOf("website_id", whose.Websites, quote) }

func productsOf(whose facts.Whose) string {
	return oneOf("product_id", whose.Products, func(id int64) string { return strconv.FormatInt(id, 10) })
}

func oneOf[T any](column string, values []T, literal func(T) string) string {
	if len(values) == 0 {
		return "(1 = 0)"
	}
	var list []string
	for _, v := range values {
		list = append(list, literal(v))
	}
	return "(" + column + " in (" + strings.Join(list, ", ") + "))"
}
