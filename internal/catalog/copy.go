package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// tablesInOrder are the tables of a catalog but meta, owners before what they own.
var tablesInOrder = []string{
	"teams", "team_manages", "products", "product_names", "product_competitors",
	"websites", "labels", "prompts", "prompt_platforms", "prompt_labels", "api_keys", "key_log",
}

// Copied says how many rows of each table were copied.
type Copied struct {
	From, To string // for people, without passwords
	Tables   []CopiedTable
}

// CopiedTable is one table of a copy.
type CopiedTable struct {
	Name string
	Rows int
}

// Rows is how many rows were copied altogether.
func (c Copied) Rows() (n int) {
	for _, t := range c.Tables {
		n += t.Rows
	}
	return n
}

// Copy copies a whole catalog, as it is at one moment, into an empty one of any
// kind: retired records and the hashes of keys too, so all keys go on working.
// The target has everything or nothing, and a version above that of the source.
func Copy(ctx context.Context, from, to *Store) (Copied, error) {
	copied := Copied{From: from.Place(), To: to.Place()}
	var source *state
	content := make(map[string]*content)
	err := from.read(ctx, func(tx *sql.Tx) (err error) {
		if source, err = from.wholeState(ctx, tx); err != nil {
			return err
		}
		for _, table := range tablesInOrder {
			if content[table], err = readTable(ctx, tx, table); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return copied, err
	}
	err = to.change(ctx, func(tx *sql.Tx) (bool, error) {
		if err := to.checkEmpty(ctx, tx); err != nil {
			return false, err
		}
		w := &writer{ctx: ctx, tx: tx}
		for _, table := range tablesInOrder {
			c := content[table]
			w.many("insert into "+table+" ("+strings.Join(c.columns, ", ")+")", c.rows, "")
			copied.Tables = append(copied.Tables, CopiedTable{table, len(c.rows)})
		}
		w.exec(`update meta set catalog_version = $1, workspace_sum = $2`, source.version, source.sealed)
		if w.err != nil {
			return false, w.err
		}
		if err := verify(ctx, tx, copied); err != nil {
			return false, err
		}
		_, err := to.wholeState(ctx, tx)
		return true, err
	})
	return copied, err
}

// content is the rows of a table, as they are.
type content struct {
	columns []string
	rows    []tuple
}

func readTable(ctx context.Context, tx *sql.Tx, table string) (*content, error) {
	rows, err := tx.QueryContext(ctx, "select * from "+table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	c := &content{columns: each(types, (*sql.ColumnType).Name)}
	for rows.Next() {
		values, places := make(tuple, len(types)), make([]any, len(types))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		for i, t := range types {
			// SQLite has no boolean: it is a number that is declared as one.
			if number, ok := values[i].(int64); ok && strings.EqualFold(t.DatabaseTypeName(), "boolean") {
				values[i] = number != 0
			}
		}
		c.rows = append(c.rows, values)
	}
	return c, rows.Err()
}

// checkEmpty refuses a catalog in which anything ever was: copying over it would
// mix two histories.
func (s *Store) checkEmpty(ctx context.Context, tx *sql.Tx) error {
	var version int64
	if err := tx.QueryRowContext(ctx, `select catalog_version from meta`).Scan(&version); err != nil {
		return err
	}
	rows, err := countRows(ctx, tx)
	if err != nil {
		return err
	}
	for _, n := range rows {
		version += int64(n)
	}
	if version > 0 {
		return fmt.Errorf("catalog %s is not empty: nothing was copied; name an empty database", s.Place())
	}
	return nil
}

// verify counts what has arrived.
func verify(ctx context.Context, tx *sql.Tx, copied Copied) error {
	rows, err := countRows(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range copied.Tables {
		if rows[t.Name] != t.Rows {
			return fmt.Errorf("%d of %d rows of %s arrived at catalog %s: nothing was copied", rows[t.Name], t.Rows, t.Name, copied.To)
		}
	}
	return nil
}

func countRows(ctx context.Context, tx *sql.Tx) (map[string]int, error) {
	counts := make(map[string]int)
	for _, table := range tablesInOrder {
		var n int
		if err := tx.QueryRowContext(ctx, "select count(*) from "+table).Scan(&n); err != nil {
			return nil, err
		}
		counts[table] = n
	}
	return counts, nil
}
