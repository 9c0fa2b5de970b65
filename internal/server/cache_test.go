package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func text(s string) *reply { return &reply{body: body{[]byte(s)}} }

// asks makes a question that counts how often it is asked.
func asks(n *int, answer string, err error) func() asking {
	return func() asking {
		return func(context.Context) (*reply, error) {
			*n++
			return text(answer), err
		}
	}
}

func TestAnAnswerIsRememberedAndAnErrorIsNot(t *testing.T) {
	c := newCache(1 << 20)
	asked := 0
	for range 3 {
		if r, err := c.get(t.Context(), "key", asks(&asked, "a", nil)); err != nil || string(r.body[0]) != "a" {
			t.Fatal(r, err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	for range 3 {
		if _, err := c.get(t.Context(), "bad", asks(&asked, "", errors.New("no"))); err == nil {
			t.Fatal("an error is lost")
		}
	}
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
}

func TestMemoryIsBoundedAndTheLeastUsedGoes(t *testing.T) {
	const entry = 1000 + overhead + 3
	c := newCache(10 * entry)
	asked := 0
	get := func(i int) {
		c.get(t.Context(), fmt.Sprintf("k%02d", i), asks(&asked, strings.Repeat("x", 1000), nil))
	}
	for i := range 10 {
		get(i)
	}
	get(0) // used again
	get(10)
	if c.replies.Cost() != 10*entry {
		t.Errorf("%d bytes, want %d", c.replies.Cost(), 10*entry)
	}
	before := asked
	get(0)
	if asked != before {
		t.Error("the one that was used again is gone")
	}
	if get(1); asked != before+1 {
		t.Error("the one that was not used for longest is still there")
	}
	c.get(t.Context(), "huge", asks(&asked, strings.Repeat("x", 9*entry), nil))
	if c.replies.Cost() != 10*entry {
		t.Error("one huge answer pushed out the others")
	}
}

func TestEqualQuestionsInFlightAreAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(0)
		asked := 0
		slow := func() asking {
			return func(context.Context) (*reply, error) {
				asked++
				time.Sleep(time.Second)
				return text("a"), nil
			}
		}
		first, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := c.get(first, "key", slow); !errors.Is(err, context.Canceled) {
				t.Errorf("the caller who left: %v", err)
			}
		})
		synctest.Wait()
		for range 9 {
			wg.Go(func() {
				if r, err := c.get(t.Context(), "key", slow); err != nil || string(r.body[0]) != "a" {
					t.Error(r, err)
				}
			})
		}
		synctest.Wait()
		cancel() // the first caller leaves, the others still get their answer
		wg.Wait()
		if asked != 1 || len(c.flights) != 0 {
			t.Errorf("asked %d times, %d in flight", asked, len(c.flights))
		}
	})
}

func TestAQuestionThatNobodyWaitsForIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(1 << 20)
		var stopped atomic.Bool
		ctx, cancel := context.WithCancel(t.Context())
		go c.get(ctx, "key", func() asking {
			return func(ctx context.Context) (*reply, error) {
				<-ctx.Done()
				time.Sleep(500 * time.Millisecond) // as an engine does
				stopped.Store(true)
				return nil, ctx.Err()
			}
		})
		synctest.Wait()
		cancel()
		synctest.Wait()
		// Who asks now does not get the dying flight's error.
		if r, err := c.get(t.Context(), "key", asks(new(int), "b", nil)); err != nil || string(r.body[0]) != "b" {
			t.Error(r, err)
		}
		time.Sleep(time.Second)
		if !stopped.Load() || len(c.flights) != 0 {
			t.Errorf("stopped: %t, %d in flight", stopped.Load(), len(c.flights))
		}
		if r, _ := c.get(t.Context(), "key", asks(new(int), "c", nil)); string(r.body[0]) != "b" {
			t.Errorf("remembered %s", r.body)
		}
	})
}

func TestAPanicIsAnError(t *testing.T) {
	_, err := newCache(0).get(t.Context(), "key", func() asking {
		return func(context.Context) (*reply, error) { panic("engine on fire") }
	})
	if err == nil || !strings.Contains(err.Error(), "engine on fire") {
		t.Error(err)
	}
}
