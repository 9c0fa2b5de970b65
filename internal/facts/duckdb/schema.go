package duckdb

import (
	_ "embed"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// The tables of a file of each kind. {{.}} stands for the attached database.
var (
	//go:embed sql/visits.sql
	visitsSchema string
	//go:embed sql/answers.sql
	answersSchema string
	//go:embed sql/manifest.sql
	manifestSchema string
)

func createTables(kind facts.Kind, database string) string {
	schema := visitsSchema
	if kind == facts.KindAnswers {
		schema = answersSchema
	}
	return strings.ReplaceAll(schema, "{{.}}", database)
}

// kindOf says in which kind of file a table lies.
func kindOf(t facts.Table) facts.Kind {
	switch t {
	case facts.Visits, facts.Totals, facts.DirectoryTotals, facts.AgentTotals:
		return facts.KindVisits
	}
	return facts.KindAnswers
}

// quote makes a string literal of a path.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// Dialect is DuckDB's spelling of the few things that engines spell differently.
type Dialect struct{}

// CountIf implements facts.Dialect.
func (Dialect) CountIf(condition string) string {
	return "count(*) filter (where " + condition + ")"
}

// DistinctIf implements facts.Dialect.
func (Dialect) DistinctIf(condition string, columns ...string) string {
	value := strings.Join(columns, ", ")
	if len(columns) > 1 {
		value = "(" + value + ")"
	}
	return "count(distinct " + value + ") filter (where " + condition + ")"
}

// When implements facts.Dialect.
func (Dialect) When() string { return "ts" }

// Grouped implements facts.Dialect.
func (Dialect) Grouped(column string) (shown, key string) {
	if key, ok := groupKeys[column]; ok {
		return "any_value(" + column + ")", key
	}
	return column, ""
}

// CountOver implements facts.Dialect. Now and then DuckDB 1.5 fails while it counts
// over a union (duckdb#25713), and has to be opened again.
func (Dialect) CountOver(union bool) string {
	if union {
		return ""
	}
	return "count(*) over ()"
}

// topRewrite is where DuckDB's rewriting of row_number() <= n fails: it turns
// it into an arg_min of n rows, which refuses n from a million on.
const topRewrite = 1_000_000

// TopPer implements facts.Dialect.
func (Dialect) TopPer(query, partition, order string, n int64) string {
	condition := " <= " + itoa(n)
	if n >= topRewrite {
		condition = " <= (select " + itoa(n) + ")" // no constant, so not rewritten
	}
	return "select * from (\n" + query + "\n) qualify row_number() over (partition by " + partition +
		" order by " + order + ")" + condition
}
