// Command sightline is the whole product: the API server, the loader, the
// catalog and its keys, and a demo, as subcommands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/sightline-hq/sightline/internal/show"
)

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals...)
	code := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// usageError is a command line that was written wrongly.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// run is the program with everything it takes from the world made visible.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{getenv: getenv, stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	var told toldError
	if errors.As(err, &told) {
		return exitFailed
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = errors.New("stopped")
	}
	safe := show.NewSafe(stderr) // an error may quote what came from outside
	fmt.Fprintln(safe, "sightline:", strings.TrimPrefix(err.Error(), "sightline "))
	safe.Flush()
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}
