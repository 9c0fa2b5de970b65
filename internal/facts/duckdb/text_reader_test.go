package duckdb_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/facts/duckdb"
)

const somePrompts = 60

// someWeeks loads answers of several weeks to prompts of two kinds.
func someWeeks(t *testing.T, dir string, weeks int) {
	t.Helper()
	const seed = 1
	random := rand.New(rand.NewPCG(seed, seed))
	var rows []any
	for week := range weeks {
		for i := range 300 {
			second := monday + int64(week)*facts.WeekSeconds + random.Int64N(facts.WeekSeconds)
			prompt := 1 + random.Int64N(somePrompts)
			a := answer(fmt.Sprint(week, "-", i), second, prompt, []int64{8, 7, 9, 10}[random.IntN(3):]...)
			a.ProductID, a.PromptKind = 7, fmt.Sprint("kind ", prompt%2)
			a.Platform = []string{"openai", "gemini"}[random.IntN(2)]
			a.Citations = append(a.Citations, facts.Citation{Domain: "b.example", URL: fmt.Sprint("https://b.example/", i%50)})
			rows = append(rows, a)
		}
	}
	publish(t, openLoader(t, dir), facts.KindAnswers, "answers", rows...)
}

// with follows the facts with so many bytes for what stays at hand.
func with(t *testing.T, dir string, hot int64) facts.Set {
	t.Helper()
	live, err := duckdb.Follow(t.Context(), dir, duckdb.Options{Poll: time.Second, Hot: hot})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { live.Close() })
	set := acquire(t, live)
	t.Cleanup(set.Close)
	return set
}

func TestCountsAreTheSameWhateverIsAtHand(t *testing.T) {
	dir := t.TempDir()
	someWeeks(t, dir, 6)
	var all, odd []int64
	for id := range int64(somePrompts) {
		if all = append(all, id+1); id%2 == 0 {
			odd = append(odd, id+1)
		}
	}
	end := monday + 6*facts.WeekSeconds - 1
	query := func(prompts []int64, first, last int64, platforms ...string) facts.AnswerQuery {
		return facts.AnswerQuery{ProductID: 7, PromptIDs: prompts, Platforms: platforms, Products: []int64{7, 8, 10}, First: first, Last: last}
	}
	queries := map[string]facts.AnswerQuery{
		"everything":      query(all, 0, allTime),
		"whole weeks":     query(all, monday, end),
		"cut weeks":       query(all, monday+100_000, end-200_000),
		"one kind":        query(odd, 0, allTime),
		"part of a kind":  query(odd[:5], 0, allTime),
		"one platform":    query(all, 0, allTime, "gemini"),
		"nobody's prompt": query([]int64{99}, 0, allTime),
	}
	want := make(map[string][]string)
	for _, hot := range []int64{0, 20 << 10, 60 << 10, 1 << 20} { // nothing, some, most, all
		set := with(t, dir, hot)
		for round := range 3 {
			for name, q := range queries {
				got := counted(t, set.(facts.AnswerReader), q)
				cited, err := set.(facts.AnswerReader).Cited(t.Context(), q, false)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range cited.Domains {
					got = append(got, fmt.Sprint("without pages ", d))
				}
				slices.Sort(got)
				if want[name] == nil {
					want[name] = got
				}
				if !slices.Equal(got, want[name]) {
					t.Errorf("%s, %d bytes at hand, round %d:\n%q\nwant\n%q", name, hot, round, got, want[name])
				}
			}
		}
	}
}

// A request that needs more than has room finds what fits again, the next time.
func TestOfALargeRequestTheNewestWeeksStayAtHand(t *testing.T) {
	const weeks = 12
	dir := t.TempDir()
	someWeeks(t, dir, weeks)
	q := facts.AnswerQuery{ProductID: 7, Products: []int64{7, 8}, First: monday, Last: monday + weeks*facts.WeekSeconds - 1}
	for id := range int64(somePrompts) {
		q.PromptIDs = append(q.PromptIDs, id+1)
	}
	for name, c := range map[string]struct {
		hot         int64
		least, most int
	}{
		"no room":       {0, 0, 0},
		"room for some": {36 << 10, 3, weeks - 1},
		"room for all":  {1 << 20, weeks, weeks},
	} {
		set := with(t, dir, c.hot)
		for round := range 3 {
			if _, err := set.(facts.AnswerReader).Tally(t.Context(), q, facts.ByPromptAndPlatform); err != nil {
				t.Fatal(err)
			}
			kept := duckdb.DigestsAtHand(set, 7)
			if len(kept) < c.least || len(kept) > c.most {
				t.Fatalf("%s, round %d: %d weeks at hand, want %d to %d", name, round, len(kept), c.least, c.most)
			}
			for i, week := range kept {
				if want := monday + int64(weeks-len(kept)+i)*facts.WeekSeconds; week != want {
					t.Errorf("%s, round %d: the week of %d is at hand, want the one of %d", name, round, week, want)
				}
			}
		}
	}
}
