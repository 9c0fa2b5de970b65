package cores_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sightline-hq/sightline/internal/cores"
)

func TestEveryNumberIsDoneOnceOnAnyNumberOfCores(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
			for _, count := range []int{-1, 0, 1, n - 1, n, n + 1, 1000} {
				done, begun := make([]int, max(count, 0)), atomic.Int64{}
				cores.Each(count, func() func(int) {
					begun.Add(1)
					return func(i int) { done[i]++ }
				})
				for i, times := range done {
					if times != 1 {
						t.Errorf("%d of %d was done %d times", i, count, times)
					}
				}
				if most := int64(max(0, min(n, count))); begun.Load() > most {
					t.Errorf("%d functions for %d numbers on %d cores", begun.Load(), count, n)
				}
			}
		})
	}
}

func TestAPanicIsTheCallersAndEndsAllWork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for bad := range 20 {
		var running atomic.Int64
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "on fire") {
					t.Errorf("number %d: %v", bad, p)
				}
				if running.Load() != 0 {
					t.Errorf("%d still run", running.Load())
				}
			}()
			cores.Each(20, func() func(int) {
				return func(i int) {
					running.Add(1)
					defer running.Add(-1)
					if i == bad {
						panic("on fire")
					}
				}
			})
		}()
	}
}
