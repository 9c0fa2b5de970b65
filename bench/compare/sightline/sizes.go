package sightline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2" // reads the files
	_ "modernc.org/sqlite"             // reads the manifest
)

// raw are the tables that hold what was loaded, each fact once; the others are
// made from them to answer faster.
var raw = strings.Fields("visits websites sources pages paths agents answers mentions citations")

// Sizes is how the bytes of the facts are used.
type Sizes struct {
	Files           int
	Bytes           int64
	Raw, Rollups    map[string]float64 // bytes by table
	RawSum, RollSum float64
}

// Measure reads the files of a kind, visits or answers.
func Measure(ctx context.Context, data, kind string) (s Sizes, err error) {
	s.Raw, s.Rollups = make(map[string]float64), make(map[string]float64)
	names, err := current(ctx, filepath.Join(data, "facts"), kind)
	if err != nil {
		return s, err
	}
	for _, name := range names {
		path := filepath.Join(data, "facts", name)
		info, err := os.Stat(path)
		if err != nil {
			return s, err
		}
		s.Files++
		s.Bytes += info.Size()
		tables, err := tableBytes(ctx, path)
		if err != nil {
			return s, fmt.Errorf("%s: %w", path, err)
		}
		for table, n := range tables {
			if slices.Contains(raw, table) {
				s.Raw[table] += n
				s.RawSum += n
			} else {
				s.Rollups[table] += n
				s.RollSum += n
			}
		}
	}
	return s, nil
}

// current lists the files of the manifest's version.
func current(ctx context.Context, facts, kind string) (names []string, err error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(facts, "manifest.db")+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, "select name from files where kind = ? and removed_version is null order by name", kind)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// tableBytes shares out the blocks of a file: a block that holds parts of
// several tables is divided by the number of parts.
func tableBytes(ctx context.Context, path string) (bytes map[string]float64, err error) {
	db, err := sql.Open("duckdb", path+"?access_mode=read_only")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, err := texts(ctx, db, "select table_name from duckdb_tables() where not internal")
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, t := range tables {
		parts = append(parts, fmt.Sprintf("select '%[1]s' as name, unnest(list_prepend(block_id, coalesce(additional_block_ids, []))) as block from pragma_storage_info('%[1]s') where persistent and block_id >= 0", t))
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf(`with parts as (%s),
		blocks as (select block, count(*) as n from parts group by block)
		select name, sum(1.0 / n) * (select block_size from pragma_database_size()) from parts join blocks using (block) group by name`, strings.Join(parts, "\nunion all ")))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	bytes = make(map[string]float64)
	for rows.Next() {
		var name string
		var n float64
		if err := rows.Scan(&name, &n); err != nil {
			return nil, err
		}
		bytes[name] = n
	}
	return bytes, rows.Err()
}

func texts(ctx context.Context, db *sql.DB, query string) (all []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}
