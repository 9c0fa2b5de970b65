// Package server is HTTP and nothing else: it routes, authenticates, decodes,
// asks for a report, and writes the answer. Handlers return values and errors;
// one place writes both.
package server

import (
	"cmp"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/sightline-hq/sightline/api"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/peer"
	"github.com/sightline-hq/sightline/internal/report"
)

// Server answers the contract's routes.
type Server struct {
	// Catalog returns the catalog as it is now.
	Catalog func() *catalog.Snapshot
	Reports *report.Reports
	Log     *slog.Logger
	// Timeout ends a query that takes too long, with a 500.
	Timeout time.Duration
	// Queries is how many reports may run at once; Queue is how many further ones
	// may wait (0: a fitting number), and Patience how long, before they are turned
	// away with a 503.
	Queries  int
	Queue    int
	Patience time.Duration
	// Cache is how many bytes of answers are kept.
	Cache int64
	// Timing says in a header how long a report took, without HTTP and JSON.
	Timing bool

	// WrongKeys says when whoever tries keys is slowed down.
	WrongKeys Slowdown
	// Proxies are believed when they say where a request comes from.
	Proxies peer.Proxies
	// Observe, if there is one, is told of every request: its route, empty for
	// paths that are none, the status it ended with, and how long it took.
	Observe func(route string, status int, took time.Duration)

	gate      *gate
	cache     *cache
	wrongKeys *wrongKeys
	refused   refused

	toldOverload atomic.Int64 // when, in Unix seconds
}

// Handler returns the routes with everything around them.
func (s *Server) Handler() http.Handler {
	s.gate = newGate(s.Queries, cmp.Or(s.Queue, 32*s.Queries), s.Patience)
	s.cache = newCache(s.Cache)
	s.wrongKeys = newWrongKeys(s.WrongKeys, s.Log)
	mux := http.NewServeMux()
	handle := func(route string, e endpoint) { mux.Handle(route, s.answer(route, e)) }

	handle(api.RouteProducts, s.products)
	handle(api.RouteWebsites, s.websites)
	handle(api.RoutePrompts, s.prompts)
	handle(api.RoutePromptSummary, s.promptSummary)
	handle(api.RoutePromptDates, s.promptDates)
	handle(api.RouteCitations, s.citations)
	handle(api.RouteTimeseries, s.timeseries)

	mux.Handle("/openapi.yaml", document("application/yaml", api.OpenAPI))
	mux.Handle("/docs", document("text/html; charset=utf-8", docsPage()))

	return s.identify(s.recover(onlyClean(onlyGet(mux))))
}
