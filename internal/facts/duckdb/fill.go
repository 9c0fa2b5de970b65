package duckdb

import (
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// These are the statements that write the tables of a span's new file, "made",
// from its old one, "old", and from what is staged. Of the staged rows, those
// in stage.fresh count; of the old ones, those whose id is not staged.

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

// fillVisits numbers the words anew and translates the numbers of the visits.
func fillVisits(sp span) (statements []string) {
	for _, w := range vocabulary {
		columns := strings.Join(w.columns, ", ")
		all := fmt.Sprintf("select %s from stage.%s where %s in (select %s from stage.fresh where %s)",
			columns, w.table, w.key, w.key, sp.within())
		if sp.old != nil {
			all += fmt.Sprintf(" union select %s from old.%s", columns, w.table)
		}
		statements = append(statements, fmt.Sprintf("insert into made.%s select row_number() over (order by %s) - 1, %s from (select distinct * from (%s))",
			w.table, columns, columns, all))
	}
	visits := translated("stage", "stage.fresh", sp.within())
	if sp.old != nil {
		visits += " union all " + translated("old", "old.visits", kept)
	}
	return append(statements, "insert into made.visits select * from ("+visits+") order by website, ts")
}

// translated reads visits of a database with the numbers of the new file.
func translated(database, table, condition string) string {
	var joins strings.Builder
	for _, w := range vocabulary {
		fmt.Fprintf(&joins, " join (select was.%[1]s as was, now.%[1]s from %[2]s.%[3]s was join made.%[3]s now using (%[4]s)) %[3]s on %[3]s.was = v.%[1]s",
			w.key, database, w.table, strings.Join(w.columns, ", "))
	}
	return "select id, ts, websites.website, sources.source, bot, referred, visitor, pages.page, paths.path, agents.agent from " +
		table + " v" + joins.String() + " where " + condition
}
