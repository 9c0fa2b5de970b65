package duckdb

import (
	"database/sql/driver"
	"fmt"
	"runtime/debug"

	"github.com/sightline-hq/sightline/internal/facts"
)

// maxWords bounds the memory of a numbering. Beyond it, numbering starts over
// with new numbers; a word may then have two, which building a file evens out.
var (
	maxWords     = 1 << 17
	maxWordBytes = 16 << 20
)

// numbering gives numbers to words as they first come.
type numbering struct {
	numbers map[string]uint32
	next    uint32
	bytes   int // of the words

	restarted bool // words may have several numbers
}

// number returns the number of a word, and whether it is new.
func (n *numbering) number(word []byte) (number uint32, isNew bool) {
	if number, ok := n.numbers[string(word)]; ok {
		return number, false
	}
	if n.bytes += len(word); len(n.numbers) >= maxWords || n.bytes > maxWordBytes {
		clear(n.numbers)
		n.bytes, n.restarted = len(word), true
	}
	number = n.next
	n.next++
	n.numbers[string(word)] = number
	return number, true
}

// shared are the numbers of what visits share, by its address: that spares
// looking at the texts.
type shared struct {
	sources map[*facts.Origin]uint32
	agents  map[*facts.Agent]uint32
	pages   map[*facts.Page]uint64 // page and path

	websiteID string
	website   uint32
}

func newShared() shared {
	return shared{
		sources: make(map[*facts.Origin]uint32), agents: make(map[*facts.Agent]uint32), pages: make(map[*facts.Page]uint64),
	}
}

// forget makes room for building the files: no more visits come.
func (s *stage) forget() {
	s.shared = shared{}
	for _, n := range s.numberings {
		n.numbers = nil
	}
	debug.FreeOSMemory()
}

// AddVisit implements facts.Load.
func (s *stage) AddVisit(v *facts.Visit) error {
	website, err := s.website(v.WebsiteID)
	if err != nil {
		return err
	}
	source, err := known(s.shared.sources, v.Origin, 0, func() (uint32, error) { return s.word("sources", v.Platform, v.BotType) })
	if err != nil {
		return err
	}
	agent, err := known(s.shared.agents, v.Agent, len(v.UserAgent), func() (uint32, error) { return s.word("agents", v.UserAgent) })
	if err != nil {
		return err
	}
	page, err := known(s.shared.pages, v.Page, len(v.URLPath), func() (uint64, error) { return s.page(v.Page) })
	if err != nil {
		return err
	}
	s.seq++
	row := visitRow{
		when: v.Second<<2 | flag(v.Bot)<<1 | flag(v.Referred), visitor: v.Visitor,
		website: website, source: source, agent: agent, page: uint32(page >> 32), path: uint32(page),
	}
	if len(v.ID) > maxID {
		return fmt.Errorf("an id has %d bytes, more than %d", len(v.ID), maxID)
	}
	if v.ID != "" {
		s.idRows++
		row.id, row.seq = v.ID, s.seq
		if err := s.appenders[idTable].AppendRow(v.ID, s.seq); err != nil {
			return err
		}
	}
	return s.visits.add(facts.Week(v.Second), &row)
}

// maxShared is how long the texts of a thing are at most that is remembered.
const maxShared = 512

// known returns the number of a thing by its address, or makes it.
// It does not hold on to things with long texts: they would not be freed.
func known[T any, N uint32 | uint64](numbers map[*T]N, thing *T, size int, number func() (N, error)) (N, error) {
	if n, ok := numbers[thing]; ok {
		return n, nil
	}
	n, err := number()
	if len(numbers) >= maxWords {
		clear(numbers)
	}
	if size <= maxShared {
		numbers[thing] = n
	}
	return n, err
}

// website returns the number of a website, mostly the one of the visit before.
func (s *stage) website(id string) (uint32, error) {
	if id == s.shared.websiteID && id != "" {
		return s.shared.website, nil
	}
	number, err := s.word("websites", id)
	s.shared.websiteID, s.shared.website = id, number
	return number, err
}

func (s *stage) page(p *facts.Page) (uint64, error) {
	page, err := s.word("pages", p.NormalizedURLPath, p.URLPathDirectory)
	if err != nil {
		return 0, err
	}
	path, err := s.word("paths", p.URLPath)
	return uint64(page)<<32 | uint64(path), err
}

// word returns the number of one or two strings in a table of words.
func (s *stage) word(table string, columns ...string) (uint32, error) {
	s.scratch = s.scratch[:0]
	for _, c := range columns {
		s.scratch = append(append(s.scratch, c...), 0)
	}
	number, isNew := s.numberings[table].number(s.scratch)
	if !isNew {
		return number, nil
	}
	row := []driver.Value{number, columns[0]}
	if len(columns) > 1 {
		row = append(row, columns[1])
	}
	if err := s.appenders[table].AppendRow(row...); err != nil {
		return number, err
	}
	if s.appended += len(s.scratch); s.appended < maxAppended {
		return number, nil
	}
	s.appended = 0
	return number, s.flushWords()
}

// flushWords hands long words over to the engine, which can write them to disk:
// an appender keeps hundreds of thousands of rows otherwise.
func (s *stage) flushWords() error {
	for _, a := range s.appenders {
		if err := a.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// maxAppended is how many bytes of words wait in appenders.
const maxAppended = 16 << 20

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
