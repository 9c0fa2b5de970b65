package report

import (
	"iter"
	"slices"
)

// rowList is rows in any order, of which few may be wanted.
type rowList interface {
	len() int
	bucket(i int) int64
	first(i int) int64 // its first metric
	row(i int) seriesRow
}

// listedRows are rows that are made already.
type listedRows []seriesRow

func (l listedRows) len() int            { return len(l) }
func (l listedRows) bucket(i int) int64  { return l[i].bucket }
func (l listedRows) first(i int) int64   { return l[i].metrics[0] }
func (l listedRows) row(i int) seriesRow { return l[i] }

// run is rows of one bucket that stand together.
type run struct{ from, to int }

// runs goes over the runs of a list.
func runs(rows rowList) iter.Seq[run] {
	return func(yield func(run) bool) {
		for from := 0; from < rows.len(); {
			to := from + 1
			for to < rows.len() && rows.bucket(to) == rows.bucket(from) {
				to++
			}
			if !yield(run{from, to}) {
				return
			}
			from = to
		}
	}
}

// firstRows are the first n rows of a bucket in their order, and maybe more. Only
// those are compared whose first metric is as large as that of the last of them.
func firstRows(rows rowList, of []int, n int64) (first []seriesRow) {
	if n < int64(len(of)) {
		figures := make([]int64, len(of))
		for i, place := range of {
			figures[i] = rows.first(place)
		}
		slices.Sort(figures)
		least := figures[int64(len(of))-n]
		of = slices.DeleteFunc(of, func(place int) bool { return rows.first(place) < least })
	}
	for _, place := range of {
		first = append(first, rows.row(place))
	}
	slices.SortFunc(first, compareRows)
	return first
}
