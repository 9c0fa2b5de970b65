package duckdb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// visitRow is a staged visit: numbers, whose words are in the stage's tables.
type visitRow struct {
	when                               int64 // second, bot, referred: 62, 1 and 1 bits
	visitor                            uint64
	website, source, agent, page, path uint32
	id                                 string // empty for most
	seq                                int64  // of those with an id
}

const (
	// pieceRows is how many rows lie together: what the engine takes at once.
	pieceRows = 2048
	// spillBuffer bounds the rows that wait in memory for their piece to be full.
	spillBuffer = 32 << 20
	// maxID is how long an id can be in the file.
	maxID = 1<<16 - 1
)

// spill holds the staged visits in a file, week by week: a load is as large as
// the disk allows, not the memory.
type spill struct {
	file     *os.File
	size     int64 // of the file
	weeks    map[int64]*stagedWeek
	buffered int
}

// stagedWeek is the visits of one week: pieces of the file, and one in memory.
type stagedWeek struct {
	pieces []piece
	rows   int64
	buffer []byte
	count  int // of the rows in the buffer
	used   [len(vocabulary)]facts.Bits
}

// piece is a part of the file with whole rows.
type piece struct {
	offset int64
	bytes  int
	rows   int
}

func newSpill(path string) (*spill, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	return &spill{file: f, weeks: make(map[int64]*stagedWeek)}, err
}

func (s *spill) add(week int64, r *visitRow) error {
	w := s.weeks[week]
	if w == nil {
		w = &stagedWeek{}
		s.weeks[week] = w
	}
	before := len(w.buffer)
	w.buffer = r.append(w.buffer)
	s.buffered += len(w.buffer) - before
	w.rows++
	w.count++
	for i, number := range r.words() {
		w.used[i].Add(int(number))
	}
	switch {
	case w.count == pieceRows:
		return s.write(w)
	case s.buffered >= spillBuffer:
		return s.flush()
	}
	return nil
}

// flush writes out what waits in memory.
func (s *spill) flush() error {
	for _, w := range s.weeks {
		if err := s.write(w); err != nil {
			return err
		}
	}
	return nil
}

func (s *spill) write(w *stagedWeek) error {
	if w.count == 0 {
		return nil
	}
	if _, err := s.file.WriteAt(w.buffer, s.size); err != nil {
		return fmt.Errorf("cannot hold the load: %w", advise(err))
	}
	w.pieces = append(w.pieces, piece{s.size, len(w.buffer), w.count})
	s.size += int64(len(w.buffer))
	s.buffered -= len(w.buffer)
	w.buffer, w.count = w.buffer[:0], 0
	return nil
}

// of returns the visits of a week, which may have none.
func (s *spill) of(week int64) *stagedWeek {
	if w := s.weeks[week]; w != nil {
		return w
	}
	return &stagedWeek{}
}

// used is the words of a table that the visits of some weeks use.
func (s *spill) used(weeks []int64, table int) (all facts.Bits) {
	for _, week := range weeks {
		all.Union(s.of(week).used[table])
	}
	return all
}

// inOrder lists the weeks with rows.
func (s *spill) inOrder() []int64 { return slices.Sorted(maps.Keys(s.weeks)) }

func (s *spill) close() error { return s.file.Close() }

// words are the numbers of a row, in the order of the vocabulary.
func (r *visitRow) words() [len(vocabulary)]uint32 {
	return [...]uint32{r.website, r.source, r.page, r.path, r.agent}
}

// append writes a row as bytes: the numbers, then the id if there is one.
func (r *visitRow) append(to []byte) []byte {
	order := binary.LittleEndian
	to = order.AppendUint64(to, uint64(r.when))
	to = order.AppendUint64(to, r.visitor)
	for _, n := range r.words() {
		to = order.AppendUint32(to, n)
	}
	to = order.AppendUint16(to, uint16(len(r.id)))
	if r.id != "" {
		to = order.AppendUint64(append(to, r.id...), uint64(r.seq))
	}
	return to
}

// errSpill is a spill file that is not as it was written.
var errSpill = errors.New("the load's own file is damaged: load again")

// read reads a row and returns the bytes after it.
func (r *visitRow) read(from []byte) ([]byte, error) {
	const fixed = 8 + 8 + 5*4 + 2
	if len(from) < fixed {
		return nil, errSpill
	}
	order := binary.LittleEndian
	r.when, r.visitor = int64(order.Uint64(from)), order.Uint64(from[8:])
	for i, n := range []*uint32{&r.website, &r.source, &r.page, &r.path, &r.agent} {
		*n = order.Uint32(from[16+4*i:])
	}
	id := int(order.Uint16(from[fixed-2:]))
	from, r.id, r.seq = from[fixed:], "", 0
	if id == 0 {
		return from, nil
	}
	if len(from) < id+8 {
		return nil, errSpill
	}
	r.id, r.seq = string(from[:id]), int64(order.Uint64(from[id:]))
	return from[id+8:], nil
}
