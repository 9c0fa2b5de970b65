package packed

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/sightline-hq/sightline/internal/facts"
)

// errOthers and errSums say how totals differ from the answers.
var (
	errOthers = errors.New("the sums are of other prompts than the packed answers")
	errSums   = errors.New("the sums are not those of the packed answers")
)

// Check compares totals with the mentions of the same week, in all parts: they
// must be of the same prompts, and the sums those of the answers.
func Check(product, week int64, totals []byte, mentions [][]byte) error {
	r := cursor{text: totals}
	r.texts()
	r.numbers()
	listed, there, products := make(map[int64]bool), make(map[int64]bool), map[int64]bool{product: true}
	for range r.count() {
		for _, id := range r.numbers() {
			listed[id] = true
		}
	}
	if r.bad {
		return errDamaged
	}
	for _, text := range mentions {
		h, err := new(chosen).readHead(text)
		if err != nil {
			return err
		}
		for _, s := range h.sections {
			there[int64(s.prompt)] = true
		}
		for _, id := range h.products {
			products[id] = true
		}
	}
	if !maps.Equal(listed, there) {
		return errOthers
	}
	return checkSums(week, totals, mentions, facts.AnswerQuery{
		ProductID: product, PromptIDs: slices.Sorted(maps.Keys(there)), Products: slices.Sorted(maps.Keys(products)),
		First: week, Last: week + facts.WeekSeconds - 1,
	})
}

func checkSums(week int64, totals []byte, mentions [][]byte, q facts.AnswerQuery) error {
	summed, counted := NewTallies(q, facts.ByDayAndPlatform), NewTallies(q, facts.ByDayAndPlatform)
	if _, _, err := summed.Totals(totals, q.First, q.Last); err != nil {
		return err
	}
	for _, text := range mentions {
		if err := counted.Answers(week, text, q.First, q.Last); err != nil {
			return err
		}
	}
	same := func(a, b *facts.Tally) bool {
		return a.Group == b.Group && a.Answers == b.Answers && a.Positions == b.Positions && slices.Equal(a.Mentions, b.Mentions)
	}
	if !slices.EqualFunc(summed.sorted(), counted.sorted(), same) {
		return errSums
	}
	return nil
}

func (t *Tallies) sorted() []*facts.Tally {
	all := t.All()
	slices.SortFunc(all, func(a, b *facts.Tally) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Platform, b.Platform))
	})
	return all
}
