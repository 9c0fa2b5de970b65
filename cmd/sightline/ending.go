package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"syscall"
)

// stopSignals end the program in good order.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// toldError is in the log already, and decides the exit code alone.
type toldError struct{ error }

func (e toldError) Unwrap() error { return e.error }

// ended is the last that a server tells: that it has stopped, or why it could not
// go on. Whoever reads the log as JSON meets nothing else.
func ended(ctx context.Context, o serveOptions, log *slog.Logger, err error) error {
	var usage usageError
	switch {
	case err == nil:
		log.Info("stopped")
		return nil
	case errors.As(err, &usage):
		return err
	case ctx.Err() != nil:
		log.Error("stopped", "error", err)
		return toldError{err}
	case o.logFormat == "json":
		log.Error("the server cannot run", "error", err)
		return toldError{err}
	}
	return err
}
