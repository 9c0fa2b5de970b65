package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	duck "github.com/duckdb/duckdb-go/v2"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/packed"
)

// packAnswers packs the answers of the weeks that were not copied packed, one by
// one, which bounds the memory.
func (b *build) packAnswers(ctx context.Context) (err error) {
	if !withCounts {
		return nil
	}
	b.counting.Lock() // one at a time: it takes memory
	defer b.counting.Unlock()
	conn, err := b.connector.Connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var to packs
	for table, a := range map[string]**duck.Appender{"answer_parts": &to.parts, "answer_sources": &to.sources, "answer_totals": &to.totals} {
		if *a, err = duck.NewAppender(conn, b.made(), "main", table); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, (*a).Close()) }()
	}
	for _, week := range b.mondays() {
		if !b.dirty[week] && !b.outdated(week) {
			continue
		}
		if err := b.packWeek(ctx, week, to); err != nil {
			return err
		}
	}
	return nil
}

// packs takes packed answers.
type packs struct{ parts, sources, totals *duck.Appender }

// weekWriter packs the answers of a week to prompts of a product.
type weekWriter struct {
	*packed.Writer
	product, week int64
	parts         int64 // that were put
}

// put puts a part.
func (p packs) put(w *weekWriter) error {
	if w.Empty() {
		return nil
	}
	part := w.Take()
	for _, t := range part.Kinds {
		if err := p.parts.AppendRow(w.product, w.week, t.Kind, w.parts, t.Mentions, t.Citations); err != nil {
			return err
		}
	}
	err := p.sources.AppendRow(w.product, w.week, w.parts, part.Domains, part.URLs)
	w.parts++
	return err
}

func (b *build) packWeek(ctx context.Context, week int64, to packs) error {
	writers := make(map[int64]*weekWriter) // by product
	err := b.answers(ctx, week, func(a *facts.Answer) error {
		w := writers[a.ProductID]
		if w == nil {
			w = &weekWriter{Writer: packed.NewWriter(a.ProductID, week), product: a.ProductID, week: week}
			writers[a.ProductID] = w
		}
		if w.Add(a); w.Full() {
			return to.put(w)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, product := range slices.Sorted(maps.Keys(writers)) {
		w := writers[product]
		if err := to.put(w); err != nil {
			return err
		}
		if err := to.totals.AppendRow(product, week, w.Directory()); err != nil {
			return err
		}
	}
	return nil
}

// answers calls each with the answers of a week of the new file, by prompt. It
// reads answers, mentions and citations side by side, in the same order.
func (b *build) answers(ctx context.Context, week int64, each func(*facts.Answer) error) (err error) {
	lanes := make(map[facts.Table]*lane)
	for table, columns := range map[facts.Table]string{
		facts.Answers: "ts, product_id, prompt_id, prompt_kind, platform", facts.Mentions: "product_id, position", facts.Citations: "domain, url",
	} {
		query := fmt.Sprintf("select answer_key, %s from %s.%s where %s order by prompt_id, platform, ts, answer_key",
			columns, b.made(), table, within(week))
		rows, err := b.db.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		lanes[table] = &lane{rows: rows}
	}
	var a facts.Answer
	var m facts.Mention
	var c facts.Citation
	answers, mentions, citations := lanes[facts.Answers], lanes[facts.Mentions], lanes[facts.Citations]
	mentions.into, citations.into = []any{&m.ProductID, &m.Position}, []any{&c.Domain, &c.URL}
	answers.into = []any{&a.Second, &a.ProductID, &a.PromptID, &a.PromptKind, &a.Platform}
	for answers.next() {
		a.Mentions, a.Citations = a.Mentions[:0], a.Citations[:0]
		for mentions.of(answers.key) {
			a.Mentions = append(a.Mentions, m)
		}
		for citations.of(answers.key) {
			a.Citations = append(a.Citations, c)
		}
		if err := each(&a); err != nil {
			return err
		}
	}
	if mentions.next() || citations.next() {
		return fmt.Errorf("the week of %s has mentions or citations without an answer", weekName(week))
	}
	return errors.Join(answers.err, mentions.err, citations.err)
}

// lane is rows that begin with the key of their answer.
type lane struct {
	rows *sql.Rows
	into []any
	key  int64
	kept bool // the row is read, but not taken
	err  error
}

// next reads the next row.
func (l *lane) next() bool {
	if l.kept {
		l.kept = false
		return true
	}
	if l.err != nil || !l.rows.Next() {
		l.err = errors.Join(l.err, l.rows.Err())
		return false
	}
	l.err = l.rows.Scan(append([]any{&l.key}, l.into...)...)
	return l.err == nil
}

// of reads the next row if it belongs to an answer.
func (l *lane) of(key int64) bool {
	if !l.next() {
		return false
	}
	l.kept = l.key != key
	return !l.kept
}
