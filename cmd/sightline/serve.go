package main

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/sightline-hq/sightline/internal/logs"
	"github.com/sightline-hq/sightline/internal/peer"
)

// minMemory is what a server needs to answer at all.
const minMemory = 128 << 20

// serveOptions are the flags of serve.
type serveOptions struct {
	listen      string
	timeout     time.Duration
	queries     int
	queue       int
	patience    time.Duration
	memory      byteSize
	noCache     bool
	timing      bool
	logRequests bool
	logFormat   string
	logLevel    string
	connections int
	drain       time.Duration
	doors
}

// doors are the flags of serve alone: how it is reached from a network.
type doors struct {
	admin           string
	tlsCert, tlsKey string
	proxies         []string
	trusted         peer.Proxies
}

func (o *serveOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:8080", "address to answer on")
	f.DurationVar(&o.timeout, "query-timeout", 30*time.Second, "longest time that a report may take")
	f.IntVar(&o.queries, "max-queries", runtime.GOMAXPROCS(0), "reports that run at once; others wait")
	f.IntVar(&o.queue, "max-queue", 32*runtime.GOMAXPROCS(0), "reports that wait; further ones are turned away with 503")
	f.DurationVar(&o.patience, "max-wait", 5*time.Second, "longest time that a report waits for its turn")
	o.memory = 1 << 30
	f.Var(&o.memory, "memory", "memory to use, for the engine, remembered answers and the rest together")
	f.BoolVar(&o.noCache, "no-cache", false, "remember no answers: every request is answered anew")
	f.BoolVar(&o.timing, "timing", false, "say in the header Server-Timing how long each report took, without HTTP and JSON")
	f.BoolVar(&o.logRequests, "log-requests", false, "log every request, also those refused with 400 and 401, with the reason; the same as --log-level debug")
	f.StringVar(&o.logFormat, "log-format", logs.Formats[0], "text or json")
	f.StringVar(&o.logLevel, "log-level", logs.Levels[0], "least that is logged: debug, info, warn or error")
	f.IntVar(&o.connections, "max-connections", 2000, "connections at once; for further ones the slowest without an answer under way make room")
	f.DurationVar(&o.drain, "drain-timeout", 0, "longest time that requests under way have to end when the server stops; at least --query-timeout (default --query-timeout, --max-wait and 25s together)")
}

func (d *doors) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&d.admin, "admin", "", "`ADDRESS` for /livez, /readyz and /metrics, such as 127.0.0.1:9081 (default none)")
	f.StringVar(&d.tlsCert, "tls-cert", "", "`FILE` with a certificate and its chain, to answer HTTPS; read again when it changes")
	f.StringVar(&d.tlsKey, "tls-key", "", "`FILE` with the key of that certificate")
	f.StringSliceVar(&d.proxies, "trusted-proxy", nil, "`ADDRESS` or network of a proxy whose X-Forwarded-For is believed, where wrong keys are counted by address; may be repeated")
}

func (d *doors) check() (err error) {
	if (d.tlsCert == "") != (d.tlsKey == "") {
		return usageError{errors.New("--tls-cert and --tls-key belong together: name both, or none")}
	}
	if d.trusted, err = peer.ParseProxies(d.proxies); err != nil {
		return usageError{fmt.Errorf("--trusted-proxy %w", err)}
	}
	return nil
}

func (o *serveOptions) check() error {
	if o.queries < 1 || o.queue < 1 {
		return usageError{errors.New("--max-queries and --max-queue must be at least 1")}
	}
	if o.memory < minMemory {
		return usageError{fmt.Errorf("--memory must be at least %s", size(minMemory))}
	}
	if o.timeout <= 0 || o.patience < 0 {
		return usageError{errors.New("--query-timeout and --max-wait must be longer than zero")}
	}
	if o.connections < 1 {
		return usageError{errors.New("--max-connections must be at least 1")}
	}
	if o.drain == 0 {
		o.drain = o.timeout + o.patience + drainMargin
	}
	if o.drain < o.timeout {
		return usageError{fmt.Errorf("--drain-timeout must be at least --query-timeout (%s): reports would be cut when the server stops", o.timeout)}
	}
	if err := checkAddress("--listen", o.listen); err != nil {
		return err
	}
	if o.admin != "" {
		if err := checkAddress("--admin", o.admin); err != nil {
			return err
		}
		if sameAddress(o.listen, o.admin) {
			return usageError{fmt.Errorf("--listen %s and --admin %s name one address: choose another port for one of them", o.listen, o.admin)}
		}
	}
	return o.doors.check()
}

// drainMargin is for the way of an answer to its caller.
const drainMargin = 25 * time.Second

func (a *app) serve() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:   "serve",
		Short: "Answer the API from the data directory",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return a.runServer(c.Context(), o, func(net.Addr) {})
		},
	}
	o.flags(c)
	o.doors.flags(c)
	a.factsFlag(c)
	return c
}
