package kept

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/lru"
)

// Bounds are how many rows of the totals, of directories, and user agents a request
// holds at most: there may be as many directories as pages, as many user agents as
// visits, and very many websites.
var Bounds = struct{ Totals, Directories, Agents int }{50_000, 10_000, 100_000}

// Totals implements facts.Reader.
func (r Reader) Totals(ctx context.Context, q facts.TotalsQuery, each func(*facts.TotalsRow)) error {
	most := Bounds.Totals
	if q.Table == facts.DirectoryTotals {
		most = Bounds.Directories
	}
	return eachTotal(ctx, r, q, r.Memory.totals, r.ReadTotals, most, func(row *facts.TotalsRow) {
		if row.Bucket >= q.First && row.Bucket <= q.Last {
			each(row)
		}
	})
}

// Agents implements facts.Reader. Names get numbers that hold for this call.
func (r Reader) Agents(ctx context.Context, q facts.TotalsQuery, each func(*facts.AgentsRow)) error {
	known := make(numbers)
	return eachTotal(ctx, r, q, r.Memory.agents, r.ReadAgents, Bounds.Agents, func(row *Agents) {
		if row.Bucket < q.First || row.Bucket > q.Last {
			return
		}
		numbered := row.AgentsRow
		for _, name := range row.Names {
			numbered.Agents = append(numbered.Agents, known.of(name))
		}
		each(&numbered)
	})
}

// totals is how a kind of totals is kept.
type totals[R any] struct {
	*lru.Cache[totalsKey, []R]
	size  int // of what counts towards a bound, about, in bytes
	cost  func(*R) int64
	count func(*R) int // towards a bound
}

// totalsKey is the totals of a website in a piece, of one width and level.
type totalsKey struct {
	Place
	table        facts.Table
	width, level int
	page         string
}

// key is what a query asks for at a place.
func key(p Place, q facts.TotalsQuery) totalsKey {
	return totalsKey{p, q.Table, q.Width, q.Level, q.Page}
}

// eachTotal calls each for the totals of websites in all pieces of a window, or ends
// with ErrTooMany before that.
func eachTotal[R any](ctx context.Context, r Reader, q facts.TotalsQuery, kept totals[R],
	read func(context.Context, facts.TotalsQuery, []Missing, int) (map[Place][]R, error), most int, each func(*R)) error {
	pieces, err := r.Pieces(q.Table, q.First, q.Last)
	if err != nil {
		return err
	}
	if len(pieces)*len(q.WebsiteIDs) > Bounds.Totals {
		return facts.ErrTooMany
	}
	all, missing := kept.atHand(pieces, q)
	if len(missing) > 0 {
		if err := kept.fill(ctx, q, all, missing, most, read); err != nil {
			return err
		}
	}
	for _, rows := range all {
		for i := range rows {
			if most -= kept.count(&rows[i]); most < 0 {
				return facts.ErrTooMany
			}
		}
	}
	for _, rows := range all {
		for i := range rows {
			each(&rows[i])
		}
	}
	return nil
}

// atHand gives what is kept, and says what is not.
func (t totals[R]) atHand(pieces []Piece, q facts.TotalsQuery) (all map[Place][]R, missing []Missing) {
	all = make(map[Place][]R, len(pieces)*len(q.WebsiteIDs))
	for _, piece := range pieces {
		var not []string
		for _, website := range q.WebsiteIDs {
			place := Place{piece.ID, website}
			if rows, ok := t.Get(key(place, q)); ok {
				all[place] = rows
			} else {
				not = append(not, website)
			}
		}
		if len(not) > 0 {
			missing = append(missing, Missing{piece, not})
		}
	}
	return all, missing
}

// fill reads what is missing, all of it together. That it is too many stays at
// hand, too.
func (t totals[R]) fill(ctx context.Context, q facts.TotalsQuery, all map[Place][]R, missing []Missing, most int,
	read func(context.Context, facts.TotalsQuery, []Missing, int) (map[Place][]R, error)) error {
	together, proven, places := fingerprint(missing), true, 0
	if _, ok := t.Get(key(together, q)); ok {
		return facts.ErrTooMany
	}
	for _, m := range missing {
		proven, places = proven && !m.Unproven, places+len(m.Websites)
	}
	if largest := int(t.Largest()); largest > 0 && q.Table != facts.Totals { // or they would be read again and again
		most = min(most, largest/t.size*places)
	}
	rows, err := read(ctx, q, missing, most)
	if err != nil {
		return err
	}
	if rows == nil {
		if proven {
			t.Add(key(together, q), nil, keyCost)
		}
		return facts.ErrTooMany
	}
	for _, m := range missing {
		for _, website := range m.Websites {
			place := Place{m.ID, website}
			all[place] = rows[place]
			if !m.Unproven {
				t.keep(key(place, q), rows[place])
			}
		}
	}
	return nil
}

func (t totals[R]) keep(key totalsKey, rows []R) {
	cost := int64(keyCost + len(key.Website) + len(key.Piece) + len(key.page))
	for i := range rows {
		cost += t.cost(&rows[i])
	}
	t.Add(key, rows, cost)
}

// fingerprint stands for what is missing as a whole.
func fingerprint(missing []Missing) Place {
	sum := sha256.New()
	for _, m := range missing {
		fmt.Fprintf(sum, "%q %q\n", m.ID, m.Websites)
	}
	return Place{Piece: string(sum.Sum(nil))}
}

// totalSize is about how many bytes a row takes, with what is kept beside it.
const totalSize = 250

// totalCost is about how many bytes a row takes. Platforms and bot types are shared.
func totalCost(r *facts.TotalsRow) int64 { return totalSize + int64(len(r.Path)) }

func (a *Agents) count() int { return len(a.Agents) + len(a.Names) }

// agentsCost is about how many bytes they take.
func agentsCost(a *Agents) int64 {
	n := int64(120 + NumberSize*len(a.Agents))
	for _, name := range a.Names { // it may be the only one that has it
		n += int64(64 + len(name.Value()))
	}
	return n
}

// Gathering puts user agents together that come one by one.
type Gathering struct {
	Rows   map[Place][]Agents
	places map[gathered]int
}

// gathered is what has a row.
type gathered struct {
	Place
	bucket            int64
	platform, botType string
}

// NewGathering begins without any.
func NewGathering() Gathering {
	return Gathering{make(map[Place][]Agents), make(map[gathered]int)}
}

// Of is the row of a website that is about the same as another row.
func (g Gathering) Of(place Place, row facts.AgentsRow) *Agents {
	key := gathered{place, row.Bucket, row.Platform, row.BotType}
	at, ok := g.places[key]
	if !ok {
		at = len(g.Rows[place])
		g.places[key] = at
		g.Rows[place] = append(g.Rows[place], Agents{AgentsRow: row})
	}
	return &g.Rows[place][at]
}
