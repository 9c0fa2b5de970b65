package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Limits of connections. Requests have no body, so they are short to read.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	idleTimeout   = 60 * time.Second
	maxHeader     = 64 << 10
	// drainTime is how long requests in flight have when the server stops.
	drainTime = 20 * time.Second
)

// Listen opens the address that the server will answer on.
func Listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use: stop the other program or choose another address with --listen", address)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w (write host and port, such as 127.0.0.1:8080)", address, err)
	}
	return l, nil
}

// Serve answers on a listener until the context ends, then lets requests in
// flight finish.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, writeTimeout time.Duration, log *slog.Logger) error {
	srv := &http.Server{
		Handler:                      handler,
		ReadHeaderTimeout:            headerTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	return srv.Shutdown(ctx)
}
