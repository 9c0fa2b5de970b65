package duckdb

import (
	"context"
	"sync/atomic"

	duck "github.com/duckdb/duckdb-go/v2"

	"github.com/sightline-hq/sightline/internal/facts"
)

// The engine reads staged visits through two table functions, so that rows go
// from the spill file into the new file without a table between them:
//
//	staged_visits(b, week)  the rows of a week for a build, with the numbers of its file; several
//	                        numbers share a column, because handing over a value costs
//	                        more than taking it apart
//	used_words(b, i)        the numbers of a table of words that these rows use

// register makes the functions known to the stage's engine.
func (s *stage) register(ctx context.Context) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	err = duck.RegisterTableUDF(conn, "staged_visits", duck.ParallelChunkTableFunction{
		Config: duck.TableFunctionConfig{Arguments: []duck.TypeInfo{typeInfo(duck.TYPE_INTEGER), typeInfo(duck.TYPE_BIGINT)}},
		BindArguments: func(_ map[string]any, args ...any) (duck.ParallelChunkTableSource, error) {
			return &visitSource{spill: s.visits, week: s.visits.of(args[1].(int64)), numbers: &s.builds[args[0].(int32)].numbers}, nil
		},
	})
	if err != nil {
		return err
	}
	return duck.RegisterTableUDF(conn, "used_words", duck.ChunkTableFunction{
		Config: duck.TableFunctionConfig{Arguments: []duck.TypeInfo{typeInfo(duck.TYPE_INTEGER), typeInfo(duck.TYPE_INTEGER)}},
		BindArguments: func(_ map[string]any, args ...any) (duck.ChunkTableSource, error) {
			return &usedWords{used: s.visits.used(s.builds[args[0].(int32)].mondays(), int(args[1].(int32)))}, nil
		},
	})
}

// typeInfo describes one of the plain types, which cannot fail.
func typeInfo(t duck.Type) duck.TypeInfo {
	info, err := duck.NewTypeInfo(t)
	if err != nil {
		panic(err)
	}
	return info
}

// visitSource hands the pieces of a week to the engine's threads.
type visitSource struct {
	spill   *spill
	week    *stagedWeek
	numbers *[len(vocabulary)][]uint32 // of the stage → of the file
	next    atomic.Int64
}

func (v *visitSource) ColumnInfos() []duck.ColumnInfo {
	return []duck.ColumnInfo{
		{Name: "happened", T: typeInfo(duck.TYPE_BIGINT)},      // ts, bot, referred
		{Name: "visitor", T: typeInfo(duck.TYPE_UBIGINT)},      //
		{Name: "page_path", T: typeInfo(duck.TYPE_UBIGINT)},    // page, path
		{Name: "agent_source", T: typeInfo(duck.TYPE_UBIGINT)}, // agent, source
		{Name: "website", T: typeInfo(duck.TYPE_UINTEGER)},
		{Name: "id", T: typeInfo(duck.TYPE_VARCHAR)},
		{Name: "seq", T: typeInfo(duck.TYPE_BIGINT)},
	}
}

// unpacked are the columns of visits, made of those of staged_visits.
const unpacked = `id, happened >> 2 as ts, website, (agent_source & 4294967295)::uinteger as source, (happened >> 1 & 1)::utinyint as bot,
	(happened & 1)::utinyint as referred, visitor, (page_path >> 32)::uinteger as page, (page_path & 4294967295)::uinteger as path,
	(agent_source >> 32)::uinteger as agent`

func (v *visitSource) Cardinality() *duck.CardinalityInfo {
	return &duck.CardinalityInfo{Cardinality: uint(v.week.rows), Exact: true}
}

func (v *visitSource) Init() duck.ParallelTableSourceInfo { return duck.ParallelTableSourceInfo{} }

// pieceBuffer is a thread's own.
type pieceBuffer struct{ bytes []byte }

func (v *visitSource) NewLocalState() any { return &pieceBuffer{} }

func (v *visitSource) FillChunk(local any, chunk duck.DataChunk) error {
	next := int(v.next.Add(1)) - 1
	if next >= len(v.week.pieces) {
		return chunk.SetSize(0)
	}
	piece, buffer := v.week.pieces[next], local.(*pieceBuffer)
	if cap(buffer.bytes) < piece.bytes {
		buffer.bytes = make([]byte, piece.bytes)
	}
	rest := buffer.bytes[:piece.bytes]
	if _, err := v.spill.file.ReadAt(rest, piece.offset); err != nil {
		return err
	}
	var row visitRow
	for i := range piece.rows {
		var err error
		if rest, err = row.read(rest); err != nil {
			return err
		}
		if err := v.set(chunk, i, &row); err != nil {
			return err
		}
	}
	return chunk.SetSize(piece.rows)
}

func (v *visitSource) set(chunk duck.DataChunk, i int, row *visitRow) error {
	var now [len(vocabulary)]uint64
	for w, number := range row.words() {
		now[w] = uint64(v.numbers[w][number])
	}
	err := duck.SetChunkValue(chunk, 0, i, row.when)
	if err == nil {
		err = duck.SetChunkValue(chunk, 1, i, row.visitor)
	}
	if err == nil {
		err = duck.SetChunkValue(chunk, 2, i, now[wordPage]<<32|now[wordPath])
	}
	if err == nil {
		err = duck.SetChunkValue(chunk, 3, i, now[wordAgent]<<32|now[wordSource])
	}
	if err == nil {
		err = duck.SetChunkValue(chunk, 4, i, uint32(now[wordWebsite]))
	}
	switch {
	case err != nil:
		return err
	case row.id == "":
		return chunk.SetValue(5, i, nil)
	}
	if err := duck.SetChunkValue(chunk, 5, i, row.id); err != nil {
		return err
	}
	return duck.SetChunkValue(chunk, 6, i, row.seq)
}

// usedWords lists the members of a set of numbers.
type usedWords struct {
	used facts.Bits
	at   uint32
}

func (w *usedWords) ColumnInfos() []duck.ColumnInfo {
	return []duck.ColumnInfo{{Name: "number", T: typeInfo(duck.TYPE_UINTEGER)}}
}

func (w *usedWords) Cardinality() *duck.CardinalityInfo { return nil }

func (w *usedWords) Init() {}

func (w *usedWords) FillChunk(chunk duck.DataChunk) error {
	n := 0
	for end := uint32(64 * len(w.used)); w.at < end && n < duck.GetDataChunkCapacity(); w.at++ {
		if !w.used.Has(int(w.at)) {
			continue
		}
		if err := duck.SetChunkValue(chunk, 0, n, w.at); err != nil {
			return err
		}
		n++
	}
	return chunk.SetSize(n)
}
