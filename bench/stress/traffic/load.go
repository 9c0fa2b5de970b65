package traffic

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/sightline-hq/sightline/bench/stress/world"
)

// Load asks questions at a steady rate, whether or not the answers keep up, and
// holds every answer to what is expected. An answer's time counts from when its
// question was due.
type Load struct {
	Address   string
	Keys      map[*world.Team]string
	Expected  *Expected
	Clock     *Clock
	PerSecond float64
	Callers   int
	Seed      uint64
}

// Outcome is how the answers came.
type Outcome struct {
	Quiet, Busy []time.Duration // busy: while a publish was going on
	States      map[int]int     // how many answers showed each state
}

// fresh is how many questions of a hundred have not been asked before, so that
// the server must look into its data.
const fresh = 50

// Run asks until the context ends, and returns at the first answer that is wrong.
func (l *Load) Run(ctx context.Context) (Outcome, error) {
	stop, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	due := make(chan time.Time, 1<<16)
	go func() {
		defer close(due)
		started := time.Now()
		for n := 0; ; n++ {
			at := started.Add(time.Duration(float64(n) / l.PerSecond * float64(time.Second)))
			select {
			case <-ctx.Done():
				return
			case <-stop.Done():
				return
			case <-time.After(time.Until(at)):
				due <- at
			}
		}
	}()
	total := Outcome{States: make(map[int]int)}
	var mu sync.Mutex
	var callers sync.WaitGroup
	for i := range l.Callers {
		callers.Go(func() {
			c := &caller{load: l, random: rand.New(rand.NewPCG(l.Seed, uint64(i))), number: i}
			c.client = &http.Client{Transport: &http.Transport{DisableCompression: true}, Timeout: time.Minute}
			defer c.client.CloseIdleConnections()
			out, err := c.run(stop, due)
			if err != nil {
				cancel(err)
			}
			mu.Lock()
			defer mu.Unlock()
			total.add(out)
		})
	}
	callers.Wait()
	return total, context.Cause(stop)
}

func (o *Outcome) add(other Outcome) {
	o.Quiet = append(o.Quiet, other.Quiet...)
	o.Busy = append(o.Busy, other.Busy...)
	for state, n := range other.States {
		o.States[state] += n
	}
}

// caller asks one question after the other over one connection.
type caller struct {
	load   *Load
	client *http.Client
	random *rand.Rand
	number int
	asked  int
	seen   int // the state of the last answer: none may be older
}

func (c *caller) run(ctx context.Context, due <-chan time.Time) (out Outcome, err error) {
	out.States = make(map[int]int)
	for at := range due {
		if ctx.Err() != nil {
			return out, nil
		}
		if err := c.one(ctx, at, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (c *caller) one(ctx context.Context, due time.Time, out *Outcome) error {
	e := c.load.Expected
	n := c.random.IntN(len(e.Questions))
	q := e.Questions[n]
	second := 0
	if c.random.IntN(100) < fresh {
		c.asked++
		second = 1 + c.asked*c.load.Callers + c.number
	}
	asked := time.Now()
	body, err := ask(ctx, c.client, c.load.Address, q.Target(second), c.load.Keys[q.Team])
	if err != nil {
		return err
	}
	given := time.Now()
	first, last, busy := c.load.Clock.bounds(asked, given)
	state, ok := e.find(n, body, max(first, c.seen), last)
	if !ok {
		other, elsewhere := e.find(n, body, 0, e.States())
		return fmt.Errorf("%s: the answer is none of states %d to %d (seen %d; is that of state %d: %t): %.300s", q.Path, first, last, c.seen, other, elsewhere, body)
	}
	c.seen = state
	out.States[state]++
	if took := given.Sub(due); busy {
		out.Busy = append(out.Busy, took)
	} else {
		out.Quiet = append(out.Quiet, took)
	}
	return nil
}

// Percentile returns the time that a part of all answers did not exceed.
func Percentile(times []time.Duration, part float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}
