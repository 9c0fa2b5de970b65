package show

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/api"
)

// additive are the metrics that count events: those of two days are those of
// both. The others count what is distinct, and what comes back is one thing.
var additive = []api.Metric{api.BotVisits, api.HumanVisits, api.ReferredHumanVisits, api.AIReferredHumanVisits}

// Additive tells whether the figures of a metric may be added up.
func Additive(m api.Metric) bool { return slices.Contains(additive, m) }

// Totals adds up the traffic of a period: a row for each group, the largest of
// the first metric first, and at most a number of them; 0 is all. All metrics
// must be additive.
func Totals(r api.TimeseriesRequest, items iter.Seq2[api.TimeseriesItem, error], top int64) Table {
	series := Timeseries(r, items)
	t := Table{Columns: series.Columns[1:]} // without the time
	keys := len(r.GroupBy)
	t.Rows = func(yield func(Row, error) bool) {
		rows, err := sums(series, keys)
		if err != nil {
			yield(nil, err)
			return
		}
		if top > 0 {
			rows = rows[:min(int64(len(rows)), top)]
		}
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
	return t
}

func sums(series Table, keys int) (rows []Row, err error) {
	at := make(map[string]int)
	for row, err := range series.Rows {
		if err != nil {
			return nil, err
		}
		row = row[1:]
		key := fmt.Sprintf("%q", row[:keys])
		n, known := at[key]
		if !known {
			at[key], rows = len(rows), append(rows, slices.Clone(row))
			continue
		}
		for i := keys; i < len(row); i++ {
			rows[n][i] = add(rows[n][i], row[i])
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(count(b[keys]), count(a[keys])), strings.Compare(fmt.Sprint(a[:keys]), fmt.Sprint(b[:keys])))
	})
	return rows, nil
}

func add(a, b any) any { return count(a) + count(b) }

func count(v any) int64 {
	n, _ := v.(int64)
	return n
}

// SortByChange puts the rows of a comparison in the order of how much a figure
// changed, the most won first, and keeps a number of them; 0 is all. What is not
// known comes last.
func SortByChange(t Table, figure string, top int64) (Table, error) {
	rows, err := t.All()
	if err != nil {
		return t, err
	}
	at := t.column(figure + "Change")
	change := func(r Row) *float64 {
		if d, ok := r[at].(Delta); ok {
			return &d.Change
		}
		return float(r[at])
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		x, y := change(a), change(b)
		if x == nil || y == nil {
			return cmp.Compare(known(y), known(x))
		}
		return cmp.Compare(*y, *x)
	})
	if top > 0 {
		rows = rows[:min(int64(len(rows)), top)]
	}
	return t.With(rows), nil
}

func known(v *float64) int {
	if v == nil {
		return 0
	}
	return 1
}
