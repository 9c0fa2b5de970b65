package duckdb

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// verifyAnswers compares what the packed answers of a file give, in every way
// that reports ask for it, with what the rows give.
func (s *set) verifyAnswers(ctx context.Context, f file, told func(done, all int64)) error {
	db := f.database()
	for _, table := range []facts.Table{facts.Mentions, facts.Citations} {
		query := fmt.Sprintf(`select count(*) from %s.%s t left join %[1]s.answers a using (answer_key) where a.answer_key is null
			or a.ts <> t.ts or a.prompt_id <> t.prompt_id or a.platform <> t.platform`, db, table)
		if err := s.none(ctx, query, string(table)+" without their answer"); err != nil {
			return err
		}
	}
	if err := s.verifyTables(ctx, f); err != nil {
		return err
	}
	products, err := s.numbers(ctx, "select distinct product_id from "+db+".answers order by 1")
	if err != nil {
		return err
	}
	for i, product := range products {
		told(int64(i), int64(len(products)))
		if err := s.verifyProduct(ctx, f, product); err != nil {
			return fmt.Errorf("product %d: %w", product, err)
		}
	}
	return nil
}

func (s *set) verifyProduct(ctx context.Context, f file, product int64) (err error) {
	db := f.database()
	q := facts.AnswerQuery{ProductID: product, First: f.firstWeek, Last: f.lastWeek + facts.WeekSeconds - 1}
	own := fmt.Sprintf("(select answer_key, ts, prompt_id, platform from %s.answers where product_id = %d) a", db, product)
	if q.PromptIDs, err = s.numbers(ctx, "select distinct prompt_id from "+own+" order by 1"); err != nil {
		return err
	}
	q.Products, err = s.numbers(ctx, fmt.Sprintf("select distinct m.product_id from %s.mentions m join %s using (answer_key) union select %d order by 1", db, own, product))
	if err != nil {
		return err
	}
	for by, group := range map[facts.Grouping]string{
		facts.Together: "0, ''", facts.ByPromptAndPlatform: "a.prompt_id, a.platform", facts.ByDayAndPlatform: "a.ts - a.ts % 86400, a.platform",
	} {
		tallies, err := s.Tally(ctx, q, by)
		if err != nil {
			return err
		}
		counted := make(lines)
		for _, t := range tallies {
			counted.addTally(t, q)
		}
		rows := make(lines)
		if err := s.addRows(ctx, rows, db, own, group, product); err != nil {
			return err
		}
		if err := counted.same(rows); err != nil {
			return err
		}
	}
	if err := s.verifyCited(ctx, db, own, q); err != nil {
		return err
	}
	return s.verifyKinds(ctx, f, product)
}

// lines are figures by what they are figures of, as texts.
type lines map[string]int64

func (l lines) addTally(t *facts.Tally, q facts.AnswerQuery) {
	of := fmt.Sprintf("%d %q ", t.Key, t.Platform)
	l[of+"answers"] = t.Answers
	for i, n := range t.Mentions {
		if n > 0 {
			l[of+fmt.Sprint("mentions of ", q.Products[i])] = n
		}
	}
	if t.Positions > 0 {
		l[of+"positions"] = t.Positions
	}
}

// addRows counts answers and mentions from the rows.
func (s *set) addRows(ctx context.Context, to lines, db, own, group string, product int64) error {
	err := s.Query(ctx, facts.Statement{SQL: "select " + group + ", count(*) from " + own + " group by 1, 2"}, func(scan facts.Scan) error {
		var key, n facts.Int
		var platform string
		err := scan(&key, &platform, &n)
		to[fmt.Sprintf("%d %q answers", key, platform)] = int64(n)
		return err
	})
	if err != nil {
		return err
	}
	query := fmt.Sprintf("select %s, m.product_id, count(*), sum(m.position) from %s.mentions m join %s using (answer_key) group by 1, 2, 3", group, db, own)
	return s.Query(ctx, facts.Statement{SQL: query}, func(scan facts.Scan) error {
		var key, mentioned, n, positions facts.Int
		var platform string
		err := scan(&key, &platform, &mentioned, &n, &positions)
		of := fmt.Sprintf("%d %q ", key, platform)
		to[of+fmt.Sprint("mentions of ", mentioned)] = int64(n)
		if int64(mentioned) == product {
			to[of+"positions"] = int64(positions)
		}
		return err
	})
}

// verifyCited compares the citations, by domain and by page.
func (s *set) verifyCited(ctx context.Context, db, own string, q facts.AnswerQuery) error {
	cited, err := s.Cited(ctx, q, true)
	if err != nil {
		return err
	}
	counted, rows := make(lines), make(lines)
	for _, d := range cited.Domains {
		counted[d.Domain] = d.Count
		for i, n := range d.Mentions {
			if n > 0 {
				counted[fmt.Sprint(d.Domain, " beside ", q.Products[i])] = n
			}
		}
	}
	for _, p := range cited.Pages {
		counted[p.Domain+" "+p.URL] = p.Count
	}
	from := fmt.Sprintf(" from %s.citations c join %s using (answer_key)", db, own)
	for _, query := range []string{
		"select c.domain, count(*)" + from + " group by 1",
		"select c.domain || ' ' || c.url, count(*)" + from + " group by 1",
		fmt.Sprintf("select c.domain || ' beside ' || m.product_id, count(*)%s join %s.mentions m using (answer_key) group by 1", from, db),
	} {
		err := s.Query(ctx, facts.Statement{SQL: query}, func(scan facts.Scan) error {
			var of string
			var n facts.Int
			err := scan(&of, &n)
			rows[of] = int64(n)
			return err
		})
		if err != nil {
			return err
		}
	}
	return counted.same(rows)
}

// same names the first figure that differs.
func (l lines) same(rows lines) error {
	for _, of := range slices.Sorted(maps.Keys(rows)) {
		if l[of] != rows[of] {
			return fmt.Errorf("packed answers give %d for %s, the rows %d", l[of], of, rows[of])
		}
	}
	if len(l) != len(rows) {
		return fmt.Errorf("packed answers give %d figures, the rows %d", len(l), len(rows))
	}
	return nil
}

func (s *set) numbers(ctx context.Context, query string) (all []int64, err error) {
	err = s.Query(ctx, facts.Statement{SQL: query}, func(scan facts.Scan) error {
		var n facts.Int
		err := scan(&n)
		all = append(all, int64(n))
		return err
	})
	return all, err
}
