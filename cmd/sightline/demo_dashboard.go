package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/sightline-hq/sightline/internal/server"
	"github.com/sightline-hq/sightline/web"
)

const demoPages = "127.0.0.1:8090"

// demoListen opens the address of the demo's dashboard. If the default is taken,
// any other will do: nobody asked for that one.
func demoListen(address string) (net.Listener, error) {
	if !loopbackOnly(address) {
		return nil, usageError{fmt.Errorf("--dashboard %s is open to a network, and the demo's dashboard has no password: choose an address such as %s", address, demoPages)}
	}
	l, err := server.Listen(address, "--dashboard")
	if err != nil && address == demoPages {
		return server.Listen("127.0.0.1:0", "--dashboard")
	}
	return l, err
}

// moved says that the dashboard is not where the documents say it is.
func moved(pages string, at net.Addr) string {
	if pages != demoPages || at.String() == demoPages {
		return ""
	}
	return " (" + demoPages + " is taken by another program; choose an address with --dashboard)"
}

// demoDashboard shows the pages until the context ends. The returned function
// waits for that.
func (a *app) demoDashboard(ctx context.Context, l net.Listener, pages, base, key string) (wait func() error) {
	log := slog.New(slog.NewTextHandler(a.stderr, nil))
	d, err := web.New(web.Options{BaseURL: base, APIKey: key, Version: version, Log: log, Now: time.Now})
	if err != nil {
		return func() error { return err }
	}
	fmt.Fprintf(a.stdout, "The dashboard:     http://%s%s\n", l.Addr(), moved(pages, l.Addr()))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l, dashboardServing(d, log)) }()
	return func() error { return <-ended }
}
