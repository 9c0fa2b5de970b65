package transfer

import (
	"context"
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// samples are figures that reports are made of, by what they are grouped by.
var samples = map[facts.Kind][]struct {
	table    facts.Table
	by       []string // texts
	numbers  []string
	distinct []string // columns of visits
	reads    []string
}{
	facts.KindVisits: {
		{facts.Visits, []string{"website_id", "platform", "bot_type", "normalized_url_path"}, []string{"count(*)", "sum(bot)", "sum(referred)", "min(ts)", "max(ts)"},
			[]string{"visitor", "agent_key"}, []string{"bot", "referred", "ts", "visitor", "agent_key"}},
		{facts.Totals, []string{"website_id", "platform", "bot_type"}, []string{"count(*)", "sum(bot_visits)", "sum(unique_human_visitors)", "sum(bot_user_agents)", "sum(all_pages)"},
			nil, []string{"bucket", "bot_visits", "unique_human_visitors", "bot_user_agents", "all_pages"}},
	},
	facts.KindAnswers: {
		{facts.Answers, []string{"platform"}, []string{"prompt_id", "count(*)", "min(ts)", "max(ts)"}, nil, []string{"prompt_id", "ts"}},
		{facts.Mentions, []string{"platform"}, []string{"prompt_id", "product_id", "count(*)", "sum(position)"}, nil, []string{"prompt_id", "product_id", "position", "ts"}},
		{facts.Citations, []string{"domain", "url"}, []string{"prompt_id", "count(*)"}, nil, []string{"prompt_id", "ts"}},
	},
}

// sample reads the figures of a week, as lines.
func sample(ctx context.Context, from facts.Source, kind facts.Kind, week int64) (lines []string, err error) {
	set, err := from.Acquire()
	if err != nil {
		return nil, err
	}
	defer set.Close()
	first, last := week, week+facts.WeekSeconds-1
	for _, s := range samples[kind] {
		numbers := append([]string{}, s.numbers...)
		for _, column := range s.distinct {
			numbers = append(numbers, set.Dialect().DistinctIf("bot = bot", column))
		}
		by := strings.Join(s.by, ", ")
		for _, n := range s.numbers {
			if !strings.Contains(n, "(") {
				by += ", " + n
			}
		}
		statement := "select " + strings.Join(append(append([]string{}, s.by...), numbers...), ", ") +
			" from " + set.Table(s.table, append(append([]string{}, s.by...), s.reads...), first, last) +
			" where " + set.Within(s.table, first, last) + " group by " + by + " order by " + by + " limit 10000"
		err := set.Query(ctx, facts.Statement{SQL: statement}, func(scan facts.Scan) error {
			texts, values := make([]string, len(s.by)), make([]facts.Int, len(numbers))
			var into []any
			for i := range texts {
				into = append(into, &texts[i])
			}
			for i := range values {
				into = append(into, &values[i])
			}
			err := scan(into...)
			lines = append(lines, fmt.Sprintf("%s %q %v", s.table, texts, values))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// sampled picks the first, the middle and the last of some weeks.
func sampled(weeks []figures) (some []figures) {
	for i, place := range []int{0, len(weeks) / 2, len(weeks) - 1} {
		if place >= 0 && place < len(weeks) && (i == 0 || weeks[place].week != some[len(some)-1].week) {
			some = append(some, weeks[place])
		}
	}
	return some
}

// compareSamples compares the figures of some weeks, row by row.
func compareSamples(ctx context.Context, from, to facts.Source, weeks []figures) (rows int64, err error) {
	for _, f := range sampled(weeks) {
		want, err := sample(ctx, from, f.kind, f.week)
		if err != nil {
			return rows, err
		}
		got, err := sample(ctx, to, f.kind, f.week)
		if err != nil {
			return rows, err
		}
		for i := range max(len(want), len(got)) {
			a, b := "nothing", "nothing"
			if i < len(want) {
				a = want[i]
			}
			if i < len(got) {
				b = got[i]
			}
			if a != b {
				return rows, fmt.Errorf("in the week %s there is %s in the source and %s in the target", day(f.week), a, b)
			}
			rows++
		}
	}
	return rows, nil
}
