package report

import (
	"context"

	"github.com/sightline-hq/sightline/internal/facts"
)

// group is what answers are pooled by: a prompt, a day or nothing, and a
// platform or nothing.
type group struct {
	key      int64
	platform string
}

// tally is the outcome of the answers of one group.
type tally struct {
	runs     int64
	products map[int64]score
}

// score is how often a product is mentioned, and the sum of its places.
type score struct{ mentions, positions int64 }

// standing is a product's figures; nil where there is none (S8, S9, S10).
type standing struct {
	position, visibility *float64
	rank                 *int64
}

// standing ranks a product among all products of the tally. All share one
// denominator, so the order by mentions is the order by visibility.
func (t *tally) standing(product int64) (s standing) {
	if t == nil || t.runs == 0 {
		return s
	}
	own := t.products[product]
	s.visibility = ratio(own.mentions, t.runs)
	if own.mentions == 0 {
		return s
	}
	s.position = ratio(own.positions, own.mentions)
	rank := int64(1)
	for _, other := range t.products {
		if other.mentions > own.mentions {
			rank++
		}
	}
	s.rank = &rank
	return s
}

func ratio(a, b int64) *float64 {
	r := float64(a) / float64(b)
	return &r
}

// tallies collects the outcome of the selected answers, group by group.
func tallies(ctx context.Context, set facts.Set, plan answerPlan) (map[group]*tally, error) {
	all := make(map[group]*tally)
	if len(plan.PromptIDs) == 0 || plan.empty() {
		return all, nil
	}
	err := collect(ctx, set, "prompt_runs.sql", plan.window, plan, func(scan facts.Scan) error {
		var g group
		var key, runs facts.Int
		err := scan(&key, &g.platform, &runs)
		g.key = int64(key)
		all[g] = &tally{runs: int64(runs), products: make(map[int64]score)}
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, collect(ctx, set, "prompt_mentions.sql", plan.window, plan, func(scan facts.Scan) error {
		var g group
		var key, product, mentions, positions facts.Int
		err := scan(&key, &g.platform, &product, &mentions, &positions)
		g.key = int64(key)
		if t := all[g]; t != nil {
			t.products[int64(product)] = score{int64(mentions), int64(positions)}
		}
		return err
	})
}

// collect renders a plan and reads its rows; it is the only place that does I/O.
func collect(ctx context.Context, set facts.Set, name string, w window, plan any, row func(facts.Scan) error) error {
	statement, err := render(name, set, w, plan)
	if err != nil {
		return err
	}
	return set.Query(ctx, statement, row)
}
