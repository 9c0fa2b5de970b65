package duckdb

import (
	"fmt"

	"github.com/sightline-hq/sightline/internal/facts"
)

// These are the statements that write the tables of a span's new file, "made",
// from its old one, "old", and from what is staged. Of the staged rows with the
// same id, the last counts; of the old ones, those whose id is not staged.

// within is the condition for rows of a span.
func (sp span) within() string {
	return fmt.Sprintf("ts >= %d and ts < %d", sp.firstWeek, sp.lastWeek+facts.WeekSeconds)
}

const kept = "(id is null or id not in (select id from stage.staged_ids))"

func fillAnswers(sp span) (statements []string) {
	const order = " order by prompt_id, platform, ts"
	answers := "select * exclude (seq) from stage.fresh where " + sp.within()
	if sp.old != nil {
		answers += " union all select * from old.answers where " + kept
	}
	statements = append(statements, "insert into made.answers select * from ("+answers+")"+order)
	for _, t := range []facts.Table{facts.Mentions, facts.Citations} {
		rows := fmt.Sprintf("select * from stage.%s where %s and answer_key in (select answer_key from stage.fresh)", t, sp.within())
		if sp.old != nil {
			rows += fmt.Sprintf(" union all select * from old.%s where answer_key not in"+
				" (select answer_key from old.answers where id in (select id from stage.staged_ids))", t)
		}
		statements = append(statements, fmt.Sprintf("insert into made.%s select * from (%s)", t, rows)+order)
	}
	return statements
}
