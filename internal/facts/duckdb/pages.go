package duckdb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// The pages of all websites of a file are in one table of words. Looking through
// it for a path takes as long as counting the visits to the page, and longer the
// more others there are in the file. So the numbers that stand for a path stay at
// hand, and the engine is asked for visits with these.

// pageKey is a page in a file, by its sum.
type pageKey struct{ file, path string }

// ofPage is a set with the visits to one page alone.
type ofPage struct {
	*set
	numbers map[string][]uint32 // of the page, by name of the file
}

// OfPage implements facts.Pages.
func (s *set) OfPage(ctx context.Context, path string, first, last int64) (facts.Set, error) {
	of := &ofPage{s, make(map[string][]uint32)}
	var missing []file
	for _, f := range s.files {
		if f.kind != facts.KindVisits || !f.overlaps(first, last) {
			continue
		}
		if err := s.absent[f.name]; err != nil {
			return nil, err
		}
		numbers, ok := s.hot.pages.Get(pageKey{f.sha256, path})
		if !ok {
			missing = append(missing, f)
		}
		of.numbers[f.name] = numbers
	}
	return of, of.find(ctx, path, missing)
}

// find looks through the words of files for a path.
func (p *ofPage) find(ctx context.Context, path string, files []file) error {
	if len(files) == 0 {
		return nil
	}
	var parts []string
	var args []any
	for i, f := range files {
		parts = append(parts, fmt.Sprintf("select %d, page from %s.pages where normalized_url_path = ?", i, f.database()))
		args = append(args, path)
	}
	query := strings.Join(parts, " union all ")
	err := p.Query(ctx, facts.Statement{SQL: query, Args: args}, func(scan facts.Scan) error {
		var at int
		var number uint32
		err := scan(&at, &number)
		p.numbers[files[at].name] = append(p.numbers[files[at].name], number)
		return err
	})
	if err != nil {
		return err
	}
	for _, f := range files {
		numbers := p.numbers[f.name]
		slices.Sort(numbers)
		if p.inspector.proven(f, p.stamps[f.name]) {
			p.hot.pages.Add(pageKey{f.sha256, path}, numbers, int64(keyCost+len(path)+4*cap(numbers)))
		}
	}
	return nil
}

// Table implements facts.Set. Files without the page are left out.
func (p *ofPage) Table(t facts.Table, columns []string, first, last int64) string {
	if t != facts.Visits {
		return p.set.Table(t, columns, first, last)
	}
	return p.table(t, columns, first, last, func(f file) (string, bool) {
		var list []string
		for _, number := range p.numbers[f.name] {
			list = append(list, itoa(int64(number)))
		}
		return " where v.page in (" + strings.Join(list, ", ") + ")", len(list) > 0
	})
}

// Again implements facts.Set.
func (p *ofPage) Again() facts.Set { return &ofPage{p.acquire(), p.numbers} }
