package duckdb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sightline-hq/sightline/internal/facts"
)

// A quarter of 13 weeks, counted from the first Monday of Unix time, begins here.
var quarter = func() int64 {
	m := DefaultMerging
	week := facts.Week(1772409600)
	for m.group(week) == m.group(week-facts.WeekSeconds) {
		week -= facts.WeekSeconds
	}
	return week
}()

// at is the nth week of the quarter.
func at(n int64) int64 { return quarter + n*facts.WeekSeconds }

// drawn writes units and spans as the numbers of their weeks: files are "2-4",
// new weeks "+3".
func drawn(spans []span) string {
	var all []string
	for _, sp := range spans {
		text := fmt.Sprintf("%d-%d", (sp.firstWeek-quarter)/facts.WeekSeconds, (sp.lastWeek-quarter)/facts.WeekSeconds)
		var names []string
		for _, f := range sp.olds {
			names = append(names, f.name)
		}
		all = append(all, text+"["+strings.Join(names, " ")+"]")
	}
	return strings.Join(all, ", ")
}

func TestWeeksThatRestAreMergedAndOthersAreNot(t *testing.T) {
	of := func(name string, first, last int64, touched bool) unit {
		u := unit{span{at(first), at(last), nil}, touched}
		if name != "" {
			u.olds = []file{{name: name, bytes: 10}}
		}
		return u
	}
	for _, c := range []struct {
		name   string
		units  []unit
		newest int64
		want   string
	}{
		{"young weeks stay alone", []unit{of("a", 0, 0, false), of("b", 1, 1, true), of("", 2, 2, true)}, 2, "1-1[b], 2-2[]"},
		{"a quarter just over still waits", []unit{of("a", 0, 0, false), of("b", 12, 12, true)}, 16, "12-12[b]"},
		{"a quarter at rest is merged, touched or not", []unit{of("a", 0, 0, false), of("b", 12, 12, false)}, 17, "0-12[a b]"},
		{"with new weeks in it", []unit{of("a", 3, 3, false), of("", 1, 1, true), of("b", 5, 6, false)}, 20, "1-6[a b]"},
		{"new weeks alone", []unit{of("", 1, 1, true), of("", 3, 3, true)}, 20, "1-3[]"},
		{"one file is left as it is", []unit{of("a", 0, 12, false)}, 20, ""},
		{"one file is rewritten if it is touched", []unit{of("a", 0, 12, true)}, 20, "0-12[a]"},
		{"quarters are not mixed", []unit{of("a", 11, 11, false), of("b", 12, 12, false), of("c", 13, 13, false), of("d", 14, 14, false)}, 40, "11-12[a b], 13-14[c d]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := drawn(DefaultMerging.spans(c.units, at(c.newest))); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	large := []unit{of("a", 0, 0, false), of("b", 1, 1, false)}
	large[0].olds[0].bytes = DefaultMerging.Bytes
	if got := DefaultMerging.spans(large, at(20)); len(got) > 0 {
		t.Errorf("files that are too large are merged: %s", drawn(got))
	}
}
