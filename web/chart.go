package web

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/sightline-hq/sightline/api"
)

// chart is a series of figures as a table. A script draws it; without scripts
// the table is what there is.
type chart struct {
	ID, Caption string
	Unit        string // percent or count
	Columns     []column
	Rows        []chartRow
}

type column struct{ Key, Name string }

type chartRow struct {
	Time  time.Time
	Cells []*float64
}

// Unix is what the script draws by.
func (r chartRow) Unix() int64 { return r.Time.Unix() }

// Date is the day, or the first day of the week.
func (r chartRow) Date() string { return r.Time.Format(time.DateOnly) }

// Raw is a cell for the script: short, and never rounded to what people read.
func (c chart) Raw(v *float64) string { return strconv.FormatFloat(*v, 'g', 5, 64) }

// Show is a cell for people.
func (c chart) Show(v *float64) string {
	switch {
	case v == nil:
		return none
	case c.Unit == "percent":
		return percent(v)
	}
	return count(int64(*v))
}

// cells collects values by time and column.
type cells struct {
	at   map[time.Time]map[string]float64
	sums map[string]float64
}

func newCells() cells {
	return cells{make(map[time.Time]map[string]float64), make(map[string]float64)}
}

func (c cells) add(timestamp, key string, v float64) {
	t, err := api.ParseTime(timestamp)
	if err != nil {
		return // a server that keeps the contract sends none
	}
	t = t.UTC()
	if c.at[t] == nil {
		c.at[t] = make(map[string]float64)
	}
	c.at[t][key] += v
	c.sums[key] += v
}

// rows lists the times in order. Where there was nothing, a count is zero and a
// share is unknown.
func (c cells) rows(times []time.Time, columns []column, zeros bool) []chartRow {
	rows := make([]chartRow, 0, len(times))
	for _, t := range times {
		r := chartRow{Time: t, Cells: make([]*float64, len(columns))}
		for i, col := range columns {
			if v, ok := c.at[t][col.Key]; ok || zeros {
				r.Cells[i] = &v
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// columns are the keys with something in them: the largest sums first.
func (c cells) columns(name func(string) string) []column {
	all := make([]column, 0, len(c.sums))
	for key, sum := range c.sums {
		if sum > 0 {
			all = append(all, column{key, name(key)})
		}
	}
	slices.SortFunc(all, func(a, b column) int {
		return cmp.Or(cmp.Compare(c.sums[b.Key], c.sums[a.Key]), cmp.Compare(a.Key, b.Key))
	})
	return all
}

// buckets are the times of a window: every day, or every Monday.
func buckets(w api.Window, interval api.Interval) (all []time.Time) {
	t, step := w.From.UTC().Truncate(24*time.Hour), 1
	if interval == api.Week {
		t, step = t.AddDate(0, 0, -(int(t.Weekday())+6)%7), 7
	}
	// Of a longer period the newest buckets are drawn.
	if oldest := w.To.UTC().Truncate(24*time.Hour).AddDate(0, 0, -step*maxBuckets); t.Before(oldest) {
		skipped := int(oldest.Sub(t).Hours()/24) / step
		t = t.AddDate(0, 0, step*(skipped+1))
	}
	for ; !t.After(w.To); t = t.AddDate(0, 0, step) {
		all = append(all, t)
	}
	return all
}

// maxBuckets bounds a page, whatever period its URL names: ten years of days.
const maxBuckets = 3660
