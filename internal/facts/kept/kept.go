// Package kept keeps at hand, in bounded memory, what reports on visits read again
// and again: the totals of a website and the visits to a small one. Asking an engine
// takes longer than going over them. It is the same for every engine; an engine only
// says which pieces its facts are made of, and reads what is missing.
package kept

import (
	"context"
	"unique"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/lru"
)

// Piece is a part of the facts that never changes: a file, or an edition of a week.
type Piece struct {
	ID          string // no other piece ever has it
	First, Last int64  // starts of its first and its last week
	// Unproven pieces may not be what they seem, so nothing of them is kept.
	Unproven bool
}

// weeks are those of a piece that a window touches.
func (p Piece) weeks(first, last int64) (weeks []int64) {
	for week := max(p.First, facts.Week(first)); week <= min(p.Last, last); week += facts.WeekSeconds {
		weeks = append(weeks, week)
	}
	return weeks
}

// Missing is websites of which something is to be read, in a piece.
type Missing struct {
	Piece
	Websites []string
}

// Place is a website in a piece.
type Place struct{ Piece, Website string }

// Source is a set that pieces are read from.
type Source interface {
	// Pieces are those of visits, or of a table of totals, in a window.
	Pieces(t facts.Table, first, last int64) ([]Piece, error)
	// ReadTotals and ReadAgents read the rows of what is missing, whenever they
	// begin. They may give rows of other websites in these pieces, too. If there are
	// more rows, or user agents, than a number, they give nil.
	ReadTotals(ctx context.Context, q facts.TotalsQuery, missing []Missing, most int) (map[Place][]facts.TotalsRow, error)
	ReadAgents(ctx context.Context, q facts.TotalsQuery, missing []Missing, most int) (map[Place][]Agents, error)
	// ReadVisits reads visits into their weeks.
	ReadVisits(ctx context.Context, into map[Place]map[int64]*Week) error
}

// Agents is user agents of bots. Where an engine has no numbers for them, they are
// told by their names.
type Agents struct {
	facts.AgentsRow
	Names []unique.Handle[string]
}

// Memory is what is kept, for all sets that follow one another.
type Memory struct {
	totals totals[facts.TotalsRow]
	agents totals[Agents]
	visits *lru.Cache[weekKey, *Week]
}

// Sizes of a user agent that is kept, with its part of a row: of a number, and of a
// name, about.
const (
	NumberSize = 8
	NameSize   = 180
)

// NewMemory makes room for so many bytes, with user agents of a size.
func NewMemory(most int64, agentSize int) *Memory {
	return &Memory{
		totals: totals[facts.TotalsRow]{lru.New[totalsKey, []facts.TotalsRow](most / 4), totalSize, totalCost, func(*facts.TotalsRow) int { return 1 }},
		agents: totals[Agents]{lru.New[totalsKey, []Agents](most / 8), agentSize, agentsCost, (*Agents).count},
		visits: lru.New[weekKey, *Week](most / 8 * 5),
	}
}

// Cost is how much of it is in use, in bytes.
func (m *Memory) Cost() int64 { return m.totals.Cost() + m.agents.Cost() + m.visits.Cost() }

// keyCost is the size of what is kept beside the rows themselves, about.
const keyCost = 200

// Reader reads a set, and keeps what it has read. It implements facts.Reader.
type Reader struct {
	Source
	Memory *Memory
}

// numbers gives numbers to user agents as they come.
type numbers map[unique.Handle[string]]uint32

func (n numbers) of(name unique.Handle[string]) uint32 {
	number, ok := n[name]
	if !ok {
		number = uint32(len(n))
		n[name] = number
	}
	return number
}
