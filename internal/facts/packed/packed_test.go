package packed

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/facts"
)

// Monday, 2 March 2026.
const week = 1772409600

const product = 7

// drawAnswers makes answers to prompts of one product in one week, by prompt.
func drawAnswers(t *rapid.T) (all []*facts.Answer) {
	for prompt := range rapid.Int64Range(1, 4).Draw(t, "prompts") {
		for range rapid.IntRange(0, 6).Draw(t, "answers") {
			a := &facts.Answer{
				ProductID: product, PromptID: prompt * 1000, PromptKind: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "kind"), Platform: rapid.SampledFrom([]string{"openai", "gemini", "grok"}).Draw(t, "platform"),
				Second: week + rapid.Int64Range(0, facts.WeekSeconds-1).Draw(t, "second"),
			}
			places := rapid.SampledFrom([]int64{1, 2, 500}).Draw(t, "places")
			for i, id := range rapid.SliceOfNDistinct(rapid.Int64Range(5, 9), 0, 4, rapid.ID).Draw(t, "mentions") {
				a.Mentions = append(a.Mentions, facts.Mention{ProductID: id, Position: places * int64(i+1)})
			}
			for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 5), 0, 3, rapid.ID).Draw(t, "citations") {
				domain := fmt.Sprintf("d%d.example", n%2)
				a.Citations = append(a.Citations, facts.Citation{Domain: domain, URL: fmt.Sprintf("https://%s/%d", domain, n)})
			}
			all = append(all, a)
		}
	}
	return all
}

func drawQuery(t *rapid.T) facts.AnswerQuery {
	first := rapid.Int64Range(week-100, week+facts.WeekSeconds).Draw(t, "first")
	if rapid.Bool().Draw(t, "whole days") {
		first -= first % facts.DaySeconds
	}
	prompts := rapid.SliceOfDistinct(rapid.SampledFrom([]int64{0, 1000, 2000, 3000}), rapid.ID).Draw(t, "selected")
	slices.Sort(prompts)
	return facts.AnswerQuery{
		ProductID: product, PromptIDs: prompts, First: first,
		Last:      first + rapid.Int64Range(0, facts.WeekSeconds).Draw(t, "length"),
		Platforms: rapid.SliceOfDistinct(rapid.SampledFrom([]string{"openai", "gemini"}), rapid.ID).Draw(t, "platforms"),
		Products:  append([]int64{product}, rapid.SliceOfDistinct(rapid.SampledFrom([]int64{5, 6, 8, 99}), rapid.ID).Draw(t, "products")...),
	}
}

func selects(q facts.AnswerQuery, a *facts.Answer) bool {
	return q.First <= a.Second && a.Second <= q.Last && slices.Contains(q.PromptIDs, a.PromptID) &&
		(len(q.Platforms) == 0 || slices.Contains(q.Platforms, a.Platform))
}

// tallied is what counting must give.
func tallied(q facts.AnswerQuery, by facts.Grouping, all []*facts.Answer) []facts.Tally {
	groups := make(map[facts.Group]*facts.Tally)
	for _, a := range all {
		if !selects(q, a) {
			continue
		}
		g := facts.Group{}
		switch by {
		case facts.ByPromptAndPlatform:
			g = facts.Group{Key: a.PromptID, Platform: a.Platform}
		case facts.ByDayAndPlatform:
			g = facts.Group{Key: a.Second / facts.DaySeconds * facts.DaySeconds, Platform: a.Platform}
		}
		if groups[g] == nil {
			groups[g] = &facts.Tally{Group: g, Mentions: make([]int64, len(q.Products))}
		}
		groups[g].Answers++
		for _, m := range a.Mentions {
			if place := slices.Index(q.Products, m.ProductID); place >= 0 {
				groups[g].Mentions[place]++
			}
			if m.ProductID == q.ProductID {
				groups[g].Positions += m.Position
			}
		}
	}
	return inOrder(slices.Collect(maps.Values(groups)))
}

func inOrder(groups []*facts.Tally) (all []facts.Tally) {
	for _, t := range groups {
		all = append(all, *t)
	}
	slices.SortFunc(all, func(a, b facts.Tally) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Platform, b.Platform))
	})
	return all
}

func must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

var groupings = []facts.Grouping{facts.Together, facts.ByPromptAndPlatform, facts.ByDayAndPlatform}

func TestMentionsAreCountedAsInTheAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers, q := drawAnswers(t), drawQuery(t)
		w := NewWriter(product, week)
		var parts []Part
		for _, a := range answers {
			if w.Add(a); rapid.Bool().Draw(t, "part ends") {
				parts = append(parts, w.Take())
			}
		}
		if !w.Empty() {
			parts = append(parts, w.Take())
		}
		for _, by := range groupings {
			shares := NewShares(q, by, rapid.IntRange(1, 4).Draw(t, "shares"))
			for _, s := range shares {
				for _, p := range parts {
					must(t, s.Answers(week, p.Mentions, q.First, q.Last))
				}
				if s != shares[0] {
					shares[0].Add(s)
				}
			}
			if diff := gocmp.Diff(tallied(q, by, answers), inOrder(shares[0].All())); diff != "" {
				t.Fatalf("grouping %d: %s", by, diff)
			}
		}
	})
}

// Totals count whole days, and only if the query is about all prompts of a kind, or none.
func TestTotalsAreTheSumsOfWholeDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers, q := drawAnswers(t), drawQuery(t)
		w := NewWriter(product, week)
		var whole []*facts.Answer
		wanted := make(map[string]map[bool]bool) // kind → whether prompts of it are asked for
		for _, a := range answers {
			w.Add(a)
			if wanted[a.PromptKind] == nil {
				wanted[a.PromptKind] = make(map[bool]bool)
			}
			wanted[a.PromptKind][slices.Contains(q.PromptIDs, a.PromptID)] = true
			if day := a.Second / facts.DaySeconds * facts.DaySeconds; q.First <= day && day+facts.DaySeconds-1 <= q.Last {
				whole = append(whole, a)
			}
		}
		mixed := false
		for _, of := range wanted {
			mixed = mixed || len(of) > 1
		}
		if mixed {
			whole = nil
		}
		for _, by := range []facts.Grouping{facts.Together, facts.ByDayAndPlatform} {
			counted := NewTallies(q, by)
			ok, err := counted.Totals(w.Totals(), q.First, q.Last)
			must(t, err)
			if ok == mixed {
				t.Fatalf("totals counted: %v, though a kind is asked for in part: %v", ok, mixed)
			}
			if diff := gocmp.Diff(tallied(q, by, whole), inOrder(counted.All())); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func TestManyKindsAreAddedUp(t *testing.T) {
	w := NewWriter(product, week)
	q := facts.AnswerQuery{ProductID: product, Products: []int64{product}, First: week, Last: week + facts.WeekSeconds}
	for i := range int64(3 * maxKinds) {
		w.Add(&facts.Answer{ProductID: product, PromptID: i, PromptKind: fmt.Sprint("kind ", i), Second: week, Platform: "openai"})
		q.PromptIDs = append(q.PromptIDs, i)
	}
	counted := NewTallies(q, facts.Together)
	if ok, err := counted.Totals(w.Totals(), q.First, q.Last); !ok || err != nil || counted.All()[0].Answers != 3*maxKinds {
		t.Errorf("%v, %v, %v", ok, err, counted.All())
	}
	if n := len(w.totals.prompts); n != maxKinds {
		t.Errorf("%d kinds, want %d", n, maxKinds)
	}
}

func TestCitationsAreCountedAsInTheAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers, q := drawAnswers(t), drawQuery(t)
		counted := NewCitations(q, true)
		w := NewWriter(product, week)
		for _, a := range answers {
			if w.Add(a); rapid.Bool().Draw(t, "part ends") {
				must(t, counted.Answers(week, w.Take(), q.First, q.Last))
			}
		}
		must(t, counted.Answers(week, w.Take(), q.First, q.Last))
		got, want := make(map[string]int64), make(map[string]int64)
		all := counted.All()
		for _, d := range all.Domains {
			got[d.Domain] = d.Count
			for i, n := range d.Mentions {
				note(got, fmt.Sprint(d.Domain, " beside ", q.Products[i]), n)
			}
		}
		for _, p := range all.Pages {
			got[p.Domain+" "+p.URL] = p.Count
			for i, id := range q.Products {
				if p.Mentioned.Has(i) {
					got[fmt.Sprint(p.URL, " with ", id)] = 1
				}
			}
		}
		for _, a := range answers {
			if !selects(q, a) {
				continue
			}
			for _, c := range a.Citations {
				want[c.Domain]++
				want[c.Domain+" "+c.URL]++
				for _, m := range a.Mentions {
					if slices.Contains(q.Products, m.ProductID) {
						want[fmt.Sprint(c.Domain, " beside ", m.ProductID)]++
						want[fmt.Sprint(c.URL, " with ", m.ProductID)] = 1
					}
				}
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func note(counts map[string]int64, name string, n int64) {
	if n > 0 {
		counts[name] = n
	}
}

// Damaged texts are errors or counts, never a crash, a hang or much memory.
func FuzzDamage(f *testing.F) {
	w := NewWriter(product, week)
	for i := range int64(20) {
		w.Add(&facts.Answer{ProductID: product, PromptID: i / 5, Second: week + i, Platform: "openai",
			Mentions:  []facts.Mention{{ProductID: product, Position: 1 + i%2}, {ProductID: 8, Position: 9}},
			Citations: []facts.Citation{{Domain: "a.example", URL: fmt.Sprint("https://a.example/", i%3)}}})
	}
	totals := w.Totals()
	p := w.Take()
	f.Add(p.Mentions, p.Citations, p.Pages, totals)
	f.Fuzz(func(t *testing.T, mentions, citations, pages, totals []byte) {
		q := facts.AnswerQuery{ProductID: product, PromptIDs: []int64{0, 1, 2, 3}, Products: []int64{product, 8}, First: week, Last: week + 15}
		for _, by := range groupings {
			counted := NewTallies(q, by)
			counted.Answers(week, mentions, q.First, q.Last)
			counted.Totals(totals, q.First, q.Last)
		}
		counted := NewCitations(q, true)
		counted.Answers(week, Part{mentions, citations, pages}, q.First, q.Last)
		counted.All()
	})
}

func TestATextThatWasCutIsAnError(t *testing.T) {
	w := NewWriter(product, week)
	w.Add(&facts.Answer{ProductID: product, PromptID: 1, Second: week, Platform: "openai",
		Mentions:  []facts.Mention{{ProductID: product, Position: 1}},
		Citations: []facts.Citation{{Domain: "a.example", URL: "https://a.example/"}}})
	p := w.Take()
	q := facts.AnswerQuery{ProductID: product, PromptIDs: []int64{1}, Products: []int64{product}, First: week, Last: week}
	for n := range p.Mentions {
		if NewTallies(q, facts.Together).Answers(week, p.Mentions[:n], q.First, q.Last) == nil {
			t.Errorf("the first %d of %d bytes were taken for all mentions", n, len(p.Mentions))
		}
	}
	for n := range p.Citations {
		if NewCitations(q, true).Answers(week, Part{p.Mentions, p.Citations[:n], p.Pages}, q.First, q.Last) == nil {
			t.Errorf("the first %d of %d bytes were taken for all citations", n, len(p.Citations))
		}
	}
	for n := range p.Pages {
		if NewCitations(q, true).Answers(week, Part{p.Mentions, p.Citations, p.Pages[:n]}, q.First, q.Last) == nil {
			t.Errorf("the first %d of %d bytes were taken for all pages", n, len(p.Pages))
		}
	}
}
