package duckdb

import (
	"context"
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Of the staged answers with the same id, the last counts; of the old ones,
// those whose id is not staged. Their mentions and citations follow them.

// Tables of a file of answers: what came, by second, and what is packed of it, by week.
var (
	rawAnswers    = []string{"answers", "mentions", "citations"}
	packedAnswers = []string{"answer_parts", "answer_sources", "answer_totals"}
)

// fillAnswers writes the answers of a span, and packs them.
func (b *build) fillAnswers(ctx context.Context) error {
	for _, week := range b.mondays() {
		fill := b.copyAnswers
		if b.dirty[week] {
			fill = b.mixAnswers
		}
		if err := fill(ctx, week); err != nil {
			return err
		}
	}
	return b.packAnswers(ctx)
}

// copyAnswers takes a week from its old file as it is.
func (b *build) copyAnswers(ctx context.Context, week int64) error {
	i, ok := b.oldOf(week)
	if !ok {
		return nil
	}
	var statements []string
	for _, table := range rawAnswers {
		statements = append(statements, fmt.Sprintf("insert into %s.%s select * from %s.%[2]s where %[4]s", b.made(), table, b.old(i), within(week)))
	}
	if !b.outdated(week) {
		for _, table := range packedAnswers {
			statements = append(statements, fmt.Sprintf("insert into %s.%s select * from %s.%[2]s where week = %[4]d", b.made(), table, b.old(i), week))
		}
	}
	return b.exec(ctx, strings.Join(statements, ";"))
}

// mixAnswers puts the staged and the old answers of a week together.
func (b *build) mixAnswers(ctx context.Context, week int64) error {
	const order = " order by prompt_id, platform, ts"
	i, ok := b.oldOf(week)
	if ok {
		replaced := fmt.Sprintf("create or replace table stage.replaced_%d as select answer_key from %s.answers join stage.staged_ids using (id) where %s",
			b.number, b.old(i), within(week))
		if err := b.exec(ctx, replaced); err != nil {
			return err
		}
	}
	for _, t := range []facts.Table{facts.Answers, facts.Mentions, facts.Citations} {
		columns := "*"
		if t == facts.Answers {
			columns = "* exclude (seq)"
		}
		rows := fmt.Sprintf("select %s from stage.%s where %s", columns, t, within(week))
		if b.ids < b.idRows {
			rows += " and answer_key not in (select answer_key from stage.stale)"
		}
		if ok {
			rows += fmt.Sprintf(" union all select * from %s.%s where %s and answer_key not in (select answer_key from stage.replaced_%d)",
				b.old(i), t, within(week), b.number)
		}
		if err := b.exec(ctx, fmt.Sprintf("insert into %s.%s select * from (%s)%s", b.made(), t, rows, order)); err != nil {
			return err
		}
	}
	return nil
}
