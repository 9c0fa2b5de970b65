package main

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// addresses of the people in the logs below.
var addresses = []string{"203.0.113.77", "198.51.100.23", "2001:db8:aaaa:bbbb::77", "2001:DB8:AAAA:CCCC::23"}

// privateLogs are logs with addresses wherever logs have them, in good lines and
// in bad ones.
func privateLogs(t *testing.T) (combined, drain, views string) {
	const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36"
	combined = write(t, "access.log", 400, func(i int) string {
		a, b := addresses[i/20%4], addresses[(i+1)%4]
		line := fmt.Sprintf(`%s - - [%02d/Mar/2026:09:15:%02d +0000] "GET /%d HTTP/1.1" 200 512 "-" "%s"`, a, 2+i%20, i%60, i%9, chrome)
		if i%21 == 7 {
			line = fmt.Sprintf(`%s - %s [yesterday] "GET /%d HTTP/1.1" 200 512 "-" "%s"`, a, b, i, chrome)
		}
		return line
	})
	drain = write(t, "caddy.json", 200, func(i int) string {
		line := fmt.Sprintf(`{"ts":%d.5,"request":{"remote_ip":"%s","client_ip":"%s","method":"GET","host":"acme.com","uri":"/c/%d","headers":{"User-Agent":["%s"],"X-Forwarded-For":["%s"]}},"status":200}`,
			1772440000+i*3600, addresses[i%4], addresses[(i+1)%4], i%9, chrome, addresses[(i+2)%4])
		if i%20 == 7 {
			line = strings.Replace(line, `"status":200`, `"status":"`+addresses[0]+`"`, 1)
		}
		return line
	})
	views = write(t, "views.ndjson", 200, func(i int) string {
		at := "2026-03-02T09:15:00Z"
		if i%20 == 7 {
			at = "at noon"
		}
		return fmt.Sprintf(`{"at":"%s","websiteId":"w-acme","url":"https://acme.com/v/%d","userAgent":"%s","ip":"%s"}`, at, i%9, chrome, addresses[i%4])
	})
	return combined, drain, views
}

func TestAddressesAreStoredNowhere(t *testing.T) {
	p := newProgram(t, t.TempDir())
	combined, drain, views := privateLogs(t)
	p.run("load", "logs", combined, "--website", "w-acme")
	p.run("load", "logs", drain)
	p.run("load", "pageviews", views)
	files, rejected := 0, 0
	err := filepath.WalkDir(p.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(path, "rejects") {
			rejected += bytes.Count(content, []byte("\n"))
		}
		for _, address := range addresses {
			parsed := netip.MustParseAddr(address)
			for _, form := range []string{address, strings.ToLower(address), parsed.String(), parsed.StringExpanded(), "2001:db8:aaaa:bbbb", "2001:db8:aaaa:cccc"} {
				if bytes.Contains(content, []byte(form)) {
					t.Errorf("%s has the address %s", path, form)
				}
			}
		}
		if strings.HasSuffix(path, ".duckdb") {
			searchAddresses(t, path)
		}
		return nil
	})
	if err != nil || files < 6 || rejected != 39 {
		t.Errorf("%d files, %d rejected lines: %v", files, rejected, err)
	}
}

// searchAddresses looks into every column of a file: as text, and as the number
// that an address is.
func searchAddresses(t *testing.T, path string) {
	t.Helper()
	var texts, numbers []string
	for _, address := range addresses {
		a := netip.MustParseAddr(address)
		texts = append(texts, "contains(v, '"+strings.ToLower(address)+"')")
		if a.Is4() {
			four := a.As4()
			numbers = append(numbers, fmt.Sprint(binary.BigEndian.Uint32(four[:])), fmt.Sprint(binary.LittleEndian.Uint32(four[:])))
		} else {
			all := a.As16()
			numbers = append(numbers, fmt.Sprint(binary.BigEndian.Uint64(all[:8])), fmt.Sprint(binary.LittleEndian.Uint64(all[:8])))
		}
	}
	condition := strings.Join(texts, " or ") + " or v in ('" + strings.Join(numbers, "', '") + "')"
	eachColumn(t, path, func(db *sql.DB, table, column string) {
		var found int64
		query := fmt.Sprintf("select count(*) from (select lower(%s::varchar) as v from f.%s) where %s", column, table, condition)
		if err := db.QueryRow(query).Scan(&found); err != nil {
			t.Fatal(err)
		}
		if found > 0 {
			t.Errorf("%d rows of %s.%s of %s have an address", found, table, column, filepath.Base(path))
		}
	})
}

// eachColumn calls do with the columns of a file of facts.
func eachColumn(t *testing.T, path string, do func(db *sql.DB, table, column string)) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("attach '" + path + "' as f (read_only)"); err != nil {
		t.Fatal(err)
	}
	var columns string
	err = db.QueryRow("select string_agg(table_name || '.' || column_name, ' ') from duckdb_columns() where database_name = 'f'").Scan(&columns)
	if err != nil || !strings.Contains(columns, "visits.visitor") && !strings.Contains(columns, "answers.id") {
		t.Fatalf("columns %q: %v", columns, err)
	}
	for name := range strings.FieldsSeq(columns) {
		table, column, _ := strings.Cut(name, ".")
		do(db, table, column)
	}
}

// visitorsOf lists the visitors of a data directory.
func visitorsOf(t *testing.T, p *program) (all []uint64) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(p.data, "facts", "visits-*.duckdb"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		eachColumn(t, path, func(db *sql.DB, table, column string) {
			if table != "visits" || column != "visitor" {
				return
			}
			rows, err := db.Query("select distinct visitor from f.visits where visitor <> 0")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				all = append(all, 0)
				if err := rows.Scan(&all[len(all)-1]); err != nil {
					t.Fatal(err)
				}
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
		})
	}
	slices.Sort(all)
	return all
}

// Each data directory has a secret of its own, so what one says of people cannot
// be joined with another; and days can be kept apart like weeks.
func TestVisitorsAreStrangersInAnotherDirectory(t *testing.T) {
	combined, _, _ := privateLogs(t)
	load := func(data string, more ...string) []uint64 {
		p := newProgram(t, data)
		p.run(append([]string{"load", "logs", combined, "--website", "w-acme"}, more...)...)
		return visitorsOf(t, p)
	}
	first, second, daily := load(t.TempDir()), load(t.TempDir()), load(t.TempDir(), "--visitor-salt", "day")
	if len(first) != 4*3 || len(second) != 4*3 || len(daily) != 4*20 {
		t.Errorf("%d, %d and by day %d visitors, want 4 people in 3 weeks and 20 days", len(first), len(second), len(daily))
	}
	for _, v := range first {
		if slices.Contains(second, v) {
			t.Errorf("visitor %d is the same in two directories", v)
		}
	}
}
