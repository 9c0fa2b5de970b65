package show

import (
	"iter"
)

// Table is a report, or a part of one. Its rows may be read once, and may come
// from the network while they are written.
type Table struct {
	Name    string // for machines: byPage; empty if the report is one table
	Title   string // for people
	Columns []Column
	Rows    iter.Seq2[Row, error]
	Single  bool // one row, which people see as one line for each figure
}

// Row holds a value for each column: nil, string, bool, int64, float64, Names,
// *insight.Interval or Series. Nil is what is not known.
type Row []any

// Column says what the values below it are.
type Column struct {
	Name   string // for machines: runCount
	Title  string // for people: RUNS; empty: for machines alone
	Unit   Unit
	Change Change // how two periods are compared
	Runs   string // for a visibility: the column that says how often was looked
	Key    bool   // names the row; rows of two periods with equal keys belong together
	Head   bool   // stands once above its rows on a terminal
	Bar    bool   // is drawn on a terminal
	Drop   int    // what leaves a narrow terminal: the highest first, 0 never

	role role
}

// Unit is how a value is written for people.
type Unit int

// The units.
const (
	Text     Unit = iota
	Address       // a URL or path, of which both ends matter
	Count         // 1980
	ID            // 101, never 1,980
	Share         // 0.42: 42.0 %
	Decimal       // 1.5: 1.50
	Flag          // yes, no
	Moment        // a bucket's start: its date
	Listing       // Names
	Range         // an Interval of shares
	Points        // a change of a share: +4.2 pp
	Places        // places won or lost: +3
	Relative      // a change of a count: +12.5 %
	Trend         // a Series, as a sparkline
)

// Names is a list of things with names, and the things themselves.
type Names struct {
	Names  []string
	Things any // as the API has them
}

// Series is a figure over time, a value or nil for each time bucket.
type Series []*float64

// Change is how the values of two periods are compared.
type Change int

// The kinds of change.
const (
	NoChange     Change = iota
	ChangePoints        // now less before
	ChangePlaces        // before less now: the smaller is the better
	ChangeGrowth        // relative to before
)

type role int

const (
	roleValue role = iota
	roleBefore
	roleChange
)

// rowsOf makes rows of a slice.
func rowsOf[T any](items []T, row func(T) Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, item := range items {
			if !yield(row(item), nil) {
				return
			}
		}
	}
}

// All reads the rows of a table.
func (t Table) All() (rows []Row, err error) {
	for row, err := range t.Rows {
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// With is the table with other rows.
func (t Table) With(rows []Row) Table {
	t.Rows = rowsOf(rows, func(r Row) Row { return r })
	return t
}

func (t Table) column(name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// value is what a pointer of an answer points to.
func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func number[T int64 | float64](v any) *T {
	if n, ok := v.(T); ok {
		return &n
	}
	return nil
}

// float is a number of either kind.
func float(v any) *float64 {
	if n := number[int64](v); n != nil {
		return new(float64(*n))
	}
	return number[float64](v)
}
