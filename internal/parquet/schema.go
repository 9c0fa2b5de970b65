package parquet

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// column is a column of the file.
type column struct {
	place int // in the file
	name  string
	kind  string // its type, in the engine's words
}

// readSchema lists the columns in their order. The engine gives names of its
// own to those that differ only in case, so the names come from the file.
func readSchema(ctx context.Context, conn *sql.Conn, source source) (columns []column, err error) {
	names, err := readNames(ctx, conn, source)
	if err != nil {
		return nil, err
	}
	var kinds []string
	described, err := conn.QueryContext(ctx, "select column_type from (describe from "+source.sql()+")")
	if err != nil {
		return nil, err
	}
	if err := drain(described, func() error {
		var kind string
		err := described.Scan(&kind)
		kinds = append(kinds, kind)
		return err
	}); err != nil {
		return nil, err
	}
	if len(names) != len(kinds) {
		return nil, fmt.Errorf("%w (its columns are not clear)", errDamaged)
	}
	for i, name := range names {
		columns = append(columns, column{i, name, kinds[i]})
	}
	return columns, nil
}

// readNames lists the columns that are not inside of others. A schema is a
// tree, written as a list: each element comes before its children.
func readNames(ctx context.Context, conn *sql.Conn, source source) (names []string, err error) {
	elements, err := conn.QueryContext(ctx, "select name, coalesce(num_children, 0) from parquet_schema("+source.literal()+") order by column_id")
	if err != nil {
		return nil, err
	}
	pending := []int64{1} // elements that are still to come, at each depth: first the root
	err = drain(elements, func() error {
		var name string
		var children int64
		if err := elements.Scan(&name, &children); err != nil {
			return err
		}
		for len(pending) > 0 && pending[len(pending)-1] == 0 {
			pending = pending[:len(pending)-1]
		}
		if len(pending) == 0 {
			return fmt.Errorf("%w (its columns are not clear)", errDamaged)
		}
		if len(pending) == 2 {
			names = append(names, name)
		}
		pending[len(pending)-1]--
		pending = append(pending, children)
		return nil
	})
	return names, err
}

// drain goes over all rows; its last act is to ask for the error.
func drain(rows *sql.Rows, row func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := row(); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// choose picks the wanted columns.
func choose(all []column, wanted []string) (chosen []column, err error) {
	for _, name := range wanted {
		var found []column
		for _, c := range all {
			if c.name == name {
				found = append(found, c)
			}
		}
		if len(found) > 1 {
			return nil, fmt.Errorf("the Parquet file has the column %s twice", name)
		}
		chosen = append(chosen, found...)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("the Parquet file has none of the columns %s: it has %s", strings.Join(wanted, ", "), listed(all))
	}
	return chosen, nil
}

// listed names the first columns, as many as can be read at a glance.
func listed(all []column) string {
	const enough = 20
	var names []string
	for _, c := range all[:min(len(all), enough)] {
		names = append(names, c.name)
	}
	if more := len(all) - enough; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// asTheyAre are the types whose values reach Go exactly; a list, a struct and a
// map do so by what is in them.
var asTheyAre = []string{
	"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT",
	"FLOAT", "DOUBLE", "VARCHAR", "BLOB", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE",
}

// expression reads the column. What is not as it is comes as text: a date, so
// that it does not pass for midnight, and JSON, which the driver would round.
func (c column) expression() string {
	if slices.Contains(asTheyAre, c.kind) || strings.HasSuffix(c.kind, ")") || strings.HasSuffix(c.kind, "]") {
		return alias(c.place)
	}
	return alias(c.place) + "::varchar"
}

// isJSON tells whether the text in the column is JSON by the file's word.
func (c column) isJSON() bool { return c.kind == "JSON" }
