package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sightline-hq/sightline/internal/accesslog"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/weburl"
)

// LogOptions say what a log does not.
type LogOptions struct {
	Format  accesslog.Format // nil: recognised from the first lines
	Website string           // id of the website; empty: found by the log's host
}

// Reasons of logs that are counted.
const (
	droppedHost = "host that is no website of the workspace"
	noHost      = "no host in the log"
)

// logs finds the format of a log and makes its language.
func (j *Job) logs(start []byte, summary *Summary) (language, error) {
	format := j.Log.Format
	if format == nil {
		var err error
		if format, err = accesslog.Detect(bytes.Split(start, []byte("\n"))); err != nil {
			return nil, err
		}
	}
	summary.Formats = append(summary.Formats, format.Name())
	l := &logs{format: format, layout: format.Layout(), visits: j.visits(), hosts: hosts(j.Catalog)}
	return l, l.settle(j.Catalog, j.Log.Website)
}

// settle finds the one website of the log, if there is only one.
func (l *logs) settle(c *catalog.Snapshot, id string) error {
	var ids []string
	for _, p := range c.Products() {
		for _, w := range p.Websites {
			ids = append(ids, w.ID)
			if w.ID == id || id == "" && l.format.Name() == "combined" {
				l.website = w
			}
		}
	}
	slices.Sort(ids)
	choice := strings.Join(ids, ", ")
	switch {
	case id != "" && l.website == nil:
		return fmt.Errorf("website %s is not in the workspace: it has %s", id, choice)
	case id == "" && l.website != nil && len(ids) > 1:
		return fmt.Errorf("a combined log does not name the host: say which website it is with --website (%s)", choice)
	}
	return nil
}

// logs reads access logs. A W3C log says in directives what its lines hold.
type logs struct {
	format  accesslog.Format
	layout  accesslog.Layout
	visits  visits
	website *catalog.Website // of all lines, if it was given
	hosts   map[string]*catalog.Website
}

// hosts are the websites by domain; one that several share is nobody's.
func hosts(c *catalog.Snapshot) map[string]*catalog.Website {
	all := make(map[string]*catalog.Website)
	for _, p := range c.Products() {
		for _, w := range p.Websites {
			if _, shared := all[w.Domain]; shared {
				all[w.Domain] = nil
				continue
			}
			all[w.Domain] = w
		}
	}
	return all
}

func (l *logs) directive(text []byte) (bool, error) {
	layout, directive, err := l.format.Directive(text)
	if layout != nil {
		l.layout = layout
	}
	return directive, err
}

func (l *logs) parser() parser {
	layout := l.layout
	return func(text []byte, add func(outcome)) {
		if layout == nil {
			add(reject("line before #Fields", ""))
			return
		}
		h := hits.Get().(*accesslog.Hit)
		defer hits.Put(h)
		for entry := range accesslog.Entries(text) {
			add(l.outcome(layout.Parse(entry, h), h))
		}
	}
}

func (l *logs) outcome(err error, h *accesslog.Hit) outcome {
	var skip *accesslog.Skip
	var bad *accesslog.Bad
	switch {
	case errors.As(err, &skip):
		return outcome{dropped: skip.Reason}
	case errors.As(err, &bad):
		return reject(bad.Reason, "%s", bad.Detail)
	}
	website, o := l.find(h)
	if website == nil {
		return o
	}
	page, err := weburl.ParsePage(string(h.Target))
	if err != nil {
		return reject(badURL, "%s", err)
	}
	page.Host = weburl.BareDomain(string(h.Host))
	if page.Host == "" {
		page.Host = website.Domain
	}
	hit := hit{
		id: string(h.ID), second: h.Second, websiteID: website.ID, page: page, method: string(h.Method), status: h.Status,
		userAgent: readable(h.UserAgent), referrer: readable(h.Referrer),
	}
	hit.ip, _ = netip.ParseAddr(string(h.IP)) // a name instead of an address tells nobody apart
	return l.visits.outcome(&hit)
}

// hits are kept with their buffers from line to line.
var hits = sync.Pool{New: func() any { return new(accesslog.Hit) }}

// readable makes text of bytes that may not be valid UTF-8.
func readable(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(bytes.ToValidUTF8(b, []byte("\uFFFD")))
}

// find says whose website a hit is on.
func (l *logs) find(h *accesslog.Hit) (*catalog.Website, outcome) {
	if l.website != nil {
		return l.website, outcome{}
	}
	if len(h.Host) == 0 {
		return nil, reject(noHost, "name the website with --website")
	}
	domain := weburl.BareDomain(string(h.Host))
	w, known := l.hosts[domain]
	switch {
	case !known:
		return nil, outcome{dropped: droppedHost}
	case w == nil:
		return nil, reject("host of several websites", "%s: name the website with --website", domain)
	}
	return w, outcome{}
}
