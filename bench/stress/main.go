// Command stress puts the real program under stress and says whether it held:
//
//	stress fuzz      random requests, valid and broken
//	stress publish   loads that publish while requests run
//	stress soak      hours of requests, loads, key changes and applies
//	stress overload  ten times more requests than can run
//
// It prints what it measured, and fails if a promise was not kept.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// options are the flags; each command takes those that it needs.
type options struct {
	program     string
	seed        uint64
	requests    int64
	connections int
	publishes   int
	duration    time.Duration
	rate        float64
	visits      int
	answers     int
	logRequests bool
	slack       float64
	factor      float64
	every       time.Duration
}

var commands = map[string]func(context.Context, io.Writer, options) error{
	"fuzz":     fuzzing,
	"publish":  publishing,
	"soak":     soaking,
	"overload": overloading,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "stress:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 || commands[args[0]] == nil {
		return fmt.Errorf("name one of fuzz, publish, soak, overload")
	}
	var o options
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	f.StringVar(&o.program, "program", "bin/sightline", "the program, as make build makes it")
	f.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "of everything that is random")
	f.Int64Var(&o.requests, "requests", 1_000_000, "to send")
	f.IntVar(&o.connections, "connections", 12, "at once")
	f.IntVar(&o.publishes, "publishes", 100, "loads, spread over the duration")
	f.DurationVar(&o.duration, "duration", 30*time.Minute, "of the load")
	f.Float64Var(&o.rate, "rate", 100, "requests a second")
	f.IntVar(&o.visits, "visits", 40_000, "loaded before")
	f.IntVar(&o.answers, "answers", 8_000, "loaded before")
	f.BoolVar(&o.logRequests, "log-requests", false, "have the server log every request, and look for keys in its log")
	f.Float64Var(&o.slack, "slack", 24, "MB that memory may grow by without being a leak")
	f.Float64Var(&o.factor, "factor", 2, "times that p99 may grow while a load publishes; 0: any")
	f.DurationVar(&o.every, "every", 20*time.Second, "time from one change to the next")
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	fmt.Fprintf(out, "seed %d\n", o.seed)
	return commands[args[0]](ctx, out, o)
}
