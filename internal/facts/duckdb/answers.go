package duckdb

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// Tally implements facts.Reader. Whole days come from the totals of their
// week, if those are of no other prompts than asked for.
func (s *set) Tally(ctx context.Context, q facts.AnswerQuery, by facts.Grouping) ([]*facts.Tally, error) {
	shares := packed.NewShares(q, by, runtime.GOMAXPROCS(0))
	t := shares[0]
	rest := newWeeks(q.First, q.Last)
	if by != facts.ByPromptAndPlatform {
		err := s.packs(ctx, "answer_totals", []string{"totals"}, q.ProductID, rest, func(week int64, texts [][]byte) error {
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
	err := share(shares, func(give func(func(*packed.Tallies) error)) error {
		return s.packs(ctx, "answer_parts", []string{"mentions"}, q.ProductID, rest, func(week int64, texts [][]byte) error {
			windows := rest.of(week)
			give(func(t *packed.Tallies) error {
				for _, w := range windows {
					if err := t.Answers(week, texts[0], w.First, w.Last); err != nil {
						return err
					}
				}
				return nil
			})
			return nil
		})
	})
	for _, other := range shares[1:] {
		t.Add(other)
	}
	return t.All(), err
}

// Cited implements facts.Reader.
func (s *set) Cited(ctx context.Context, q facts.AnswerQuery, pages bool) (facts.Cited, error) {
	c := packed.NewCitations(q, pages)
	columns := []string{"mentions", "citations", "pages"}
	err := spread(slices.Repeat([]*packed.Citations{c}, runtime.GOMAXPROCS(0)), func(give func(func(*packed.Citations) error)) error {
		return s.packs(ctx, "answer_parts", columns, q.ProductID, newWeeks(q.First, q.Last), func(week int64, texts [][]byte) error {
			give(func(c *packed.Citations) error {
				return c.Answers(week, packed.Part{Mentions: texts[0], Citations: texts[1], Pages: texts[2]}, q.First, q.Last)
			})
			return nil
		})
	})
	return c.All(), err
}

// batchWeeks is how many weeks of packed answers are read at once. The engine
// makes copies of what it gives; more at once would take more memory.
const batchWeeks = 4

// packs gives packed answers of a product, a few weeks at a time, so that no more
// are in memory beside what is kept there.
func (s *set) packs(ctx context.Context, table string, columns []string, product int64, weeks *weeks, each func(week int64, texts [][]byte) error) error {
	for _, f := range s.files {
		if f.kind != facts.KindAnswers {
			continue
		}
		for read := range slices.Chunk(weeks.within(f), batchWeeks) {
			parts, err := s.texts(ctx, f, table, columns, product, read)
			if err != nil {
				return err
			}
			for _, week := range read {
				for texts := range rows(parts[week]) {
					if err := each(week, texts); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// rows turns columns into rows.
func rows(columns [][][]byte) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		for i := range columns[0] {
			row := make([][]byte, len(columns))
			for c := range columns {
				row[c] = columns[c][i]
			}
			if !yield(row) {
				return
			}
		}
	}
}

// texts gets the columns of a product's weeks in a file: of each, the text of
// every part. It asks the engine only for what is not at hand.
func (s *set) texts(ctx context.Context, f file, table string, columns []string, product int64, read []int64) (map[int64][][][]byte, error) {
	if err := s.absent[f.name]; err != nil && len(read) > 0 {
		return nil, err
	}
	parts := make(map[int64][][][]byte, len(read))
	var missing []int64
	for _, week := range read {
		if at, ok := s.hot.textsAtHand(f, columns, product, week); ok {
			parts[week] = at
			continue
		}
		missing = append(missing, week)
		parts[week] = make([][][]byte, len(columns))
	}
	if len(missing) == 0 {
		return parts, nil
	}
	query := fmt.Sprintf("select week, %s from %s.%s where product_id = %d and week in (%s)",
		strings.Join(columns, ", "), f.database(), table, product, list(missing))
	err := s.Query(ctx, facts.Statement{SQL: query}, func(scan facts.Scan) error {
		var week int64
		texts := make([][]byte, len(columns))
		into := []any{&week}
		for c := range texts {
			into = append(into, &texts[c])
		}
		if err := scan(into...); err != nil {
			return err
		}
		for c, text := range texts {
			parts[week][c] = append(parts[week][c], text)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !s.inspector.proven(f, s.stamps[f.name]) {
		return parts, nil
	}
	for _, week := range missing {
		s.hot.keepTexts(f, columns, product, week, parts[week])
	}
	return parts, nil
}

func list(numbers []int64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = itoa(n)
	}
	return strings.Join(texts, ", ")
}
