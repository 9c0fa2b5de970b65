package duckdb

import (
	"database/sql/driver"

	"github.com/sightline-hq/sightline/internal/facts"
)

// maxWords bounds the memory of a numbering. Beyond it, numbering starts over
// with new numbers; a word may then have two, which building a file evens out.
const maxWords = 1 << 20

// numbering gives numbers to words as they first come.
type numbering struct {
	numbers map[string]uint32
	next    uint32
}

// number returns the number of a word, and whether it is new.
func (n *numbering) number(word []byte) (number uint32, isNew bool) {
	if number, ok := n.numbers[string(word)]; ok {
		return number, false
	}
	if n.numbers == nil || len(n.numbers) >= maxWords {
		n.numbers = make(map[string]uint32)
	}
	number = n.next
	n.next++
	n.numbers[string(word)] = number
	return number, true
}

// AddVisit implements facts.Load.
func (s *stage) AddVisit(v *facts.Visit) error {
	var id any
	if v.ID != "" {
		id = v.ID
	}
	website, err := s.word("websites", v.WebsiteID)
	if err != nil {
		return err
	}
	source, err := s.word("sources", v.Platform, v.BotType)
	if err != nil {
		return err
	}
	page, err := s.word("pages", v.NormalizedURLPath, v.URLPathDirectory)
	if err != nil {
		return err
	}
	path, err := s.word("paths", v.URLPath)
	if err != nil {
		return err
	}
	agent, err := s.word("agents", v.UserAgent)
	if err != nil {
		return err
	}
	s.seq++
	return s.appenders["visits"].AppendRow(id, v.Second, website, source, flag(v.Bot), flag(v.Referred), v.Visitor, page, path, agent, s.seq)
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
	row := []driver.Value{number}
	for _, c := range columns {
		row = append(row, c)
	}
	return number, s.appenders[table].AppendRow(row...)
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
