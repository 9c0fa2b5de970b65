package show

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/insight"
)

// Delta is a change of a visibility, with how sure it is.
type Delta struct {
	Change float64
	Within *insight.Interval // nil: not known
}

// chance tells whether there may have been no change at all.
func (d Delta) chance() bool { return d.Within != nil && d.Within.Contains(0) }

// Compare joins the tables of a period and of the period before, which began
// earlier by the time given. Each figure is followed by the figure before and
// by the change; nil is on either side what that side does not have.
//
// Rows that only the period before has come last, or at their time in a series.
// Without gone they are left out: where now has been cut to its first rows,
// what is missing there says nothing.
func Compare(now, before Table, earlier time.Duration, gone bool) (Table, error) {
	nowRows, err := now.All()
	if err != nil {
		return now, err
	}
	beforeRows, err := before.All()
	if err != nil {
		return now, err
	}
	c := comparison{columns: now.Columns, earlier: earlier, left: make(map[string][]Row)}
	var order []string // of the keys of the period before
	for _, row := range beforeRows {
		key, err := c.moved(row)
		if err != nil {
			return now, err
		}
		c.left[key] = append(c.left[key], row)
		order = append(order, key)
	}
	var rows []Row
	for _, row := range nowRows {
		rows = append(rows, c.join(row, c.take(c.key(row))))
	}
	for _, key := range order {
		if old := c.take(key); old != nil && gone {
			rows = append(rows, c.join(c.absent(old), old))
		}
	}
	if len(now.Columns) > 0 && now.Columns[0].Unit == Moment {
		slices.SortStableFunc(rows, func(a, b Row) int { return strings.Compare(a[0].(string), b[0].(string)) })
	}
	now.Columns = c.compared()
	return now.With(rows), nil
}

type comparison struct {
	columns []Column
	earlier time.Duration
	left    map[string][]Row // rows of the period before, until they are taken
}

func (c *comparison) key(row Row) string {
	var b strings.Builder
	for i, column := range c.columns {
		if column.Key {
			fmt.Fprintf(&b, "%v\x00", row[i])
		}
	}
	return b.String()
}

// moved moves a row to where its time is in the period now, and returns its key
// there.
func (c *comparison) moved(row Row) (string, error) {
	for i, column := range c.columns {
		if text, ok := row[i].(string); ok && column.Unit == Moment {
			t, err := api.ParseTime(text)
			if err != nil {
				return "", fmt.Errorf("%s %q: %w", column.Name, text, err)
			}
			row[i] = t.Add(c.earlier).UTC().Format(time.RFC3339)
		}
	}
	return c.key(row), nil
}

// take returns the next row of the period before with a key, once.
func (c *comparison) take(key string) (row Row) {
	if rows := c.left[key]; len(rows) > 0 {
		row, c.left[key] = rows[0], rows[1:]
	}
	return row
}

// absent is a row of now that is not there: it has a name and no figures.
func (c *comparison) absent(old Row) Row {
	row := make(Row, len(old))
	for i, column := range c.columns {
		if column.Key || column.Unit == Listing {
			row[i] = old[i]
		}
	}
	return row
}

func (c *comparison) compared() (all []Column) {
	for _, column := range c.columns {
		all = append(all, column)
		if column.Change == NoChange {
			continue
		}
		before, change := column, column
		before.Name, before.Title, before.role, before.Bar = column.Name+"Before", "BEFORE", roleBefore, false
		change.Name, change.Title, change.role, change.Bar = column.Name+"Change", "CHANGE", roleChange, false
		before.Drop, change.Drop = dropBefore, dropChange
		switch {
		case column.Drop > 0:
			before.Drop, change.Drop = dropMinor, dropMinor
		case column.Bar: // the figure that the report is about
			before.Drop, change.Drop = dropMain, 0
		}
		change.Unit = map[Change]Unit{ChangePoints: Points, ChangePlaces: Places, ChangeGrowth: Relative}[column.Change]
		all = append(all, before, change)
	}
	return all
}

// join puts the figures before and the changes behind the figures of a row.
func (c *comparison) join(now, before Row) (row Row) {
	for i, column := range c.columns {
		row = append(row, now[i])
		if column.Change == NoChange {
			continue
		}
		var old any
		if before != nil {
			old = before[i]
		}
		row = append(row, old, c.change(column, i, now, before))
	}
	return row
}

func (c *comparison) change(column Column, i int, now, before Row) any {
	if before == nil {
		return nil
	}
	switch column.Change {
	case ChangeGrowth:
		return value(insight.Growth(number[int64](now[i]), number[int64](before[i])))
	case ChangePlaces:
		gain := insight.Gain(float(now[i]), float(before[i]))
		if _, whole := now[i].(int64); whole && gain != nil {
			return int64(*gain)
		}
		return value(gain)
	}
	d := insight.Difference(float(now[i]), float(before[i]))
	if d == nil {
		return nil
	}
	delta := Delta{Change: *d}
	if n := c.runs(column); n >= 0 {
		delta.Within = insight.WilsonChange(float(now[i]), number[int64](now[n]), float(before[i]), number[int64](before[n]))
	}
	return delta
}

func (c *comparison) runs(column Column) int {
	if column.Runs == "" {
		return -1
	}
	return Table{Columns: c.columns}.column(column.Runs)
}
