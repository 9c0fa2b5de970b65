package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// maxTrends is how many rows of a series are drawn.
const maxTrends = 10

// Trends draws the figures of a series over a period: a sparkline for each row
// that the series has in a bucket, the ten largest first. A bucket in which a row
// is missing is a gap. It is nothing if there are fewer than three buckets.
func Trends(t Table, rows []Row, w api.Window, bucket time.Duration) (trends Table, ok bool) {
	buckets := bucketsOf(w, bucket)
	if len(buckets) < 3 || len(rows) == 0 {
		return trends, false
	}
	var keys, figures []int
	trends.Title = "Trend"
	for i, c := range t.Columns {
		switch {
		case c.Key && c.Unit != Moment && c.Title != "":
			keys = append(keys, i)
			trends.Columns = append(trends.Columns, Column{Title: c.Title, Unit: c.Unit})
		case c.role == roleValue && (c.Bar || c.Change == ChangeGrowth):
			figures = append(figures, i)
		}
	}
	if len(figures) > 1 {
		trends.Columns = append(trends.Columns, Column{Title: "FIGURE"})
	}
	trends.Columns = append(trends.Columns, Column{Title: "TREND", Unit: Trend})
	for _, title := range []string{"LOWEST", "HIGHEST", "LATEST"} {
		trends.Columns = append(trends.Columns, Column{Title: title, Unit: t.Columns[figures[0]].Unit})
	}
	groups, last := gather(rows, keys, figures, buckets)
	if more := len(groups) - maxTrends; more > 0 {
		trends.Title += fmt.Sprintf(", the %d largest of %d", maxTrends, len(groups))
		groups = groups[:maxTrends]
	}
	var drawn []Row
	for _, g := range groups {
		for i, f := range figures {
			if line := g.line(i, last, len(figures) > 1, t.Columns[f]); line != nil {
				drawn = append(drawn, line)
			}
		}
	}
	return trends.With(drawn), len(drawn) > 0
}

// bucketsOf numbers the buckets of a period by their start.
func bucketsOf(w api.Window, bucket time.Duration) map[string]int {
	numbers := make(map[string]int)
	first := w.From.UTC().Truncate(bucket) // from a Monday on, as package time counts weeks
	for at := first; !at.After(w.To); at = at.Add(bucket) {
		numbers[at.Format(time.RFC3339)] = len(numbers)
	}
	return numbers
}

type trendGroup struct {
	names  []any
	series []Series // by figure
	sum    float64  // of the first figure
}

// gather sorts rows by what they are about, and says which bucket is the last
// that has any.
func gather(rows []Row, keys, figures []int, buckets map[string]int) (groups []*trendGroup, last int) {
	known := make(map[string]*trendGroup)
	for _, row := range rows {
		at, ok := buckets[fmt.Sprint(row[0])]
		if !ok {
			continue
		}
		last = max(last, at)
		var key strings.Builder
		for _, k := range keys {
			fmt.Fprintf(&key, "%v\x00", row[k])
		}
		g := known[key.String()]
		if g == nil {
			g = &trendGroup{}
			for _, k := range keys {
				g.names = append(g.names, row[k])
			}
			for range figures {
				g.series = append(g.series, make(Series, len(buckets)))
			}
			known[key.String()] = g
			groups = append(groups, g)
		}
		for i, f := range figures {
			g.series[i][at] = float(row[f])
		}
		if first := float(row[figures[0]]); first != nil {
			g.sum += *first
		}
	}
	slices.SortStableFunc(groups, func(a, b *trendGroup) int { return cmp.Compare(b.sum, a.sum) })
	return groups, last
}

// line is nil for a figure that has no values.
func (g *trendGroup) line(figure, last int, named bool, c Column) Row {
	var low, high *float64
	for _, v := range g.series[figure] {
		if v == nil {
			continue
		}
		if low == nil || *v < *low {
			low = v
		}
		if high == nil || *v > *high {
			high = v
		}
	}
	if low == nil {
		return nil
	}
	row := slices.Clone(Row(g.names))
	if named {
		row = append(row, strings.ToLower(c.Title))
	}
	row = append(row, g.series[figure])
	for _, v := range []*float64{low, high, g.series[figure][last]} {
		if c.Unit == Count && v != nil {
			row = append(row, int64(*v))
			continue
		}
		row = append(row, value(v))
	}
	return row
}
