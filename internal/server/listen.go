package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"
)

// Limits of connections. Requests have no body, so they are short to read.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	idleTimeout   = 60 * time.Second
	maxHeader     = 64 << 10
	// maxStreams is how many requests a connection of HTTP/2 may have under way.
	maxStreams = 100
)

// Listen opens the address that the server will answer on; flag is where it was
// named.
func Listen(address, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use: stop the other program or choose another address with %s", address, flag)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w (write host and port, such as 127.0.0.1:8080)", address, err)
	}
	return l, nil
}

// Serving is how a handler is reached.
type Serving struct {
	Handler http.Handler
	Log     *slog.Logger
	// Answer is the longest time from a request to the first byte of its answer.
	Answer time.Duration
	// Drain is how long requests under way have when the server stops.
	Drain time.Duration
	// Connections bounds them and counts; nil: there may be any number.
	Connections *Connections
	// Certificate makes it HTTPS and HTTP/2.
	Certificate *Certificate
	// Stopping, if there is one, is called when no new request is taken any more.
	Stopping func()
	// Hurry, if there is one, cuts requests under way while the server stops.
	Hurry <-chan os.Signal
}

// Serve answers on a listener until the context ends, then lets requests that
// are under way finish.
func Serve(ctx context.Context, l net.Listener, s Serving) error {
	if s.Connections == nil {
		s.Connections = &Connections{}
	}
	srv := s.server()
	l = s.Connections.limit(l)
	failed := make(chan error, 1)
	go func() {
		if s.Certificate != nil {
			failed <- srv.ServeTLS(l, "", "")
			return
		}
		failed <- srv.Serve(l)
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	if s.Stopping != nil {
		s.Stopping()
	}
	return s.drain(context.WithoutCancel(ctx), srv)
}

func (s Serving) server() *http.Server {
	srv := &http.Server{
		Handler:                      s.Connections.mark(s.Handler),
		ReadHeaderTimeout:            headerTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 s.Answer + sendTime,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
		ConnState:                    s.Connections.changed,
		ConnContext:                  s.Connections.context,
		HTTP2:                        &http.HTTP2Config{MaxConcurrentStreams: maxStreams, SendPingTimeout: idleTimeout, WriteByteTimeout: pieceTime},
	}
	if s.Certificate != nil {
		srv.TLSConfig = s.Certificate.config()
	}
	return srv
}

// errHurry ends a drain before its time.
var errHurry = errors.New("a second signal came")

// drain waits for requests under way, and cuts those that take too long.
func (s Serving) drain(ctx context.Context, srv *http.Server) error {
	ctx, cancel := context.WithTimeoutCause(ctx, s.Drain, fmt.Errorf("not answered within %s", s.Drain))
	defer cancel()
	ctx, hurry := context.WithCancelCause(ctx)
	defer hurry(nil)
	go func() {
		select {
		case <-s.Hurry:
			s.Log.Warn("a second signal: stopping at once", "requests", s.Connections.Figures().Answering)
			hurry(errHurry)
		case <-ctx.Done():
		}
	}()
	err := srv.Shutdown(ctx)
	if ctx.Err() == nil || err == nil {
		return err
	}
	left := s.Connections.Figures().Answering
	srv.Close()
	switch left {
	case 0:
		return nil // connections on which nothing was asked
	case 1:
		return fmt.Errorf("1 request was cut: %w", context.Cause(ctx))
	}
	return fmt.Errorf("%d requests were cut: %w", left, context.Cause(ctx))
}
