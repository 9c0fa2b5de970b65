package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	duck "github.com/duckdb/duckdb-go/v2"

	"github.com/sightline-hq/sightline/internal/facts"
)

// forgetting is what is forgotten, with the files that have something of it.
type forgetting struct {
	facts.Forgotten
	whose facts.Whose
	files []file
}

// Forget implements facts.Loader: each file that has something of it is written
// anew without, and all of them are published at once.
func (l *Loader) Forget(ctx context.Context, whose facts.Whose, progress func(done, all int)) (facts.Forgotten, error) {
	p, err := l.manifest.planForget(ctx, whose)
	if err != nil || p.Nothing() {
		return p.Forgotten, err
	}
	c := change{remove: p.files}
	told := counted(len(p.files), progress)
	for _, kind := range []facts.Kind{facts.KindAnswers, facts.KindVisits} {
		var spans []span
		for _, f := range p.files {
			if f.kind == kind {
				spans = append(spans, span{f.firstWeek, f.lastWeek, []file{f}})
			}
		}
		err := l.rewrite(ctx, kind, spans, p.Version+1, &c, func(s *stage) {
			s.without = &whose
			told(s)
		})
		if err != nil {
			return p.Forgotten, err
		}
	}
	p.Version, err = l.manifest.publish(ctx, c)
	p.Free = freeFrom(time.Now().Unix())
	return p.Forgotten, err
}

// PlanForget says what forgetting would remove now. Like ReadStatus it only reads.
func PlanForget(ctx context.Context, dir string, whose facts.Whose) (f facts.Forgotten, err error) {
	err = reading(ctx, dir, func(m *manifest) error {
		p, err := m.planForget(ctx, whose)
		f = p.Forgotten
		return err
	})
	return f, err
}

// planForget looks into every file, with an engine that can do nothing but read.
func (m *manifest) planForget(ctx context.Context, whose facts.Whose) (p forgetting, err error) {
	p.whose = whose
	var files []file
	if p.Version, files, err = m.current(ctx); err != nil {
		return p, err
	}
	connector, err := duck.NewConnector("", nil)
	if err != nil {
		return p, err
	}
	db := sql.OpenDB(connector)
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, f := range files {
		if err := p.look(ctx, db, m.dir, f); err != nil {
			return p, err
		}
	}
	return p, nil
}

// look counts what a file has of it.
func (p *forgetting) look(ctx context.Context, db *sql.DB, dir string, f file) (err error) {
	// What a damaged file has is not known, and would come back with a repair.
	if err := f.whole(ctx, dir, nil); err != nil {
		return err
	}
	path := filepath.Join(dir, f.name)
	if _, err := db.ExecContext(ctx, "attach "+quote(path)+" as looked (read_only)"); err != nil {
		return unreadable(path, err)
	}
	defer func() {
		_, e := db.ExecContext(context.WithoutCancel(ctx), "detach looked")
		err = errors.Join(err, e)
	}()
	var words, visits, answers, mentions, citations int64
	if f.kind == facts.KindVisits {
		// A website may be among the words though its visits were replaced.
		err = db.QueryRowContext(ctx, fmt.Sprintf(`select (select count(*) from looked.websites where %s),
			(select count(*) from looked.visits where website in (%s))`, websitesOf(p.whose), websiteKeys("looked", p.whose))).Scan(&words, &visits)
	} else {
		keys := answerKeys("looked", p.whose)
		err = db.QueryRowContext(ctx, fmt.Sprintf(`select (select count(*) from (%[1]s)),
			(select count(*) from looked.mentions where answer_key in (%[1]s)),
			(select count(*) from looked.citations where answer_key in (%[1]s))`, keys)).Scan(&answers, &mentions, &citations)
	}
	if err != nil || words+answers == 0 {
		return err
	}
	p.Visits, p.Answers, p.Mentions, p.Citations = p.Visits+visits, p.Answers+answers, p.Mentions+mentions, p.Citations+citations
	p.Touch(f.firstWeek, f.lastWeek)
	p.files = append(p.files, f)
	return nil
}

// websitesOf is the condition for words that are websites to be forgotten, and
// productsOf for rows of products.
func websitesOf(whose facts.Whose) string { return oneOf("website_id", whose.Websites, quote) }

func productsOf(whose facts.Whose) string {
	return oneOf("product_id", whose.Products, func(id int64) string { return strconv.FormatInt(id, 10) })
}

func oneOf[T any](column string, values []T, literal func(T) string) string {
	if len(values) == 0 {
		return "false"
	}
	var list []string
	for _, v := range values {
		list = append(list, literal(v))
	}
	return column + " in (" + strings.Join(list, ", ") + ")"
}

func websiteKeys(database string, whose facts.Whose) string {
	return "select website from " + database + ".websites where " + websitesOf(whose)
}

func answerKeys(database string, whose facts.Whose) string {
	return "select answer_key from " + database + ".answers where " + productsOf(whose)
}

// fillWithout writes a file anew without what is forgotten, in the order it has.
// Of the words, those stay that are still used: nobody else had the others.
func (b *build) fillWithout(ctx context.Context) error {
	old, made := b.old(0), b.made()
	outdated := b.olds[0].tables < tablesNow
	var statements []string
	if b.kind == facts.KindVisits {
		tables := []facts.Table{facts.Visits}
		if !outdated {
			tables = append(tables, visitTotals...)
		}
		for _, table := range tables {
			statements = append(statements, fmt.Sprintf("insert into %s.%s select * from %s.%[2]s where website not in (%[4]s)",
				made, table, old, websiteKeys(old, *b.without)))
		}
		for _, w := range vocabulary {
			statements = append(statements, fmt.Sprintf("insert into %s.%s select * from %s.%[2]s where %[4]s in (select %[4]s from %[1]s.visits)",
				made, w.table, old, w.key))
		}
	} else {
		for _, table := range rawAnswers {
			statements = append(statements, fmt.Sprintf("insert into %s.%s select * from %s.%[2]s where answer_key not in (%[4]s)",
				made, table, old, answerKeys(old, *b.without)))
		}
		for _, table := range packedAnswers {
			if !outdated {
				statements = append(statements, fmt.Sprintf("insert into %s.%s select * from %s.%[2]s where not (%[4]s)",
					made, table, old, productsOf(*b.without)))
			}
		}
	}
	if err := b.exec(ctx, strings.Join(statements, ";")); err != nil || !outdated {
		return err
	}
	return b.countAgain(ctx)
}

// countAgain counts and packs what was copied without what was counted of it.
func (b *build) countAgain(ctx context.Context) error {
	if b.kind == facts.KindAnswers {
		return b.packAnswers(ctx)
	}
	for _, week := range b.mondays() {
		if err := b.fillTotals(ctx, week, false); err != nil {
			return err
		}
	}
	return nil
}

// built tells that a file is made, one at a time.
func (s *stage) built() {
	if s.onBuilt == nil {
		return
	}
	s.counting.Lock()
	defer s.counting.Unlock()
	s.onBuilt()
}
