package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	duck "github.com/duckdb/duckdb-go/v2"

	"github.com/sightline-hq/sightline/internal/facts"
)

// stageMemory bounds the engine of a load; beyond it, it spills to the stage's folder.
const stageMemory = "768MB"

// stage collects the rows of one load in an engine of its own, out of sight.
// It implements facts.Load.
type stage struct {
	loader    *Loader
	kind      facts.Kind
	dir       string // of this load alone; removed with it
	db        *sql.DB
	conn      driver.Conn
	appenders map[string]*duck.Appender // by table
	seq       int64                     // of rows, in the order of the input
	firstKey  int64                     // the answer key of seq 0
	ids       int64                     // distinct ids among the rows, known once they are complete

	numberings map[string]*numbering // of visits, by table of words
	scratch    []byte
}

// Begin implements facts.Loader.
func (l *Loader) Begin(ctx context.Context, kind facts.Kind) (facts.Load, error) {
	key, err := l.manifest.nextAnswerKey(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(l.dir, stagePrefix)
	if err != nil {
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	s := &stage{loader: l, kind: kind, dir: dir, firstKey: key, appenders: make(map[string]*duck.Appender), numberings: make(map[string]*numbering)}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Abort())
	}
	return s, nil
}

func (s *stage) open(ctx context.Context) error {
	connector, err := duck.NewConnector("", nil)
	if err != nil {
		return err
	}
	s.db = sql.OpenDB(connector)
	setup := "set memory_limit = '" + stageMemory + "'; set temp_directory = " + quote(filepath.Join(s.dir, "spill")) +
		"; attach ':memory:' as stage;" + createTables(s.kind, "stage") +
		"alter table stage." + string(s.kind) + " add column seq bigint;"
	if _, err := s.db.ExecContext(ctx, setup); err != nil {
		return err
	}
	if s.conn, err = connector.Connect(ctx); err != nil {
		return err
	}
	for _, table := range tablesOf(s.kind) {
		a, err := duck.NewAppender(s.conn, "stage", "main", table)
		if err != nil {
			return err
		}
		s.appenders[table] = a
		s.numberings[table] = &numbering{}
	}
	return nil
}

// tablesOf lists the tables of a kind of file.
func tablesOf(kind facts.Kind) []string {
	if kind == facts.KindAnswers {
		return []string{string(facts.Answers), string(facts.Mentions), string(facts.Citations)}
	}
	tables := []string{string(facts.Visits)}
	for _, w := range vocabulary {
		tables = append(tables, w.table)
	}
	return tables
}

// AddAnswer implements facts.Load.
func (s *stage) AddAnswer(a *facts.Answer) error {
	key := s.firstKey + s.seq
	s.seq++
	if err := s.appenders["answers"].AppendRow(a.ID, key, a.Second, a.PromptID, a.Platform, s.seq); err != nil {
		return err
	}
	for _, m := range a.Mentions {
		if err := s.appenders["mentions"].AppendRow(key, a.Second, a.PromptID, a.Platform, m.ProductID, m.Position); err != nil {
			return err
		}
	}
	for _, c := range a.Citations {
		if err := s.appenders["citations"].AppendRow(key, a.Second, a.PromptID, a.Platform, c.Domain, c.URL); err != nil {
			return err
		}
	}
	return nil
}

// flush ends appending; the rows are then complete in the stage's tables.
func (s *stage) flush() (err error) {
	for t, a := range s.appenders {
		err = errors.Join(err, a.Close())
		delete(s.appenders, t)
	}
	return err
}

// Abort implements facts.Load.
func (s *stage) Abort() (err error) {
	if s.dir == "" {
		return nil
	}
	s.flush() // what it says does not matter any more
	if s.conn != nil {
		err = s.conn.Close()
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	}
	err = errors.Join(err, os.RemoveAll(s.dir))
	s.dir = ""
	return err
}
