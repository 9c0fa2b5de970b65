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
	words, err := readTallyWords(ctx, s.each, f.database())
	if err != nil {
		return err
	}
	var differ, outside int64
	weeks := (f.lastWeek-f.firstWeek)/facts.WeekSeconds + 1
	for done := range weeks {
		told(done, weeks)
		n, err := s.wrongTotals(ctx, f, newTallies(words, f.firstWeek+done*facts.WeekSeconds))
		if err != nil {
			return err
		}
		differ += n
	}
	for _, table := range f.visitTotals() {
		query := fmt.Sprintf("select count(*) from %s.%s where bucket < %d or bucket >= %d", f.database(), table, f.firstWeek, f.lastWeek+facts.WeekSeconds)
		if err := s.each(ctx, query, func(scan facts.Scan) error { return scan(&outside) }); err != nil {
			return err
		}
		differ += outside
	}
	if differ > 0 {
		return fmt.Errorf("there are %d totals that are not those of the visits", differ)
	}
	return nil
}

// visitTotals are the tables with what was counted of the visits of a file.
func (f file) visitTotals() []facts.Table {
	if f.tables < tablesNow {
		return visitTotals[:1]
	}
	return visitTotals
}

// wrongTotals counts the rows of totals of a week that its visits do not give, and
// the rows that they give and totals does not have.
func (s *set) wrongTotals(ctx context.Context, f file, t *tallies) (wrong int64, err error) {
	if err := t.addRows(ctx, s.each, f.database()); err != nil {
		return 0, err
	}
	for i := range f.visitTotals() {
		n, err := []func(context.Context, file, *tallies) (int64, error){s.wrongLevels, s.wrongDirectories, s.wrongAgents}[i](ctx, f, t)
		if err != nil {
			return 0, err
		}
		wrong += n
	}
	return wrong, nil
}

// compared counts the rows of a query that were not counted, or otherwise, and
// those that were counted and it does not give. into is where a row is read.
func compared[K comparable, F comparable](ctx context.Context, s *set, query string, counted map[K]F, key *K, figures *F, into ...any) (wrong int64, err error) {
	err = s.each(ctx, query, func(scan facts.Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		if want, ok := counted[*key]; !ok || want != *figures {
			wrong++
			return nil
		}
		delete(counted, *key)
		return nil
	})
	return wrong + int64(len(counted)), err
}

// ofWeek is the condition for totals of a week.
func ofWeek(week int64) string {
	return fmt.Sprintf("bucket >= %d and bucket < %d", week, week+facts.WeekSeconds)
}

// siteTotal is what a row of totals is about.
type siteTotal struct {
	website uint32
	totalKey
}

func (s *set) wrongLevels(ctx context.Context, f file, t *tallies) (int64, error) {
	counted := make(map[siteTotal][len(facts.TotalColumns)]int64)
	for _, site := range t.sites {
		for _, r := range t.totals(site) {
			counted[siteTotal{site.website, totalKey{r.bucket, r.width, r.level, r.platform, r.botType}}] = r.figures()
		}
	}
	var key siteTotal
	var figures [len(facts.TotalColumns)]int64
	into := []any{&key.website, &key.bucket, &key.width, &key.level, &key.platform, &key.botType}
	for i := range figures {
		into = append(into, &figures[i])
	}
	query := fmt.Sprintf("select website, bucket, width, level, platform, bot_type, %s from %s.totals where %s",
		strings.Join(facts.TotalColumns[:], ", "), f.database(), ofWeek(t.week))
	return compared(ctx, s, query, counted, &key, &figures, into...)
}

// wrongDirectories takes the number of the directory for its page: it does not
// matter which one it is.
func (s *set) wrongDirectories(ctx context.Context, f file, t *tallies) (int64, error) {
	type about struct {
		website uint32
		directoryTotal
	}
	counted := make(map[about]metrics)
	for _, site := range t.sites {
		site.directoryTotals(t.week, &t.masks, func(r directoryTotal, figures *metrics) error {
			r.page = t.directory(r.page)
			counted[about{site.website, r}] = *figures
			return nil
		})
	}
	var key about
	var figures metrics
	into := []any{&key.website, &key.bucket, &key.width, &key.page}
	for i := range figures {
		into = append(into, &figures[i])
	}
	query := fmt.Sprintf(`select website, bucket, width, coalesce(first, 4294967295), %s from %s.directory_totals left join %[2]s.pages using (page)
		left join (select url_path_directory, min(page) as first from %[2]s.pages group by all) using (url_path_directory) where %[3]s`,
		strings.Join(facts.MetricColumns, ", "), f.database(), ofWeek(t.week))
	return compared(ctx, s, query, counted, &key, &figures, into...)
}

func (s *set) wrongAgents(ctx context.Context, f file, t *tallies) (int64, error) {
	type about struct {
		website uint32
		agentTotal
	}
	counted := make(map[about]struct{})
	for _, site := range t.sites {
		for _, r := range t.agentTotals(site) {
			counted[about{site.website, r}] = struct{}{}
		}
	}
	var key about
	query := fmt.Sprintf("select website, bucket, width, source, agent from %s.agent_totals where %s", f.database(), ofWeek(t.week))
	return compared(ctx, s, query, counted, &key, new(struct{}), &key.website, &key.bucket, &key.width, &key.source, &key.agent)
}

// each calls row for each row of a query.
func (s *set) each(ctx context.Context, query string, row func(scan facts.Scan) error) error {
	return s.Query(ctx, facts.Statement{SQL: query}, row)
}
