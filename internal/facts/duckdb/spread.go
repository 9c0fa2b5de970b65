package duckdb

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// spread works in several goroutines, each with a thing of its own. Feed gives
// the work; it waits while all of them are busy. The work of a goroutine ends
// with its first error.
func spread[T any](things []T, feed func(give func(func(T) error)) error) error {
	work := make(chan func(T) error)
	failed := make([]error, len(things))
	var wg sync.WaitGroup
	for i, thing := range things {
		wg.Go(func() {
			for do := range work {
				if failed[i] == nil {
					failed[i] = safely(func() error { return do(thing) })
				}
			}
		})
	}
	err := feed(func(do func(T) error) { work <- do })
	close(work)
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
