package duckdb

import (
	"context"
	"fmt"

	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// verifyTables looks for packed answers that belong to nothing, and for weeks without.
func (s *set) verifyTables(ctx context.Context, f file) error {
	db := f.database()
	query := fmt.Sprintf(`select (select count(*) from (select distinct product_id, ts - (ts + 259200) %% 604800 as week from %[1]s.answers)
			full join %[1]s.answer_totals t using (product_id, week) where product_id is null or t.totals is null)`, db)
	if err := s.none(ctx, query, "weeks without their sums, or sums without their week"); err != nil {
		return err
	}
	l := layoutOf(f)
	for _, shelf := range []shelf{l.parts, l.sources} {
		query := fmt.Sprintf(`select (select count(*) from %[1]s.%[2]s anti join %[1]s.answer_totals using (product_id, week)),
			(select count(*) - count(distinct (product_id, week, %[3]s)) from %[1]s.%[2]s)`, db, shelf.table, shelf.row())
		if err := s.none(ctx, query, "packed answers of unknown products or weeks", "packed answers that are there twice"); err != nil {
			return err
		}
	}
	return nil
}

// row is what tells the rows of a product and week apart.
func (from shelf) row() string {
	if from.kind == "" {
		return from.part
	}
	return from.kind + ", " + from.part
}

// verifyKinds compares the sums of each week and kind with its packed answers: a
// report about some prompts reads only kinds that say they have them.
func (s *set) verifyKinds(ctx context.Context, f file, product int64) error {
	weeks, r := weeksOf(f, f.firstWeek, f.lastWeek), s.textReader(product)
	directories, err := r.directories(ctx, f, weeks)
	if err != nil {
		return err
	}
	for _, week := range weeks {
		if err := r.verifyWeek(ctx, f, week, directories[week]); err != nil {
			return fmt.Errorf("the week of %s: %w", weekName(week), err)
		}
	}
	return nil
}

func (r *textReader) verifyWeek(ctx context.Context, f file, week int64, directory packed.Directory) error {
	w := neededWeek{file: f, week: week}
	for _, kind := range directory.Kinds {
		w.kinds = append(w.kinds, neededKind{number: kind.Number})
	}
	texts, err := r.needTexts(ctx, []neededWeek{w}, mentionsDigest, "mentions")
	if err != nil {
		return err
	}
	rows := int64(0)
	for _, kind := range directory.Kinds {
		var mentions [][]byte
		for _, row := range texts[textOf{week, kind.Number}] {
			mentions = append(mentions, row.texts[0])
		}
		if err := packed.Check(r.product, week, kind.Totals, mentions); err != nil {
			return err
		}
		rows += int64(len(mentions))
	}
	query := fmt.Sprintf("select count(*) - %d from %s.answer_parts where product_id = %d and week = %d", rows, f.database(), r.product, week)
	return r.none(ctx, query, "packed answers without their sums")
}
