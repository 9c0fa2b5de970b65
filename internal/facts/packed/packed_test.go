package packed

import (
	"cmp"
	"encoding/binary"
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

// packAll packs answers in parts that end anywhere, as a generation did. The
// totals are of each kind, by number, or in the first generation of all.
func packAll(t *rapid.T, answers []*facts.Answer, first bool) (parts []Part, totals map[int64][]byte) {
	w := NewWriter(product, week)
	take := func() {
		if w.Empty() {
			return
		}
		p := w.Take()
		if first {
			p = asFirst(p)
		}
		parts = append(parts, p)
	}
	for _, a := range answers {
		if first {
			a = new(*a)
			a.PromptKind = "" // kinds are not told apart
		}
		if w.Add(a); rapid.Bool().Draw(t, "part ends") {
			take()
		}
	}
	take()
	if first {
		totals = make(map[int64][]byte)
		for _, p := range parts {
			totals[p.Kinds[0].Kind] = firstTotals(answers)
		}
		return parts, totals
	}
	d, err := ReadDirectory(w.Directory())
	must(t, err)
	totals = make(map[int64][]byte)
	for _, k := range d.Kinds {
		totals[k.Number] = k.Totals
	}
	checkBytes(t, d, parts)
	return parts, totals
}

// checkBytes compares what a directory says of the size of texts.
func checkBytes(t *rapid.T, d Directory, parts []Part) {
	for _, p := range parts {
		d.SourceBytes -= len(p.Domains) + len(p.URLs)
		for _, k := range p.Kinds {
			i := slices.IndexFunc(d.Kinds, func(of Kind) bool { return of.Number == k.Kind })
			d.Kinds[i].Bytes -= len(k.Mentions) + len(k.Citations)
		}
	}
	for _, k := range d.Kinds {
		if k.Bytes != 0 || d.SourceBytes != 0 {
			t.Fatal("the directory says another size than the texts have")
		}
	}
}

// asFirst puts domains and URLs into one text.
func asFirst(p Part) Part {
	names, urls := cursor{text: p.Domains}, cursor{text: p.URLs}
	n := names.count()
	p.Pages = binary.AppendUvarint(nil, uint64(n))
	for range n {
		p.Pages = putBytes(p.Pages, string(names.bytes()))
		pages := names.number()
		p.Pages = binary.AppendUvarint(p.Pages, pages)
		for range pages {
			p.Pages = binary.AppendUvarint(p.Pages, urls.number())
			p.Pages = putBytes(p.Pages, string(urls.bytes()))
		}
	}
	p.Domains, p.URLs = nil, nil
	return p
}

// firstTotals are totals of several kinds in one text. The sums of all kinds have
// the same numbers of platforms and products.
func firstTotals(answers []*facts.Answer) []byte {
	kinds := make(map[string]*totals)
	var shared totals
	for _, a := range answers {
		if kinds[a.PromptKind] == nil {
			k := newTotals(product)
			kinds[a.PromptKind] = &k
		}
		k := kinds[a.PromptKind]
		k.platforms, k.products = shared.platforms, shared.products
		k.add(a)
		shared.platforms, shared.products = k.platforms, k.products
	}
	text := putNumbers(putTexts(nil, shared.platforms.all), shared.products.all)
	text = binary.AppendUvarint(text, uint64(len(kinds)))
	days, names := 0, slices.Sorted(maps.Keys(kinds))
	for _, name := range names {
		text = putNumbers(text, slices.Sorted(maps.Keys(kinds[name].prompts)))
		days += len(kinds[name].days)
	}
	text = binary.AppendUvarint(text, uint64(days))
	for i, name := range names {
		text = kinds[name].packDays(text, int64(i))
	}
	return text
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
		parts, totals := packAll(t, answers, rapid.Bool().Draw(t, "first generation"))
		for _, by := range groupings {
			shares := NewShares(q, by, rapid.IntRange(1, 4).Draw(t, "shares"))
			for _, s := range shares {
				for _, p := range wanted(t, &s.chosen, parts, totals) {
					for _, k := range p.Kinds {
						must(t, s.Answers(week, k.Mentions, q.First, q.Last))
					}
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

// wanted leaves the kinds out that a query is not about.
func wanted(t *rapid.T, c *chosen, parts []Part, totals map[int64][]byte) (left []Part) {
	for _, p := range parts {
		var kinds []Texts
		for _, k := range p.Kinds {
			some, _, err := c.Wants(totals[k.Kind])
			must(t, err)
			if some {
				kinds = append(kinds, k)
			}
		}
		p.Kinds = kinds
		left = append(left, p)
	}
	return left
}

// Totals count whole days, and only if the query is about all prompts of a kind,
// or none. In the first generation that goes for all kinds together.
func TestTotalsAreTheSumsOfWholeDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers, q := drawAnswers(t), drawQuery(t)
		first := rapid.Bool().Draw(t, "first generation")
		_, totals := packAll(t, answers, first)
		text := func(a *facts.Answer) string {
			if first {
				return "all"
			}
			return a.PromptKind
		}
		mixed := make(map[string]bool) // texts with a kind that is asked for in part
		for _, a := range answers {
			for _, b := range answers {
				if a.PromptKind == b.PromptKind && slices.Contains(q.PromptIDs, a.PromptID) != slices.Contains(q.PromptIDs, b.PromptID) {
					mixed[text(a)] = true
				}
			}
		}
		var whole []*facts.Answer
		for _, a := range answers {
			if day := a.Second / facts.DaySeconds * facts.DaySeconds; q.First <= day && day+facts.DaySeconds-1 <= q.Last && !mixed[text(a)] {
				whole = append(whole, a)
			}
		}
		for _, by := range []facts.Grouping{facts.Together, facts.ByDayAndPlatform} {
			counted, left := NewTallies(q, by), 0
			for _, text := range totals {
				some, ok, err := counted.Totals(text, q.First, q.Last)
				must(t, err)
				if some && !ok {
					left++
				}
			}
			if left != len(mixed) {
				t.Fatalf("%d texts of totals were not counted, though kinds are asked for in part in %d", left, len(mixed))
			}
			if diff := gocmp.Diff(tallied(q, by, whole), inOrder(counted.All())); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func TestFurtherKindsAreTakenForOne(t *testing.T) {
	w := NewWriter(product, week)
	q := facts.AnswerQuery{ProductID: product, Products: []int64{product}, First: week, Last: week + facts.WeekSeconds}
	for i := range int64(3 * maxKinds) {
		w.Add(&facts.Answer{ProductID: product, PromptID: i, PromptKind: fmt.Sprint("kind ", i), Second: week, Platform: "openai"})
		q.PromptIDs = append(q.PromptIDs, i)
	}
	parts := len(w.Take().Kinds)
	d, err := ReadDirectory(w.Directory())
	if err != nil || parts != maxKinds || len(d.Kinds) != maxKinds {
		t.Fatalf("%d kinds of texts and %d of totals, want %d; %v", parts, len(d.Kinds), maxKinds, err)
	}
	counted := NewTallies(q, facts.Together)
	for _, k := range d.Kinds {
		if _, ok, err := counted.Totals(k.Totals, q.First, q.Last); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if n := counted.All()[0].Answers; n != 3*maxKinds {
		t.Errorf("%d answers, want %d", n, 3*maxKinds)
	}
}

func TestCitationsAreCountedAsInTheAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers, q := drawAnswers(t), drawQuery(t)
		pages := rapid.Bool().Draw(t, "with pages")
		counted := NewCitations(q, pages)
		parts, totals := packAll(t, answers, rapid.Bool().Draw(t, "first generation"))
		for _, p := range wanted(t, &counted.chosen, parts, totals) {
			if !pages {
				p.URLs = nil // they are not read
			}
			must(t, counted.Answers(week, p, q.First, q.Last))
		}
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
				if pages {
					want[c.Domain+" "+c.URL]++
				}
				for _, m := range a.Mentions {
					if !slices.Contains(q.Products, m.ProductID) {
						continue
					}
					want[fmt.Sprint(c.Domain, " beside ", m.ProductID)]++
					if pages {
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
