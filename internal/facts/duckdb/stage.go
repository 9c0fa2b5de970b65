package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	duck "github.com/duckdb/duckdb-go/v2"

	"github.com/sightline-hq/sightline/internal/facts"
)

// stageMemory bounds the engine of a load; beyond it, it spills to the stage's folder.
const stageMemory = "384MB"

// stage collects the rows of one load, out of sight: answers in tables of an
// engine of its own, visits in a file, and only their words in tables.
// It implements facts.Load.
type stage struct {
	loader    *Loader
	kind      facts.Kind
	dir       string // of this load alone; removed with it
	connector *duck.Connector
	db        *sql.DB
	conn      driver.Conn
	appenders map[string]*duck.Appender // by table
	seq       int64                     // of rows, in the order of the input
	idRows    int64                     // those with an id
	ids       int64                     // distinct ids among them, known once they are complete
	firstKey  int64                     // the answer key of seq 0

	visits     *spill
	numberings map[string]*numbering // of words, by table
	shared     shared
	scratch    []byte
	appended   int      // bytes of words since they were flushed
	staged     []int64  // weeks with rows, once they are complete
	builds     []*build // of the files, once they are planned
	counting   sync.Mutex

	without *facts.Whose // files are written anew without these; nil: as a load does it
	onBuilt func()       // is told of each file that is made; nil: nobody is
}

// idTable holds the ids of staged visits.
const idTable = "ids"

// idTable is where the ids of the staged rows are.
func (s *stage) idTable() string {
	if s.kind == facts.KindVisits {
		return idTable
	}
	return string(facts.Answers)
}

// Begin implements facts.Loader.
func (l *Loader) Begin(ctx context.Context, kind facts.Kind) (facts.Load, error) {
	s, err := l.begin(ctx, kind)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (l *Loader) begin(ctx context.Context, kind facts.Kind) (*stage, error) {
	key, err := l.manifest.nextAnswerKey(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(l.dir, stagePrefix)
	if err != nil {
		return nil, fmt.Errorf("cannot write to the data directory: %w", err)
	}
	s := &stage{
		loader: l, kind: kind, dir: dir, firstKey: key, shared: newShared(),
		appenders: make(map[string]*duck.Appender), numberings: make(map[string]*numbering),
	}
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
	s.connector, s.db = connector, sql.OpenDB(connector)
	setup := "set memory_limit = '" + stageMemory + "'; set temp_directory = " + quote(filepath.Join(s.dir, "spill")) +
		"; attach ':memory:' as stage;" + createTables(s.kind, "stage")
	if s.kind == facts.KindVisits {
		setup += "create table stage." + idTable + " (id varchar, seq bigint);"
	} else {
		setup += "alter table stage.answers add column seq bigint;"
	}
	if _, err := s.db.ExecContext(ctx, setup); err != nil {
		return err
	}
	if s.conn, err = connector.Connect(ctx); err != nil {
		return err
	}
	for _, table := range s.tables() {
		if s.appenders[table], err = duck.NewAppender(s.conn, "stage", "main", table); err != nil {
			return err
		}
		s.numberings[table] = &numbering{numbers: make(map[string]uint32)}
	}
	if s.kind != facts.KindVisits {
		return nil
	}
	if s.visits, err = newSpill(filepath.Join(s.dir, "visits")); err != nil {
		return err
	}
	return s.register(ctx)
}

// tables lists the tables that rows are added to.
func (s *stage) tables() []string {
	if s.kind == facts.KindAnswers {
		return []string{string(facts.Answers), string(facts.Mentions), string(facts.Citations)}
	}
	tables := []string{idTable}
	for _, w := range vocabulary {
		tables = append(tables, w.table)
	}
	return tables
}

// AddAnswer implements facts.Load.
func (s *stage) AddAnswer(a *facts.Answer) error {
	key := s.firstKey + s.seq
	s.seq++
	s.idRows++
	if err := s.appenders["answers"].AppendRow(a.ID, key, a.Second, a.ProductID, a.PromptID, a.PromptKind, a.Platform, s.seq); err != nil {
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
	if s.visits != nil {
		err = errors.Join(err, s.visits.flush())
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
	if s.visits != nil {
		err = errors.Join(err, s.visits.close())
	}
	err = errors.Join(err, os.RemoveAll(s.dir))
	s.dir = ""
	return err
}
