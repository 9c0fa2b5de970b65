package admin

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sightline-hq/sightline/internal/facts"
)

// scrapeTime is how long the parts may take to tell their figures.
const scrapeTime = 5 * time.Second

// figures are read when they are asked for.
type figures struct{ admin *Admin }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("sightline_"+name, help, labels, nil)
}

var (
	build       = describe("build_info", "The program's version.", "version")
	running     = describe("queries_running", "Reports that run now.")
	waiting     = describe("queries_waiting", "Reports that wait for their turn now.")
	turnedAway  = describe("queries_turned_away_total", "Reports that were answered with 503 because too many ran and waited.")
	cacheHits   = describe("cache_hits_total", "Reports that were known, or were being asked already.")
	cacheMisses = describe("cache_misses_total", "Reports that had to be asked.")
	cacheBytes  = describe("cache_bytes", "Size of the reports that are remembered.")
	refused     = describe("failed_authentications_total", "Requests that were answered with 401, by reason: no_key, wrong_key, wrong_product.", "reason")
	slowed      = describe("failed_authentications_slowed", "Answers to wrong keys that are held back now.")
	openConns   = describe("connections_open", "Connections to the API.")
	evicted     = describe("connections_evicted_total", "Connections that were closed, with nothing being answered on them, to make room for others.")
	noRoom      = describe("connections_refused_total", "Connections that were closed at once, because something was being answered on all others.")
	memory      = describe("engine_memory_bytes", "Memory that the engine has taken; 0 if it is another process.")
	version     = describe("facts_version", "Version of the facts that are reported on.")
	catalogs    = describe("catalog_version", "Version of the catalog in use.")
	age         = describe("newest_event_age_seconds", "How long ago the newest event happened, by kind.", "kind")
	checkOK     = describe("check_ok", "Whether what /readyz looks at is well (1) or not (0).", "check")
	expires     = describe("certificate_expiry_timestamp_seconds", "When the certificate of the API expires.")
)

// Describe implements prometheus.Collector: an unchecked one, since some figures
// are not always there.
func (f *figures) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (f *figures) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	p := &f.admin.parts
	s, c := p.Server(), p.Connections()
	gauge(build, 1, p.Version)
	gauge(running, float64(s.Running))
	gauge(waiting, float64(s.Waiting))
	counter(turnedAway, s.TurnedAway)
	counter(cacheHits, s.CacheHits)
	counter(cacheMisses, s.CacheMisses)
	gauge(cacheBytes, float64(s.CacheBytes))
	counter(refused, s.NoKeys, "no_key")
	counter(refused, s.WrongKeys, "wrong_key")
	counter(refused, s.WrongProducts, "wrong_product")
	gauge(slowed, float64(s.Slowed))
	gauge(openConns, float64(c.Open))
	counter(evicted, c.Evicted)
	counter(noRoom, c.Refused)
	gauge(catalogs, float64(p.Catalog()))
	if p.Certificate != nil {
		gauge(expires, float64(p.Certificate().Unix()))
	}
	for _, found := range f.admin.check(ctx) {
		ok := 0.0
		if found.err == nil {
			ok = 1
		}
		gauge(checkOK, ok, found.name)
	}
	f.facts(ctx, gauge)
}

// facts tells of them what can be read.
func (f *figures) facts(ctx context.Context, gauge func(*prometheus.Desc, float64, ...string)) {
	set, err := f.admin.parts.Facts.Acquire()
	if err != nil {
		return // the check says so
	}
	defer set.Close()
	gauge(version, float64(set.Version()))
	taken := int64(0)
	if engine, ok := set.(facts.MemoryUser); ok {
		taken, err = engine.MemoryBytes(ctx)
	}
	if err == nil {
		gauge(memory, float64(taken))
	}
	seconds, err := f.admin.parts.Newest(ctx)
	if err != nil {
		return
	}
	for kind, second := range seconds {
		gauge(age, time.Since(time.Unix(second, 0)).Seconds(), string(kind))
	}
}
