// Package cores shares work among the cores.
package cores

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls a function for every number below n, on all cores, and returns when
// all are done. Each core begins with a function of its own, which may keep what
// it needs from one number to the next. A panic is one of the caller.
func Each(n int, begin func() func(i int)) {
	if n <= 0 {
		return
	}
	var next atomic.Int64
	work := func() {
		do := begin()
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var failed atomic.Value
	var others sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		others.Go(func() {
			defer func() {
				if p := recover(); p != nil { // it would end the program here
					failed.CompareAndSwap(nil, fmt.Sprintf("%v\n%s", p, debug.Stack()))
				}
			}()
			work()
		})
	}
	func() {
		defer others.Wait()
		work()
	}()
	if p := failed.Load(); p != nil {
		panic(p)
	}
}
