package packed

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sightline-hq/sightline/internal/facts"
)

// drawWeek makes answers, and a query about their whole week.
func drawWeek(t *rapid.T) ([]*facts.Answer, facts.AnswerQuery) {
	answers, q := drawAnswers(t), drawQuery(t)
	q.First, q.Last = week, week+facts.WeekSeconds-1
	return answers, q
}

func TestADigestOfMentionsCountsLikeTheTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers, q := drawWeek(t)
		parts, _ := packAll(t, answers, rapid.Bool().Draw(t, "first generation"))
		shares := NewShares(q, facts.ByPromptAndPlatform, rapid.IntRange(1, 3).Draw(t, "shares"))
		for _, s := range shares {
			for _, p := range parts {
				for _, k := range p.Kinds {
					digest, err := DigestMentions(product, k.Mentions)
					must(t, err)
					must(t, s.Digest(digest))
				}
			}
			if s != shares[0] {
				shares[0].Add(s)
			}
		}
		if diff := gocmp.Diff(tallied(q, facts.ByPromptAndPlatform, answers), inOrder(shares[0].All())); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Digests of citations stand for kinds of which all prompts are asked for; other
// kinds are counted from their texts beside them.
func TestADigestOfCitationsCountsLikeTheTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers, q := drawWeek(t)
		q.Platforms = nil
		parts, totals := packAll(t, answers, rapid.Bool().Draw(t, "first generation"))
		fromTexts, fromDigests := NewCitations(q, false), NewCitations(q, false)
		for _, p := range wanted(t, &fromTexts.chosen, parts, totals) {
			must(t, fromTexts.Answers(week, p, q.First, q.Last))
			for i, k := range p.Kinds {
				_, all, err := fromDigests.Wants(totals[k.Kind])
				must(t, err)
				if !all {
					continue
				}
				digest, err := DigestCitations(p.Sources, k)
				must(t, err)
				p.Kinds[i] = Texts{Kind: k.Kind, Digest: digest}
			}
			must(t, fromDigests.Answers(week, p, q.First, q.Last))
		}
		if diff := gocmp.Diff(fromTexts.domains, fromDigests.domains); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestADigestThatWasCutIsAnError(t *testing.T) {
	w := NewWriter(product, week)
	for i := range int64(3) {
		w.Add(&facts.Answer{ProductID: product, PromptID: 1, Second: week + i, Platform: "openai",
			Mentions:  []facts.Mention{{ProductID: product, Position: 1}, {ProductID: 8 + i, Position: 2}},
			Citations: []facts.Citation{{Domain: "a.example", URL: "https://a.example/"}}})
	}
	p := w.Take()
	k := p.Kinds[0]
	q := facts.AnswerQuery{ProductID: product, PromptIDs: []int64{1}, Products: []int64{product}, First: week, Last: week}
	mentions, err := DigestMentions(product, k.Mentions)
	if err != nil {
		t.Fatal(err)
	}
	citations, err := DigestCitations(p.Sources, k)
	if err != nil {
		t.Fatal(err)
	}
	for n := range mentions {
		if NewTallies(q, facts.ByPromptAndPlatform).Digest(mentions[:n]) == nil {
			t.Errorf("%d bytes of %d of mentions were counted", n, len(mentions))
		}
	}
	for n := range citations {
		part := Part{Kinds: []Texts{{Digest: citations[:n]}}, Sources: p.Sources}
		if n > 0 && NewCitations(q, false).Answers(week, part, q.First, q.Last) == nil {
			t.Errorf("%d bytes of %d of citations were counted", n, len(citations))
		}
	}
	for _, cut := range []Texts{{Mentions: k.Mentions[:3]}, {Mentions: k.Mentions, Citations: k.Citations[:1]}} {
		if _, err := DigestCitations(p.Sources, cut); err == nil {
			t.Error("texts that were cut have a digest")
		}
	}
}
