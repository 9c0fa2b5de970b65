package duckdb

import (
	"errors"
	"strings"
	"testing"
)

func TestWorkIsSpreadAndErrorsAndPanicsComeBack(t *testing.T) {
	counts := []*int{new(int), new(int)}
	err := spread(counts, func(give func(func(*int) error)) error {
		for range 1000 {
			give(func(n *int) error { *n++; return nil })
		}
		return nil
	})
	if err != nil || *counts[0]+*counts[1] != 1000 {
		t.Errorf("%d and %d pieces of work were done: %v", *counts[0], *counts[1], err)
	}
	wrong := errors.New("wrong")
	err = spread(counts, func(give func(func(*int) error)) error {
		give(func(*int) error { return wrong })
		give(func(*int) error { panic("worse") })
		return nil
	})
	if !errors.Is(err, wrong) && (err == nil || !strings.Contains(err.Error(), "worse")) {
		t.Errorf("an error and a panic became %v", err)
	}
}

func TestSharedWorkIsGivenToAll(t *testing.T) {
	counts := []*int{new(int), new(int)}
	wrong := errors.New("wrong")
	err := share(counts, func(give func(func(*int) error)) error {
		for range 1000 {
			give(func(n *int) error { *n++; return nil })
		}
		give(func(n *int) error {
			if n == counts[1] {
				return wrong
			}
			return nil
		})
		return nil
	})
	if !errors.Is(err, wrong) || *counts[0] != 1000 || *counts[1] != 1000 {
		t.Errorf("%d and %d pieces of work were done: %v", *counts[0], *counts[1], err)
	}
}
