package clickhouse

import (
	"context"
	"unique"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/kept"
)

// seenColumns are what a week keeps of visits. Humans have very many user agents, and
// no report counts those.
const seenColumns = "ts * 4 + bot * 2 + referred, visitor, platform, bot_type, url_path, normalized_url_path, url_path_directory, if(bot = 1, user_agent, '')"

// ReadVisits implements kept.Source.
func (s *set) ReadVisits(ctx context.Context, into map[kept.Place]map[int64]*kept.Week) error {
	wanted, keepers := newWanted(), make(map[*kept.Week]*keeper)
	for place, weeks := range into {
		for week, w := range weeks {
			wanted.add(place.Piece, week, place.Website)
			keepers[w] = newKeeper(w)
		}
	}
	var v row
	return wanted.read(ctx, s, facts.Visits, seenColumns, facts.Statement{},
		func(place kept.Place, week int64) error {
			if w := into[place][week]; w != nil { // or it was at hand
				keepers[w].add(&v)
			}
			return nil
		}, (*facts.Int)(&v.when), (*facts.Int)(&v.visitor), &v.origin.Platform, &v.origin.BotType,
		&v.page.URLPath, &v.page.NormalizedURLPath, &v.page.URLPathDirectory, &v.agent)
}

// row is a row of visits.
type row struct {
	when    int64 // second, bot, referred
	visitor int64
	origin  facts.Origin
	page    facts.Page
	agent   string
}

// keeper fills a week, and knows the places of what is in it.
type keeper struct {
	*kept.Week
	origins map[facts.Origin]uint32
	pages   map[facts.Page]uint32
	numbers map[string]uint32 // of pages, by their normalized path
	agents  map[string]uint32
}

func newKeeper(w *kept.Week) *keeper {
	return &keeper{w, make(map[facts.Origin]uint32), make(map[facts.Page]uint32), make(map[string]uint32), make(map[string]uint32)}
}

func (k *keeper) add(v *row) {
	origin, ok := k.origins[v.origin]
	if !ok {
		origin = k.AddOrigin(v.origin)
		k.origins[v.origin] = origin
	}
	page, ok := k.pages[v.page]
	if !ok {
		number, known := k.numbers[v.page.NormalizedURLPath]
		if !known {
			number = uint32(len(k.numbers))
			k.numbers[v.page.NormalizedURLPath] = number
		}
		page = k.AddPage(v.page, number)
		k.pages[v.page] = page
	}
	agent, ok := k.agents[v.agent]
	if !ok {
		agent = k.AddName(unique.Make(v.agent))
		k.agents[v.agent] = agent
	}
	k.Add(kept.Visit{Visitor: uint64(v.visitor), When: uint32(v.when - k.Start()<<2), Agent: agent, Origin: origin, Page: page})
}
