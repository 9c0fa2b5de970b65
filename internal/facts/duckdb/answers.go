package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// Tally implements facts.AnswerReader. Whole days come from the totals of their
// week, if those are of no other prompts than asked for.
func (s *set) Tally(ctx context.Context, q facts.AnswerQuery, by facts.Grouping) ([]*facts.Tally, error) {
	t := packed.NewTallies(q, by)
	rest := newWeeks(q.First, q.Last)
	if by != facts.ByPromptAndPlatform {
		err := s.packs(ctx, "answer_totals", "totals", q.ProductID, rest, func(week int64, texts []sql.RawBytes) error {
			counted, err := t.Totals(texts[0], q.First, q.Last)
			if counted {
				rest.edges(week)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	err := s.packs(ctx, "answer_parts", "mentions", q.ProductID, rest, func(week int64, texts []sql.RawBytes) error {
		for _, w := range rest.of(week) {
			if err := t.Answers(week, texts[0], w.first, w.last); err != nil {
				return err
			}
		}
		return nil
	})
	return t.All(), err
}

// Cited implements facts.AnswerReader.
func (s *set) Cited(ctx context.Context, q facts.AnswerQuery, pages bool) (facts.Cited, error) {
	c := packed.NewCitations(q, pages)
	err := s.packs(ctx, "answer_parts", "mentions, citations, pages", q.ProductID, newWeeks(q.First, q.Last), func(week int64, texts []sql.RawBytes) error {
		return c.Answers(week, packed.Part{Mentions: texts[0], Citations: texts[1], Pages: texts[2]}, q.First, q.Last)
	})
	return c.All(), err
}

// packs reads packed answers of a product, file by file, so that no more than a
// file's are in memory.
func (s *set) packs(ctx context.Context, table, columns string, product int64, weeks *weeks, each func(week int64, texts []sql.RawBytes) error) error {
	texts := make([]sql.RawBytes, strings.Count(columns, ",")+1)
	var week int64
	into := []any{&week}
	for i := range texts {
		into = append(into, &texts[i])
	}
	for _, f := range s.files {
		first, last, any := weeks.within(f)
		if f.kind != facts.KindAnswers || !any {
			continue
		}
		query := fmt.Sprintf("select week, %s from %s.%s where product_id = %d and week between %d and %d",
			columns, f.database(), table, product, first, last)
		err := s.Query(ctx, facts.Statement{SQL: query}, func(scan facts.Scan) error {
			if err := scan(into...); err != nil {
				return err
			}
			return each(week, texts)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
