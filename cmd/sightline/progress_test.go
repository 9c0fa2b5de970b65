package main

import (
	"testing"
	"time"
)

func TestTheFirstFrameGivesNoPace(t *testing.T) {
	for _, c := range []struct {
		name    string
		elapsed time.Duration
		want    string
	}{
		{"at once", 189 * time.Nanosecond, ""},
		{"too early to tell", 199 * time.Millisecond, ""},
		{"after a second", time.Second, ", 659/s  3s left"},
	} {
		if got := pace(659, 0.25, c.elapsed); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
