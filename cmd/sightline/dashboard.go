package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/peer"
	"github.com/sightline-hq/sightline/internal/server"
	"github.com/sightline-hq/sightline/web"
)

// dashboardOptions are the flags of dashboard.
type dashboardOptions struct {
	listen, base, keyFile, passwordFile string
	proxyHeader                         string
	proxies                             []string
}

func (a *app) dashboard() *cobra.Command {
	var o dashboardOptions
	c := &cobra.Command{
		Use:   "dashboard",
		Short: "Show visibility, citations and traffic as web pages, as a client of any server",
		Long: `Serves web pages about the products that an API key sees. It is a client of a Sightline
server and needs nothing else: the key, from SIGHTLINE_API_KEY or a file, stays in this
process and never reaches a browser.

Without a password and without a trusted proxy it answers on loopback addresses only, and
then everyone on this machine can see it. The password comes from a file, or from
SIGHTLINE_DASHBOARD_PASSWORD. It does not speak HTTPS: put a proxy in front of it before
you open it to a network.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.runDashboard(c.Context(), o) },
	}
	f := c.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:8090", "`ADDRESS` to show the pages on")
	f.StringVar(&o.base, "base-url", "http://127.0.0.1:8080", "address of the Sightline server, a `URL`")
	f.StringVar(&o.keyFile, "api-key-file", "", "`FILE` with the API key (default: the variable SIGHTLINE_API_KEY)")
	f.StringVar(&o.passwordFile, "password-file", "", "`FILE` with the password that visitors need")
	f.StringVar(&o.proxyHeader, "trusted-proxy-header", "", "`HEADER` in which a proxy in front names who has signed in, such as X-Remote-User")
	f.StringSliceVar(&o.proxies, "trusted-proxy", nil, "`ADDRESS` or network of that proxy (default loopback), or, with a password, of one that says where visitors are; may be repeated")
	return c
}

func (a *app) runDashboard(ctx context.Context, o dashboardOptions) error {
	key, err := a.apiKey(o.keyFile)
	if err != nil {
		return err
	}
	access, err := a.dashboardAccess(o)
	if err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(o.listen); err != nil {
		return usageError{fmt.Errorf("--listen %s: write an address and a port, such as 127.0.0.1:8090", o.listen)}
	}
	if access.Open() && !loopbackOnly(o.listen) {
		return usageError{fmt.Errorf("--listen %s is open to a network: name a --password-file or a --trusted-proxy-header, or listen on 127.0.0.1", o.listen)}
	}
	log := slog.New(slog.NewTextHandler(a.stderr, nil))
	d, err := web.New(web.Options{BaseURL: o.base, APIKey: key, Access: access, Version: version, Log: log, Now: time.Now})
	if err != nil {
		return clientError(err)
	}
	listener, err := server.Listen(o.listen, "--listen")
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "The dashboard of %s is on http://%s. %s Stop it with Ctrl-C.\n", o.base, listener.Addr(), whoMaySee(access))
	return server.Serve(ctx, listener, dashboardServing(d, log))
}

// dashboardServing is how the dashboard is reached.
func dashboardServing(d *web.Dashboard, log *slog.Logger) server.Serving {
	return server.Serving{Handler: d.Handler(), Log: log, Answer: web.DefaultTimeout, Drain: web.DefaultTimeout}
}

func whoMaySee(access web.Access) string {
	switch {
	case access.Password != "":
		return "It asks for the password."
	case access.ProxyHeader != "":
		return "It lets in whom the proxy names in " + access.ProxyHeader + "."
	}
	return "Everyone on this machine can see it: it has no password."
}

func (a *app) dashboardAccess(o dashboardOptions) (access web.Access, err error) {
	access.ProxyHeader = o.proxyHeader
	if access.Proxies, err = peer.ParseProxies(o.proxies); err != nil {
		return access, usageError{fmt.Errorf("--trusted-proxy %w", err)}
	}
	access.Password = a.getenv("SIGHTLINE_DASHBOARD_PASSWORD")
	if o.passwordFile != "" {
		access.Password, err = a.readSecret("--password-file", o.passwordFile)
	}
	return access, err
}

// loopbackOnly tells whether an address can be reached from this machine alone.
func loopbackOnly(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
