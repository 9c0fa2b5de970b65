package random

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/oracle"
)

// answers draws runs of the prompts. Some have the id of an earlier one, and so
// replace it, even in another week or for another prompt.
func answers(t *rapid.T, products []oracle.Product, platforms []string, days []time.Time) (list []oracle.Answer) {
	var owners []oracle.Product // one for each prompt
	var prompts []oracle.Prompt
	for _, p := range products {
		for _, prompt := range p.Prompts {
			owners, prompts = append(owners, p), append(prompts, prompt)
		}
	}
	if len(prompts) == 0 {
		return nil
	}
	for i := range pick(t, []int{40, 0, 3, 12, 40, 80, 80, 80, 150, 150}) {
		n := upTo(t, len(prompts))
		a := oracle.Answer{
			ID: fmt.Sprintf("a-%d", i), PromptID: prompts[n].ID, Platform: pick(t, platforms),
			At: moment(t, days), Mentions: mentions(t, owners[n]), Citations: citations(t),
		}
		if i > 0 && percent(t, 8) {
			a.ID = pick(t, list).ID
		}
		list = append(list, a)
	}
	return list
}

// mentions name the product and its competitors only, in any order. The places
// are 1, 2, 3, …, now and then with a gap.
func mentions(t *rapid.T, p oracle.Product) (list []oracle.Mention) {
	if percent(t, 20) {
		return nil
	}
	position := int64(0)
	for _, id := range some(t, append([]int64{p.ID}, p.Competitors...), 1) {
		position++
		if percent(t, 4) {
			position++
		}
		list = append(list, oracle.Mention{ProductID: id, Position: position})
	}
	return shuffled(t, list)
}

// citations repeat URLs in other spellings on purpose.
func citations(t *rapid.T) (list []oracle.Citation) {
	for range pick(t, []int{1, 0, 2, 3, 5}) {
		c := pick(t, cited)
		list = append(list, c)
		if percent(t, 25) {
			list = append(list, otherSpelling(t, c))
		}
	}
	return list
}

func otherSpelling(t *rapid.T, c oracle.Citation) oracle.Citation {
	var same []oracle.Citation
	for _, other := range cited {
		if other.URL == c.URL {
			same = append(same, other)
		}
	}
	return pick(t, same)
}
