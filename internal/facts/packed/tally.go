package packed

import (
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Tallies counts mentions, group by group.
type Tallies struct {
	chosen
	by       facts.Grouping
	share    share
	names    []string                   // platforms that were met
	rows     map[int64][]*facts.Tally   // groups with the same key, by number of their platform; nil where there is none
	days     [daysOfWeek][]*facts.Tally // rows of a part's days
	tallies  []facts.Tally              // room for the next groups
	mentions []int64                    // room for theirs
}

// share is one of several equal shares of the prompts.
type share struct{ number, of uint64 }

// has says whether a prompt is in the share, whatever its neighbours are.
func (s share) has(prompt int) bool {
	const spread = 0x9e3779b97f4a7c15 // ids may all be even
	return uint64(prompt)*spread>>32%s.of == s.number
}

// NewTallies counts for a query.
func NewTallies(q facts.AnswerQuery, by facts.Grouping) *Tallies {
	return NewShares(q, by, 1)[0]
}

// NewShares counts for a query what n at the same time count together: each
// reads all parts, and counts the answers to its share of the prompts.
func NewShares(q facts.AnswerQuery, by facts.Grouping, n int) []*Tallies {
	all := make([]*Tallies, n)
	for i := range all {
		all[i] = &Tallies{chosen: choose(q), by: by, share: share{uint64(i), uint64(n)}, rows: make(map[int64][]*facts.Tally)}
	}
	return all
}

// All returns what was counted.
func (t *Tallies) All() []*facts.Tally {
	all := make([]*facts.Tally, 0, len(t.rows)*len(t.names))
	for _, row := range t.rows {
		for _, of := range row {
			if of != nil {
				all = append(all, of)
			}
		}
	}
	return all
}

// Add adds what another one counted for the same query.
func (t *Tallies) Add(other *Tallies) {
	for _, from := range other.All() {
		number := t.number(from.Platform)
		row := t.row(from.Key)
		of := row[number]
		if of == nil {
			row[number] = from
			continue
		}
		of.Answers += from.Answers
		of.Positions += from.Positions
		for i, n := range from.Mentions {
			of.Mentions[i] += n
		}
	}
}

// group finds or makes a group.
func (t *Tallies) group(key int64, platform string) *facts.Tally {
	number := t.number(platform) // before the row, which must have a place for it
	return t.in(t.row(key), number, key)
}

// number numbers a platform. Where groups are of all platforms, they have one number.
func (t *Tallies) number(platform string) int {
	if t.by == facts.Together {
		platform = ""
	}
	number := slices.Index(t.names, platform)
	if number < 0 {
		number = len(t.names)
		t.names = append(t.names, platform)
	}
	return number
}

// row has a place for each platform that was met.
func (t *Tallies) row(key int64) []*facts.Tally {
	row := t.rows[key]
	if n := len(t.names); len(row) < n {
		row = append(row, make([]*facts.Tally, n-len(row))...)
		t.rows[key] = row
	}
	return row
}

// slabGroups is for how many groups room is made at once.
const slabGroups = 256

// in finds or makes the group of a platform in a row.
func (t *Tallies) in(row []*facts.Tally, platform int, key int64) *facts.Tally {
	of := row[platform]
	if of == nil {
		width := len(t.Products)
		if len(t.tallies) == 0 {
			t.tallies, t.mentions = make([]facts.Tally, slabGroups), make([]int64, width*slabGroups)
		}
		of = &t.tallies[0]
		*of = facts.Tally{Group: facts.Group{Key: key, Platform: t.names[platform]}, Mentions: t.mentions[:width:width]}
		t.tallies, t.mentions = t.tallies[1:], t.mentions[width:]
		row[platform] = of
	}
	return of
}

// Answers counts the answers of a part that lie between two seconds.
func (t *Tallies) Answers(week int64, mentions []byte, first, last int64) error {
	h, err := t.readHead(mentions)
	if err != nil {
		return err
	}
	numbers := make([]int, len(h.platforms))
	for i, name := range h.platforms {
		numbers[i] = t.number(name)
	}
	clear(t.days[:])
	p := part{week: week, first: first, last: last, head: h, numbers: numbers}
	body := h.body
	for _, s := range h.sections {
		if t.share.has(s.prompt) && t.wantsPrompt(int64(s.prompt)) {
			if err := t.section(&p, body[:s.bytes], s); err != nil {
				return err
			}
		}
		body = body[s.bytes:]
	}
	return nil
}

// part is what is counted of a part.
type part struct {
	head
	week, first, last int64
	numbers           []int // of the platforms
}

const daysOfWeek = facts.WeekSeconds / facts.DaySeconds

// section counts the answers to a prompt.
func (t *Tallies) section(p *part, text []byte, s sectionHead) error {
	r := cursor{text: text}
	key := int64(0)
	if t.by == facts.ByPromptAndPlatform {
		key = int64(s.prompt)
	}
	var row []*facts.Tally
	if t.by != facts.ByDayAndPlatform {
		row = t.row(key)
	}
	for range s.answers {
		platform, second, n := r.number(), r.number(), r.number()
		given, n := n&1 == 1, n>>1
		if r.bad || platform >= uint64(len(p.platforms)) || second >= facts.WeekSeconds {
			return errDamaged
		}
		if when := p.week + int64(second); when < p.first || when > p.last || !p.wanted[platform] {
			r.skip(n, given)
			continue
		}
		if t.by == facts.ByDayAndPlatform {
			day := second / facts.DaySeconds
			key = p.week + int64(day)*facts.DaySeconds
			if t.days[day] == nil {
				t.days[day] = t.row(key)
			}
			row = t.days[day]
		}
		of := t.in(row, p.numbers[platform], key)
		of.Answers++
		if err := t.count(of, &r, p.places, n, given); err != nil {
			return err
		}
	}
	return r.err()
}

// count counts the mentions of an answer.
func (t *Tallies) count(of *facts.Tally, r *cursor, places []int, n uint64, given bool) error {
	i := uint64(0)
	if !given && n <= uint64(len(r.text)-r.at) { // most have products of one byte, and nothing else
		for _, product := range r.text[r.at : r.at+int(n)] {
			if product >= 0x80 || int(product) >= len(places) {
				break
			}
			i++
			place := places[product]
			if place == nowhere {
				continue
			}
			of.Mentions[place]++
			if place == t.own {
				of.Positions += int64(i)
			}
		}
		r.at += int(i)
	}
	for ; i < n; i++ {
		product, position := r.number(), int64(i+1)
		if given {
			position = int64(r.number())
		}
		if r.bad || product >= uint64(len(places)) {
			return errDamaged
		}
		place := places[product]
		if place == nowhere {
			continue
		}
		of.Mentions[place]++
		if place == t.own {
			of.Positions += position
		}
	}
	return nil
}

// skip passes over the mentions of an answer.
func (c *cursor) skip(mentions uint64, given bool) {
	if given {
		mentions *= 2
	}
	for i := uint64(0); i < mentions && !c.bad; i++ {
		c.number()
	}
}
