package duckdb

import (
	"context"
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
)

// verifyTotals counts the visits of a file again, as a load does, and compares
// what comes out with the totals. It goes week by week, which bounds the memory.
func (s *set) verifyTotals(ctx context.Context, f file, told func(done, all int64)) error {
	var differ, outside int64
	weeks := (f.lastWeek-f.firstWeek)/facts.WeekSeconds + 1
	for done := range weeks {
		told(done, weeks)
		n, err := s.wrongTotals(ctx, f, f.firstWeek+done*facts.WeekSeconds)
		if err != nil {
			return err
		}
		differ += n
	}
	err := s.each(ctx, fmt.Sprintf("select count(*) from %s.totals where bucket < %d or bucket >= %d", f.database(), f.firstWeek, f.lastWeek+facts.WeekSeconds),
		func(scan facts.Scan) error { return scan(&outside) })
	if differ += outside; err == nil && differ > 0 {
		err = fmt.Errorf("there are %d totals that are not those of the visits", differ)
	}
	return err
}

// wrongTotals counts the rows of totals of a week that its visits do not give, and
// the rows that they give and totals does not have.
func (s *set) wrongTotals(ctx context.Context, f file, week int64) (wrong int64, err error) {
	counted, err := s.countTotals(ctx, f, week)
	if err != nil {
		return 0, err
	}
	query := fmt.Sprintf("select website, bucket, width, level, platform, bot_type, %s from %s.totals where bucket >= %d and bucket < %d",
		strings.Join(facts.TotalColumns[:], ", "), f.database(), week, week+facts.WeekSeconds)
	err = s.each(ctx, query, func(scan facts.Scan) error {
		var row siteTotal
		var figures [len(facts.TotalColumns)]int64
		into := []any{&row.website, &row.bucket, &row.width, &row.level, &row.platform, &row.botType}
		for i := range figures {
			into = append(into, &figures[i])
		}
		if err := scan(into...); err != nil {
			return err
		}
		if want, ok := counted[row]; !ok || want != figures {
			wrong++
			return nil
		}
		delete(counted, row)
		return nil
	})
	return wrong + int64(len(counted)), err
}

// siteTotal is what a row of totals is about.
type siteTotal struct {
	website uint32
	totalKey
}

// countTotals counts the visits of a week.
func (s *set) countTotals(ctx context.Context, f file, week int64) (map[siteTotal][len(facts.TotalColumns)]int64, error) {
	t, err := newTallies(ctx, s.each, f.database())
	if err == nil {
		err = t.addRows(ctx, s.each, f.database(), week)
	}
	if err != nil {
		return nil, err
	}
	counted := make(map[siteTotal][len(facts.TotalColumns)]int64)
	for _, site := range t.sites {
		for _, r := range t.totals(site) {
			counted[siteTotal{site.website, totalKey{r.bucket, r.width, r.level, r.platform, r.botType}}] = r.figures()
		}
	}
	return counted, nil
}

// each calls row for each row of a query.
func (s *set) each(ctx context.Context, query string, row func(scan facts.Scan) error) error {
	return s.Query(ctx, facts.Statement{SQL: query}, row)
}
