package transfer

import (
	"context"
	"fmt"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// figures are what a week of a kind adds up to: as many as are needed to tell
// that two weeks are the same.
type figures struct {
	kind   facts.Kind
	week   int64
	values []int64 // the first is the number of visits or answers
}

func (f figures) rows() int64 { return f.values[0] }

// measures are the figures of each kind, by table.
var measures = map[facts.Kind][]struct {
	table   facts.Table
	columns []string
	sums    []string
}{
	facts.KindVisits: {
		{facts.Visits, []string{"ts", "website_id", "bot", "referred", "visitor", "url_path", "user_agent"},
			[]string{"count(*)", "sum(ts % 604800)", "sum(bot)", "sum(referred)", "count(distinct url_path)", "count(distinct website_id)", "count(distinct visitor)", "count(distinct user_agent)"}},
		{facts.Totals, []string{"bucket", "width", "level", "website_id", "bot_visits", "human_visits", "unique_human_visitors", "unique_pages", "all_paths"},
			[]string{"count(*)", "sum(width)", "sum(level)", "sum(bot_visits)", "sum(human_visits)", "sum(unique_human_visitors)", "sum(unique_pages)", "sum(all_paths)"}},
	},
	facts.KindAnswers: {
		{facts.Answers, []string{"ts", "prompt_id", "platform"}, []string{"count(*)", "sum(ts % 604800)", "sum(prompt_id % 1000003)", "count(distinct platform)"}},
		{facts.Mentions, []string{"ts", "product_id", "position"}, []string{"count(*)", "sum(ts % 604800)", "sum(product_id % 1000003)", "sum(position)"}},
		{facts.Citations, []string{"ts", "domain", "url"}, []string{"count(*)", "sum(ts % 604800)", "count(distinct domain)", "count(distinct url)"}},
	},
}

// count reads the figures of a week.
func count(ctx context.Context, from facts.Source, kind facts.Kind, week int64) (figures, error) {
	f := figures{kind: kind, week: week}
	set, err := from.Acquire()
	if err != nil {
		return f, err
	}
	defer set.Close()
	first, last := week, week+facts.WeekSeconds-1
	for _, m := range measures[kind] {
		statement := "select "
		values := make([]facts.Int, len(m.sums))
		into := make([]any, len(m.sums))
		for i, sum := range m.sums {
			if i > 0 {
				statement += ", "
			}
			statement += fmt.Sprintf("%s as m%d", sum, i)
			into[i] = &values[i]
		}
		statement += " from " + set.Table(m.table, m.columns, first, last) + " where " + set.Within(m.table, first, last)
		if err := set.Query(ctx, facts.Statement{SQL: statement}, func(scan facts.Scan) error { return scan(into...) }); err != nil {
			return f, err
		}
		for _, v := range values {
			f.values = append(f.values, int64(v))
		}
	}
	return f, nil
}

// countAll reads the figures of all weeks, and says how many there are.
func countAll(ctx context.Context, from facts.Source, step Step, progress Progress) (weeks map[facts.Kind][]figures, all int64, err error) {
	weeks = make(map[facts.Kind][]figures)
	found := make(map[facts.Kind][]int64)
	for _, kind := range kinds {
		if found[kind], err = weeksOf(ctx, from, kind); err != nil {
			return nil, 0, err
		}
		all += int64(len(found[kind]))
	}
	done := int64(0)
	for _, kind := range kinds {
		for _, week := range found[kind] {
			progress(step, kind, week, done, all)
			f, err := count(ctx, from, kind, week)
			if err != nil {
				return nil, 0, err
			}
			weeks[kind] = append(weeks[kind], f)
			done++
		}
	}
	return weeks, all, nil
}

// weeksOf lists the weeks with facts of a kind.
func weeksOf(ctx context.Context, from facts.Source, kind facts.Kind) (weeks []int64, err error) {
	table := facts.Visits
	if kind == facts.KindAnswers {
		table = facts.Answers
	}
	set, err := from.Acquire()
	if err != nil {
		return nil, err
	}
	defer set.Close()
	statement := "select distinct ts - (ts + 259200) % 604800 as start from " + set.Table(table, []string{"ts"}, facts.FirstSecond, facts.LastSecond) +
		" where " + set.Within(table, facts.FirstSecond, facts.LastSecond) + " order by start"
	err = set.Query(ctx, facts.Statement{SQL: statement}, func(scan facts.Scan) error {
		var start facts.Int
		err := scan(&start)
		weeks = append(weeks, int64(start))
		return err
	})
	return weeks, err
}

// Compared is what was compared, and is the same.
type Compared struct {
	Weeks int64 // of all kinds
	Rows  int64 // of figures of some weeks
}

// Compare compares every week of two stores by its sums, and some weeks by the
// figures that reports are made of.
func Compare(ctx context.Context, from, to facts.Source, progress Progress) (done Compared, err error) {
	want, weeks, err := countAll(ctx, from, Counting, progress)
	if err != nil {
		return done, err
	}
	got, _, err := countAll(ctx, to, Comparing, progress)
	if err != nil {
		return done, err
	}
	for _, kind := range kinds {
		if len(got[kind]) != len(want[kind]) {
			return done, fmt.Errorf("the %s are of %d weeks in the source and of %d in the target", kind, len(want[kind]), len(got[kind]))
		}
		for i, a := range want[kind] {
			if b := got[kind][i]; a.week != b.week || !slices.Equal(a.values, b.values) {
				return done, fmt.Errorf("the %s of the week %s differ: %v in the source, %v in the target", kind, day(a.week), a.values, b.values)
			}
		}
		rows, err := compareSamples(ctx, from, to, want[kind])
		if err != nil {
			return done, err
		}
		done.Rows += rows
	}
	done.Weeks = weeks
	return done, nil
}
