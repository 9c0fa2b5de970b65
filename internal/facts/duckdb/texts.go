package duckdb

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// layout is where the files of a generation have packed answers.
type layout struct {
	mixed                  bool // kinds of prompts are not told apart
	totals, parts, sources shelf
}

// shelf is a table of texts by week, with the columns that say the rest: the
// kind, where a row is of one, and the part.
type shelf struct{ table, kind, part string }

var (
	mixedKinds = layout{
		mixed:   true,
		totals:  shelf{"answer_totals", "", "0"},
		parts:   shelf{"answer_parts", "", "rowid"},
		sources: shelf{"answer_parts", "", "rowid"},
	}
	apartKinds = layout{
		totals:  shelf{"answer_totals", "", "0"},
		parts:   shelf{"answer_parts", "kind", "part"},
		sources: shelf{"answer_sources", "", "part"},
	}
)

// tablesApart is the first generation of tables that tells kinds apart.
const tablesApart = 2

func layoutOf(f file) layout {
	if f.tables < tablesApart {
		return mixedKinds
	}
	return apartKinds
}

// textOf is what texts are of: a week, and a kind where a row is of one.
type textOf struct{ week, kind int64 }

// ofWeeks are texts of weeks that are to be kept.
func ofWeeks(weeks []int64) map[textOf]bool {
	all := make(map[textOf]bool, len(weeks))
	for _, week := range weeks {
		all[textOf{week: week}] = true
	}
	return all
}

// textRow is the texts of a row.
type textRow struct {
	part   int64
	texts  [][]byte
	digest bool // it is one of them
}

// texts gets columns of texts in a file. It asks the engine only for what is not at
// hand; of all kinds at once, if that is quicker. It keeps what it read, but for
// what digests will stand for.
func (r *textReader) texts(ctx context.Context, f file, from shelf, columns []string, wanted map[textOf]bool, allKinds bool) (map[textOf][]textRow, error) {
	if err := r.absent[f.name]; err != nil && len(wanted) > 0 {
		return nil, err
	}
	rows := make(map[textOf][]textRow, len(wanted))
	missing := make(map[textOf]bool)
	for of := range wanted {
		at, ok := r.atHand(f, columns, of)
		if !ok {
			missing[of] = true
			continue
		}
		rows[of] = at
	}
	if len(missing) == 0 {
		return rows, nil
	}
	query := from.query(f, columns, r.product, missing, allKinds)
	err := r.Query(ctx, facts.Statement{SQL: query}, func(scan facts.Scan) error {
		var of textOf
		row := textRow{texts: make([][]byte, len(columns))}
		into := []any{&of.week, &of.kind, &row.part}
		for c := range row.texts {
			into = append(into, &row.texts[c])
		}
		err := scan(into...)
		if missing[of] {
			rows[of] = append(rows[of], row)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for of := range missing {
		slices.SortFunc(rows[of], func(a, b textRow) int { return cmp.Compare(a.part, b.part) })
		if wanted[of] {
			r.keep(f, columns, of, rows[of])
		}
	}
	return rows, nil
}

// query asks for the texts that are missing: for those of each kind in weeks that
// follow one another. The engine finds these by a range; with a list of weeks it
// would read the texts of all others too.
func (from shelf) query(f file, columns []string, product int64, missing map[textOf]bool, allKinds bool) string {
	kind := cmp.Or(from.kind, "0")
	selected := fmt.Sprintf("select week, %s, %s, %s from %s.%s where product_id = %d",
		kind, from.part, strings.Join(columns, ", "), f.database(), from.table, product)
	weeks := make(map[int64][]int64) // by kind
	for of := range missing {
		if allKinds {
			of.kind = 0
		}
		weeks[of.kind] = append(weeks[of.kind], of.week)
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(weeks)) {
		slices.Sort(weeks[k])
		for _, run := range runs(slices.Compact(weeks[k])) {
			part := fmt.Sprintf("%s and week between %d and %d", selected, run.First, run.Last)
			if from.kind != "" && !allKinds {
				part += fmt.Sprintf(" and %s = %d", from.kind, k)
			}
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " union all ")
}

// runs are weeks that follow one another, as their first and last.
func runs(weeks []int64) (all []facts.Stretch) {
	for _, week := range weeks {
		if n := len(all); n > 0 && all[n-1].Last+facts.WeekSeconds == week {
			all[n-1].Last = week
			continue
		}
		all = append(all, facts.Stretch{First: week, Last: week})
	}
	return all
}
