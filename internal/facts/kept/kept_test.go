package kept

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"unique"

	"github.com/sightline-hq/sightline/internal/facts"
)

// shelf is a source with a visit a day to every website, in as many pieces of a week
// as it is asked for, and counts what is read of it.
type shelf struct {
	pieces []Piece
	path   string // of the pages
	lacks  uint32 // visits of each week
	reads  int
}

func newShelf(weeks int64) *shelf {
	s := &shelf{path: "/"}
	for i := range weeks {
		s.pieces = append(s.pieces, Piece{ID: fmt.Sprint(i), First: monday + i*facts.WeekSeconds, Last: monday + i*facts.WeekSeconds})
	}
	return s
}

var monday = facts.Week(1_772_409_600)

func (s *shelf) Pieces(_ facts.Table, first, last int64) (pieces []Piece, err error) {
	for _, p := range s.pieces {
		if p.First <= last && first < p.Last+facts.WeekSeconds {
			pieces = append(pieces, p)
		}
	}
	return pieces, nil
}

func (s *shelf) ReadTotals(_ context.Context, q facts.TotalsQuery, missing []Missing, most int) (map[Place][]facts.TotalsRow, error) {
	s.reads++
	all, n := make(map[Place][]facts.TotalsRow), 0
	for _, m := range missing {
		for _, website := range m.Websites {
			row := facts.TotalsRow{Bucket: m.First}
			row.Figures[facts.TotalHumans] = 7
			all[Place{m.ID, website}] = []facts.TotalsRow{row}
			n++
		}
	}
	if n > most {
		return nil, nil
	}
	return all, nil
}

func (s *shelf) ReadAgents(_ context.Context, _ facts.TotalsQuery, missing []Missing, _ int) (map[Place][]Agents, error) {
	s.reads++
	all := make(map[Place][]Agents)
	for _, m := range missing {
		for _, website := range m.Websites {
			names := []unique.Handle[string]{unique.Make("of all"), unique.Make("of " + website)}
			all[Place{m.ID, website}] = []Agents{{facts.AgentsRow{Bucket: m.First}, names}}
		}
	}
	return all, nil
}

func (s *shelf) ReadVisits(_ context.Context, into map[Place]map[int64]*Week) error {
	s.reads++
	for _, weeks := range into {
		for _, w := range weeks {
			for day := range 7 - s.lacks {
				w.Add(Visit{When: day * facts.DaySeconds << 2, Origin: w.AddOrigin(facts.Origin{}), Page: w.AddPage(facts.Page{URLPath: s.path}, 1)})
			}
		}
	}
	return nil
}

// visits is how many visits of some days are given one by one.
func visits(t *testing.T, r Reader, days int64, websites ...string) string {
	t.Helper()
	n := 0
	few, err := r.Few(t.Context(), facts.VisitQuery{WebsiteIDs: websites, First: monday, Last: monday + days*facts.DaySeconds - 1, Humans: true}, func(*facts.SeenVisit) { n++ })
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(few, " ", n)
}

func expect(t *testing.T, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWhatWasReadIsAtHand(t *testing.T) {
	s := newShelf(3)
	r := Reader{s, NewMemory(1<<20, NameSize)}
	expect(t, visits(t, r, 10, "a", "b"), "true 20")
	expect(t, s.reads, 2) // how many there are, and the visits of two weeks
	expect(t, visits(t, r, 9, "b"), "true 9")
	expect(t, s.reads, 2)
	expect(t, visits(t, r, 15, "a"), "true 15")
	expect(t, s.reads, 4) // the third week
}

func TestNothingIsKeptOfWhatIsNotProven(t *testing.T) {
	s := newShelf(1)
	s.pieces[0].Unproven = true
	r := Reader{s, NewMemory(1<<20, NameSize)}
	for i := range 3 {
		expect(t, visits(t, r, 7, "a"), "true 7")
		expect(t, s.reads, 2*(i+1))
	}
	expect(t, r.Memory.Cost(), 0)
}

func TestVisitsThatAreNotAllThereAreLeftToTheEngine(t *testing.T) {
	s := newShelf(1)
	s.lacks = 1
	r := Reader{s, NewMemory(1<<20, NameSize)}
	expect(t, visits(t, r, 7, "a"), "false 0")
	s.lacks = 0
	expect(t, visits(t, r, 7, "a"), "true 7")
}

func TestVisitsThatAreTooLargeAreReadOnce(t *testing.T) {
	s := newShelf(1)
	s.path = "/" + string(make([]byte, 4096))
	r := Reader{s, NewMemory(64<<10, NameSize)}
	expect(t, visits(t, r, 7, "a"), "true 7")
	expect(t, visits(t, r, 7, "a"), "false 0")
	expect(t, s.reads, 2)
}

func TestNamesHaveTheSameNumberOnAllWebsitesAndInAllWeeks(t *testing.T) {
	r := Reader{newShelf(2), NewMemory(1<<20, NameSize)}
	for _, websites := range [][]string{{"b"}, {"a", "b", "c"}} {
		var all facts.Bits
		q := facts.TotalsQuery{Table: facts.AgentTotals, WebsiteIDs: websites, First: monday, Last: monday + facts.WeekSeconds}
		if err := r.Agents(t.Context(), q, func(row *facts.AgentsRow) {
			for _, n := range row.Agents {
				all.Add(int(n))
			}
		}); err != nil {
			t.Fatal(err)
		}
		expect(t, all.Count(), len(websites)+1)
	}
}

func TestVeryManyWeeksOfWebsitesAreNotEvenLookedFor(t *testing.T) {
	s := newShelf(60)
	r := Reader{s, NewMemory(1<<20, NameSize)}
	var websites []string
	for i := range 1000 {
		websites = append(websites, fmt.Sprint(i))
	}
	q := facts.TotalsQuery{Table: facts.Totals, WebsiteIDs: websites, First: monday, Last: monday + 60*facts.WeekSeconds}
	err := r.Totals(t.Context(), q, func(*facts.TotalsRow) { t.Error("a row was given") })
	if !errors.Is(err, facts.ErrTooMany) {
		t.Error(err)
	}
	expect(t, visits(t, r, 14, websites...), "false 0")
	expect(t, s.reads, 0)
}

// What is kept stays within its bound, whatever is asked for.
func TestMemoryIsBounded(t *testing.T) {
	const most = 200 << 10
	s := newShelf(50)
	r := Reader{s, NewMemory(most, NameSize)}
	for i := range 200 {
		visits(t, r, 300, fmt.Sprint("w", i))
		q := facts.TotalsQuery{Table: facts.AgentTotals, WebsiteIDs: []string{fmt.Sprint("w", i)}, First: monday, Last: monday + 50*facts.WeekSeconds}
		if err := r.Agents(t.Context(), q, func(*facts.AgentsRow) {}); err != nil {
			t.Fatal(err)
		}
		if cost := r.Memory.Cost(); cost > most {
			t.Fatalf("%d bytes are kept of at most %d", cost, most)
		}
	}
	if r.Memory.Cost() < most/2 {
		t.Errorf("only %d bytes are kept of at most %d", r.Memory.Cost(), most)
	}
}
