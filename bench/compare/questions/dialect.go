package questions

import (
	"fmt"
	"net/url"
	"strings"
	"text/template"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/bench/compare/engines"
)

func isClickHouse(d engines.Dialect) bool { return d == engines.ClickHouse || d == engines.Old }

// functions are what engines spell differently.
func functions(d engines.Dialect, request url.Values) template.FuncMap {
	if isClickHouse(d) {
		return template.FuncMap{
			"within":     func() (string, error) { return within(request) },
			"day":        func() string { return "toDate(ts)" },
			"week":       func() string { return "toMonday(ts)" },
			"countIf":    func(condition string) string { return "countIf(" + condition + ")" },
			"distinctIf": func(what, condition string) string { return "uniqExactIf(" + what + ", " + condition + ")" },
		}
	}
	return template.FuncMap{
		"within":  func() (string, error) { return within(request) },
		"day":     func() string { return "ts::date" },
		"week":    func() string { return "date_trunc('week', ts)::date" },
		"countIf": func(condition string) string { return "count(*) filter (where " + condition + ")" },
		"distinctIf": func(what, condition string) string {
			return "count(distinct " + what + ") filter (where " + condition + ")"
		},
	}
}

// within is the window of the request.
func within(request url.Values) (string, error) {
	first, err := api.ParseTime(request.Get(api.ParamDateFrom))
	if err != nil {
		return "", err
	}
	last, err := api.ParseTime(request.Get(api.ParamDateTo))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("ts between '%s' and '%s'", first.UTC().Format(time.DateTime), last.UTC().Format(time.DateTime)), nil
}

// page cuts a page out of rows, in their order, and has the engine tell how many
// there are: ClickHouse does so by itself, the others count what they have made
// (past the last page, in a row of nulls).
func page(d engines.Dialect, rows, order string, request api.TimeseriesRequest) string {
	limit := fmt.Sprintf("order by %s\nlimit %d offset %d", order, request.PerPage, (request.Page-1)*request.PerPage)
	if isClickHouse(d) {
		limit = fmt.Sprintf("order by %s\nlimit %d, %d", order, (request.Page-1)*request.PerPage, request.PerPage)
		if request.TopLimit > 0 {
			rows = fmt.Sprintf("select * from (\n%s\norder by %s\nlimit %d by bucket\n)", rows, order, request.TopLimit)
		}
		if d == engines.ClickHouse {
			limit += "\nsettings exact_rows_before_limit = 1"
		}
		return rows + "\n" + limit
	}
	if request.TopLimit > 0 {
		_, within, _ := strings.Cut(order, ", ")
		rows = fmt.Sprintf("select * from (\nselect *, row_number() over (partition by bucket order by %s) as place from (\n%s\n) every\n) placed\nwhere place <= %d",
			within, rows, request.TopLimit)
	}
	return fmt.Sprintf("with listed as materialized (\n%s\n), page as (\nselect * from listed\n%s\n)\n"+
		"select page.*, total_items\nfrom (select count(*) as total_items from listed) counted left join page on true\norder by %s", rows, limit, order)
}
