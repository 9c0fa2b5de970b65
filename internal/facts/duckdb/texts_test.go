package duckdb

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A week with many answers has several parts, and not each kind is in each.
func TestTextsOfTheSamePartAreCountedTogether(t *testing.T) {
	const week = 1772409600
	row := func(part int64, texts ...string) (r textRow) {
		r.part = part
		for _, text := range texts {
			r.texts = append(r.texts, []byte(text))
		}
		return r
	}
	texts := map[textOf][]textRow{
		{week, 0}: {row(0, "m00", "c00"), row(1, "m01", "c01")},
		{week, 2}: {row(1, "m21", "c21")},
		{week, 3}: {row(0, "m30", "c30")}, // is not needed
	}
	sources := []textRow{row(0, "d0", "u0"), row(1, "d1", "u1")}
	w := neededWeek{file: file{tables: tablesApart}, week: week, kinds: []neededKind{{number: 0}, {number: 2}}}
	parts, err := w.together(texts, sources)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range parts {
		line := fmt.Sprintf("%s %s:", p.Domains, p.URLs)
		for _, k := range p.Kinds {
			line += fmt.Sprintf(" %s %s", k.Mentions, k.Citations)
		}
		got = append(got, line)
	}
	if want := []string{"d0 u0: m00 c00", "d1 u1: m01 c01 m21 c21"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := w.together(texts, sources[:1]); !errors.Is(err, errTorn) {
		t.Errorf("a part without sources: %v", err)
	}
}

// What is read at once is of one file, and bounded, unless a week is larger alone.
func TestWeeksAreReadSomeAtATime(t *testing.T) {
	weeks := func(of string, bytes ...int) (all []neededWeek) {
		for _, n := range bytes {
			all = append(all, neededWeek{file: file{name: of}, bytes: n})
		}
		return all
	}
	for name, c := range map[string]struct {
		weeks []neededWeek
		want  []int
	}{
		"nothing":     {nil, nil},
		"small weeks": {weeks("a", make([]int, 50)...), []int{50}},
		"two files":   {append(weeks("a", 1, 1), weeks("b", 1)...), []int{2, 1}},
		"quarters":    {weeks("a", slices.Repeat([]int{batchBytes / 4}, 6)...), []int{4, 2}},
		"large weeks": {weeks("a", batchBytes, 5, 2*batchBytes, 5), []int{1, 1, 1, 1}},
	} {
		var got []int
		for batch := range batches(c.weeks) {
			got = append(got, len(batch))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// The engine is asked for weeks that follow one another by one range for each kind.
func TestTextsAreAskedForByRanges(t *testing.T) {
	const week, next = 1772409600, 1772409600 + 604800
	f := file{kind: "answers", firstWeek: week}
	missing := map[textOf]bool{{week, 5}: true, {next, 5}: true, {next, 9}: true, {week + 4*604800, 9}: true}
	const selected = "select week, kind, part, mentions from answers_20260302.answer_parts where product_id = 7 and week between "
	const all = "select week, 0, part, domains from answers_20260302.answer_sources where product_id = 7 and week between "
	for _, c := range []struct {
		name string
		got  string
		want []string
	}{
		{"kinds", apartKinds.parts.query(f, []string{"mentions"}, 7, missing, false), []string{
			selected + "1772409600 and 1773014400 and kind = 5",
			selected + "1773014400 and 1773014400 and kind = 9",
			selected + "1774828800 and 1774828800 and kind = 9",
		}},
		{"all kinds", apartKinds.parts.query(f, []string{"mentions"}, 7, missing, true), []string{
			selected + "1772409600 and 1773014400", selected + "1774828800 and 1774828800",
		}},
		{"no kinds", apartKinds.sources.query(f, []string{"domains"}, 7, map[textOf]bool{{next, 0}: true, {week, 0}: true}, false), []string{
			all + "1772409600 and 1773014400",
		}},
	} {
		if want := strings.Join(c.want, " union all "); c.got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, want)
		}
	}
}
