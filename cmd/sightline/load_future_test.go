package main

import (
	"strings"
	"testing"
	"time"
)

func TestALoadTellsOfWeeksThatHaveNotBegun(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).Unix()
	later := time.Date(2031, 10, 20, 0, 0, 0, 0, time.UTC).Unix()
	var text strings.Builder
	if printFuture(&text, []int64{monday}, now); text.String() != "" {
		t.Errorf("this week: %q", text.String())
	}
	printFuture(&text, []int64{later, monday}, now)
	if want := "in the future\t1 week\tthe last begins on 2031-10-20: see the clock of what wrote these events\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
}
