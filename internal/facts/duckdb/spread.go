package duckdb

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// spread works in several goroutines, each with a thing of its own. Feed gives
// the work, a piece at a time to whoever is free; it waits while all are busy.
func spread[T any](things []T, feed func(give func(func(T) error)) error) error {
	work := make(chan func(T) error)
	return workWith(things, slices.Repeat([]chan func(T) error{work}, len(things)), func() error {
		defer close(work)
		return feed(func(do func(T) error) { work <- do })
	})
}

// share works like spread, but gives every piece to all: each does its part of it.
func share[T any](things []T, feed func(give func(func(T) error)) error) error {
	work := make([]chan func(T) error, len(things))
	for i := range work {
		work[i] = make(chan func(T) error, 1)
	}
	return workWith(things, work, func() error {
		defer func() {
			for _, w := range work {
				close(w)
			}
		}()
		return feed(func(do func(T) error) {
			for _, w := range work {
				w <- do
			}
		})
	})
}

// workWith starts a goroutine for each thing, which does the work of its channel.
// It ends its work with its first error.
func workWith[T any](things []T, work []chan func(T) error, feed func() error) error {
	failed := make([]error, len(things))
	var wg sync.WaitGroup
	for i, thing := range things {
		wg.Go(func() {
			for do := range work[i] {
				if failed[i] == nil {
					failed[i] = safely(func() error { return do(thing) })
				}
			}
		})
	}
	err := feed()
	wg.Wait()
	return errors.Join(append(failed, err)...)
}

// safely makes an error of a panic: nobody else would catch it in a goroutine.
func safely(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}
