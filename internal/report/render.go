package report

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/sightline-hq/sightline/internal/facts"
)

//go:embed sql/*.sql
var sqlFiles embed.FS

var templates = template.Must(template.New("").Funcs(renderer{}.funcs()).ParseFS(sqlFiles, "sql/*.sql"))

// engine names tables and spells SQL; a facts.Set does.
type engine interface {
	Table(t facts.Table, columns []string, first, last int64) string
	Within(t facts.Table, first, last int64) string
	Dialect() facts.Dialect
}

// renderer fills in a template. Numbers are written into the SQL; text is
// always an argument.
type renderer struct {
	engine   engine
	window   window
	template *template.Template
	args     *[]any
}

// window is the first and the last second of a report; no second if first > last.
type window struct{ First, Last int64 }

func (w window) empty() bool { return w.First > w.Last }

// Part is the window itself, for templates.
func (w window) Part() window { return w }

// render makes a statement of a file in sql/ and a plan.
func render(name string, e engine, w window, plan any) (facts.Statement, error) {
	var args []any
	r := renderer{engine: e, window: w, args: &args}
	clone, err := templates.Clone()
	if err != nil {
		return facts.Statement{}, err
	}
	r.template = clone
	clone.Funcs(r.funcs())
	text, err := r.execute(name, plan)
	if err != nil {
		return facts.Statement{}, fmt.Errorf("rendering %s: %w", name, err)
	}
	return facts.Statement{SQL: text, Args: args}, nil
}

func (r renderer) execute(name string, plan any) (string, error) {
	var text strings.Builder
	err := r.template.ExecuteTemplate(&text, name, plan)
	return strings.TrimSpace(text.String()), err
}

func (r renderer) funcs() template.FuncMap {
	return template.FuncMap{
		"table":  r.table,
		"within": r.within,
		"during": r.during,
		"over":   func(plan timeseriesPlan) string { return r.engine.Dialect().CountOver(plan.union()) },
		"list":   func(a, more []string) []string { return append(slices.Clip(a), more...) },
		"of":     func(plan timeseriesPlan, part totalsPart) partPlan { return partPlan{plan, part} },
		"part":   func(plan timeseriesPlan, edge window) edgePlan { return edgePlan{plan, edge} },
		"some":   func(columns ...string) []string { return columns },
		"ids":    numbers,
		"texts":  r.texts,
		"among":  r.among,
		"text":   func(s string) string { return r.texts([]string{s}) },
		"dims":   func(n []string) string { return numbered("d", len(n)) },
		"order":  func(n []string) string { return order(len(n)) },
		"rows":   r.rows,
	}
}

// table reads columns of a table.
func (r renderer) table(name facts.Table, columns []string) string {
	return r.within(name, columns, r.window)
}

// within reads columns of a table, of a part of the report's window.
func (r renderer) within(name facts.Table, columns []string, w window) string {
	return r.engine.Table(name, columns, w.First, w.Last)
}

// during is the condition on the rows of a part of the report's window.
func (r renderer) during(name facts.Table, w window) string {
	return r.engine.Within(name, w.First, w.Last)
}

// edgePlan is a part of a timeseries that is read from the visits.
type edgePlan struct {
	timeseriesPlan
	Edge window
}

// partPlan is a part of a timeseries that is read from a table of totals.
type partPlan struct {
	timeseriesPlan
	Of totalsPart
}

// Start is the start of the bucket of the timeseries that one of the table is in.
func (p partPlan) Start() string { return bucketSQL(p.Totals.Interval, "bucket") }

// Shorter says whether a bucket of the timeseries is made of several of the table.
func (p partPlan) Shorter() bool { return p.Of.Width < widths[p.Totals.Interval] }

// rows is the timeseries before paging.
func (r renderer) rows(plan timeseriesPlan) (string, error) {
	query, err := r.execute("timeseries_rows.sql", plan)
	if err == nil && plan.TopLimit > 0 {
		query = r.engine.Dialect().TopPer(query, "bucket", order(len(plan.Dimensions)), plan.TopLimit)
	}
	return query, err
}

// order is the order of rows within a bucket (S21).
func order(dimensions int) string { return "m0 desc" + numbered("d", dimensions) }

// texts makes arguments of strings and returns their places.
func (r renderer) texts(values []string) string {
	for _, v := range values {
		*r.args = append(*r.args, v)
	}
	return strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
}

// among is the condition that a column has one of some values.
func (r renderer) among(column string, values []string) string {
	if len(values) == 1 {
		return column + " = " + r.texts(values)
	}
	return column + " in (" + r.texts(values) + ")"
}

func numbers(ids []int64) string {
	var text []byte
	for i, id := range ids {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = strconv.AppendInt(text, id, 10)
	}
	return string(text)
}

// numbered lists names such as ", d0, d1".
func numbered(prefix string, n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, ", %s%d", prefix, i)
	}
	return text.String()
}
