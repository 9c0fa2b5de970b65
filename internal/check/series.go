package check

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// maxRows is the longest series that is read whole.
const maxRows = 10_000

// counts are the metrics that add up; the others are distinct counts, which
// only have bounds (S18).
var counts = api.Metrics[:4]

// item is a row of the timeseries as it was sent.
type item map[string]any

func (i item) at() string { return i.text("timestamp") }

func (i item) text(field string) string {
	s, _ := i[field].(string)
	return s
}

func (i item) count(m api.Metric) int64 {
	n, _ := i[field(m)].(float64)
	return int64(n)
}

// without returns the row with a field less.
func (i item) without(field string) item {
	shorter := make(item, len(i))
	for name, value := range i {
		if name != field {
			shorter[name] = value
		}
	}
	return shorter
}

// field is the name of a metric in a row: bot_visits is botVisits.
func field(m api.Metric) string {
	words := strings.Split(string(m), "_")
	for i, w := range words {
		if i > 0 && w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// page is a page of the timeseries as it was sent.
type page struct {
	PreviousPage *int64 `json:"previousPage"`
	CurrentPage  int64  `json:"currentPage"`
	NextPage     *int64 `json:"nextPage"`
	TotalPages   int64  `json:"totalPages"`
	TotalItems   int64  `json:"totalItems"`
	PerPage      int64  `json:"perPage"`
	Items        []item `json:"items"`
}

func (q query) metrics(metrics ...api.Metric) query {
	for _, m := range metrics {
		q = q.with(api.ParamMetrics, string(m))
	}
	return q
}

func (q query) by(dimensions ...api.Dimension) query {
	for _, d := range dimensions {
		q = q.with(api.ParamGroupBys, string(d))
	}
	return q
}

func (q query) weekly() query { return q.with(api.ParamInterval, string(api.Week)) }

func (q query) page(number, size int64) query {
	return q.with(api.ParamPage, strconv.FormatInt(number, 10), api.ParamPerPage, strconv.FormatInt(size, 10))
}

func (p *probe) page(q query) (page, answer) {
	a := p.ask(api.RouteTimeseries, q)
	return read[page](p, a), a
}

// whole returns all rows of a series, from as many pages as the server makes of
// them. A series that is too long ends the check.
func (p *probe) whole(q query) (rows []item, first answer) {
	answered, first := p.page(q.page(1, maxRows))
	if answered.TotalItems > maxRows {
		p.notApplicable(fmt.Sprintf("the series has more than %d rows: choose a shorter window", maxRows))
	}
	rows = answered.Items
	for number := int64(2); number <= min(answered.TotalPages, maxRows); number++ {
		next, _ := p.page(q.page(number, maxRows))
		if len(next.Items) == 0 {
			break
		}
		rows = append(rows, next.Items...)
	}
	return rows, first
}

// figures are a metric's sum and largest value over some rows.
type figures struct{ sum, largest map[api.Metric]int64 }

// addUp groups rows by a key.
func addUp(rows []item, key func(item) string) map[string]figures {
	groups := make(map[string]figures)
	for _, row := range rows {
		k := key(row)
		if groups[k].sum == nil {
			groups[k] = figures{make(map[api.Metric]int64), make(map[api.Metric]int64)}
		}
		for _, m := range api.Metrics {
			groups[k].sum[m] += row.count(m)
			groups[k].largest[m] = max(groups[k].largest[m], row.count(m))
		}
	}
	return groups
}

// wantParts wants rows that are made of parts: the metrics in exact are the sums
// of the parts, other metrics lie between the largest part and the sum.
func (p *probe) wantParts(a answer, whole, parts []item, key func(item) string, exact []api.Metric) {
	sums, totals := addUp(parts, key), addUp(whole, key)
	for k := range sums {
		if _, ok := totals[k]; !ok {
			totals[k] = figures{}
		}
	}
	isExact := make(map[api.Metric]bool)
	for _, m := range exact {
		isExact[m] = true
	}
	for _, k := range sortedKeys(totals) {
		for _, m := range api.Metrics {
			got, least, most := totals[k].sum[m], sums[k].largest[m], sums[k].sum[m]
			switch {
			case isExact[m] && got != most:
				p.failf(a, "%s: %s is %d, but its parts add up to %d", k, field(m), got, most)
			case got < least || got > most:
				p.failf(a, "%s: %s is %d, but must lie between %d, the largest of its parts, and %d, their sum", k, field(m), got, least, most)
			}
		}
	}
}
