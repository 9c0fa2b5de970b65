package facts

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestAWatchTellsWhenItFailsAndWhenItGoesOn(t *testing.T) {
	gone := errors.New("gone")
	outcomes := []error{nil, gone, gone, nil, nil}
	told, ended := make(chan string, len(outcomes)), make(chan struct{})
	var w Watch
	w.Begin(t.Context(), time.Millisecond, func(context.Context) error {
		if len(outcomes) == 0 {
			return nil
		}
		var now error
		now, outcomes = outcomes[0], outcomes[1:]
		if len(outcomes) == 0 {
			close(ended)
		}
		return now
	}, func(before, now error) { told <- fmt.Sprint(before, " ", now) })
	<-ended
	w.End()
	close(told)
	var all []string
	for text := range told {
		all = append(all, text)
	}
	if got := fmt.Sprintf("%q", all); got != `["<nil> gone" "gone gone" "gone <nil>"]` {
		t.Error(got)
	}
}
