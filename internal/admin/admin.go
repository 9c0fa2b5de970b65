// Package admin is the port for whoever runs a server: whether it lives, whether
// it is ready, and its figures. It is not for callers, and asks for no key.
package admin

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/server"
)

// Parts are what the port tells of.
type Parts struct {
	Version string // of the program
	// Checks decide whether the server is ready, and are listed in their order.
	Checks []Check
	Server func() server.Figures
	// Connections are those of the API.
	Connections func() server.ConnectionFigures
	// Catalog is the version of the catalog in use.
	Catalog func() int64
	Facts   facts.Source
	// Newest are the seconds of the newest events, by kind.
	Newest func(context.Context) (map[facts.Kind]int64, error)
	// Certificate is when the one in use expires; nil: there is none.
	Certificate func() time.Time
}

// Admin answers on the port.
type Admin struct {
	parts    Parts
	stopping atomic.Bool
	metrics  *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
}

// latencies are the bounds of the histogram: from remembered answers to the
// default of --query-timeout.
var latencies = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// New makes one. It does nothing yet.
func New(parts Parts) *Admin {
	a := &Admin{
		parts:   parts,
		metrics: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "sightline_http_requests_total",
			Help: "Requests by route and status. 499 is a caller who left before the answer was complete.",
		}, []string{"route", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "sightline_http_request_duration_seconds",
			Help:    "Time from a request to the end of its answer, by route.",
			Buckets: latencies,
		}, []string{"route"}),
	}
	a.metrics.MustRegister(a.requests, a.latency, &figures{admin: a},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return a
}

// Observe counts a request. A path that is none has no route, so that nobody can
// make up routes.
func (a *Admin) Observe(route string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	a.requests.WithLabelValues(route, fmt.Sprint(status)).Inc()
	a.latency.WithLabelValues(route).Observe(took.Seconds())
}

// Stop makes the server count as not ready: it takes no new requests.
func (a *Admin) Stop() { a.stopping.Store(true) }

// Handler returns the three pages.
func (a *Admin) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "alive\n") })
	mux.HandleFunc("GET /readyz", a.ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.metrics, promhttp.HandlerOpts{
		MaxRequestsInFlight: 4, Timeout: 10 * time.Second, ErrorHandling: promhttp.ContinueOnError,
	}))
	return mux
}

func say(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	fmt.Fprint(w, text)
}
