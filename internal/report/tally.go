package report

import (
	"context"
	"slices"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// standing is a product's figures; nil where there is none (S8, S9, S10).
type standing struct {
	position, visibility *float64
	rank                 *int64
}

// standingOf ranks a product, given by its place, among all products of a tally.
// All share one denominator, so the order by mentions is the order by visibility.
func standingOf(t *facts.Tally, place int) (s standing) {
	if t == nil || t.Answers == 0 {
		return s
	}
	figures := new(struct { // one piece of memory: there may be many thousand
		visibility, position float64
		rank                 int64
	})
	own := t.Mentions[place]
	figures.visibility = float64(own) / float64(t.Answers)
	s.visibility = &figures.visibility
	if own == 0 {
		return s
	}
	figures.position = float64(t.Positions) / float64(own)
	figures.rank = 1
	for _, mentions := range t.Mentions {
		if mentions > own {
			figures.rank++
		}
	}
	s.position, s.rank = &figures.position, &figures.rank
	return s
}

// tallied is the outcome of the selected answers, group by group.
type tallied struct {
	selection
	groups []*facts.Tally
	own    int // place of the product in each
}

func (t tallied) standing(of *facts.Tally) standing { return standingOf(of, t.own) }

// tally selects and counts answers for a report on prompts.
func (r *Reports) tally(ctx context.Context, primary catalog.Primary, req api.PromptsRequest, by facts.Grouping) (t tallied, err error) {
	if t.selection, err = selectAnswers(primary, req); err != nil || t.empty() {
		return t, err
	}
	set, err := r.Facts.Acquire()
	if err != nil {
		return t, err
	}
	defer set.Close()
	q := t.query()
	t.own = slices.Index(q.Products, q.ProductID)
	if reader, ok := set.(facts.AnswerReader); ok && !r.Plain {
		t.groups, err = reader.Tally(ctx, q, by)
	} else {
		t.groups, err = tallyRows(ctx, set, q, by)
	}
	return t, err
}

// tallyRows counts by SQL.
func tallyRows(ctx context.Context, set facts.Set, q facts.AnswerQuery, by facts.Grouping) (all []*facts.Tally, err error) {
	plan := answerPlan{AnswerQuery: q, Group: groupSQL[by][0], Platform: groupSQL[by][1]}
	groups := make(map[facts.Group]*facts.Tally)
	err = collect(ctx, set, "prompt_runs.sql", plan.window(), plan, func(scan facts.Scan) error {
		t := &facts.Tally{Mentions: make([]int64, len(q.Products))}
		err := scan((*facts.Int)(&t.Key), &t.Platform, (*facts.Int)(&t.Answers))
		groups[t.Group], all = t, append(all, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	places := placesOf(q.Products)
	return all, collect(ctx, set, "prompt_mentions.sql", plan.window(), plan, func(scan facts.Scan) error {
		var g facts.Group
		var product, mentions, positions facts.Int
		err := scan((*facts.Int)(&g.Key), &g.Platform, &product, &mentions, &positions)
		if t := groups[g]; t != nil && err == nil {
			t.Mentions[places[int64(product)]] = int64(mentions)
			if int64(product) == q.ProductID {
				t.Positions = int64(positions)
			}
		}
		return err
	})
}

func placesOf(ids []int64) map[int64]int {
	places := make(map[int64]int, len(ids))
	for i, id := range ids {
		places[id] = i
	}
	return places
}

// collect renders a plan and reads its rows; it is the only place that does I/O.
func collect(ctx context.Context, set facts.Set, name string, w window, plan any, row func(facts.Scan) error) error {
	statement, err := render(name, set, w, plan)
	if err != nil {
		return err
	}
	if p, ok := plan.(timeseriesPlan); ok {
		statement.OneWebsite, statement.Apart = len(p.WebsiteIDs) == 1, len(p.Edges) > 1
	}
	return set.Query(ctx, statement, row)
}
