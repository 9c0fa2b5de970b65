package ingest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/sightline-hq/sightline/internal/accesslog"
	"github.com/sightline-hq/sightline/internal/catalog"
	"github.com/sightline-hq/sightline/internal/facts"
)

// LogOptions say what a log does not.
type LogOptions struct {
	Format  accesslog.Format // nil: recognised from the first lines
	Layout  accesslog.Layout // what an earlier piece of a stream has said of the lines after it
	Website string           // id of the website; empty: found by the log's host
}

// Reasons of logs that are counted.
const (
	droppedHost   = "host that is no website of the workspace"
	droppedTarget = "request for no page"
	noHost        = "no host in the log"
)

// logs finds the format of a log and makes its language.
func (j *Job) logs(start []byte, summary *Summary) (language, error) {
	format := j.Log.Format
	if format == nil {
		if err := wrongSource(start, Logs); err != nil {
			return nil, err
		}
		var err error
		if format, err = accesslog.Detect(bytes.Split(start, []byte("\n"))); err != nil {
			return nil, err
		}
	}
	if missed := accesslog.Missed(format, bytes.Split(start, []byte("\n"))); len(missed) > 0 && j.Log.Layout == nil {
		return nil, fmt.Errorf("none of the first lines has %s: mend the field map", strings.Join(missed, ", "))
	}
	summary.Formats = append(summary.Formats, format.Name())
	layout := format.Layout()
	if j.Log.Layout != nil {
		layout = j.Log.Layout
	}
	l := &logs{format: format, layout: layout, visits: j.visits(), hosts: hosts(j.Catalog)}
	j.last = l
	return l, l.settle(j.Catalog, j.Log.Website)
}

// LogNow is how the log went on: for the next piece of a stream.
func (j *Job) LogNow() LogOptions {
	if j.last == nil {
		return j.Log
	}
	return LogOptions{Format: j.last.format, Layout: j.last.layout, Website: j.Log.Website}
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
	lines
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

// directive finds a line that begins with #, in the format that has them.
func (l *logs) directive(text []byte) (before, size int, err error) {
	if l.format.Layout() != nil {
		return len(text), 0, nil
	}
	for before < len(text) {
		if text[before] != '#' {
			next := bytes.Index(text[before:], []byte("\n#"))
			if next < 0 {
				break
			}
			before += next + 1
		}
		line := firstLine(text[before:])
		size := min(len(line)+1, len(text)-before)
		layout, directive, err := l.format.Directive(line)
		if layout != nil {
			l.layout = layout
		}
		if directive || err != nil {
			return before, size, err
		}
		before += size
	}
	return len(text), 0, nil
}

// reader reads with the layout that holds now.
func (l *logs) reader() reader {
	now := *l
	return &now
}

func (l *logs) read(text []byte, d *desk, r *results) {
	if l.layout == nil {
		r.reject("line before #Fields", "")
		return
	}
	for entry := range accesslog.Entries(text) {
		l.entry(l.layout.Parse(entry, &d.hit), d, r)
	}
}

func (l *logs) entry(err error, d *desk, r *results) {
	h := &d.hit
	if err != nil {
		var skip *accesslog.Skip
		var bad *accesslog.Bad
		switch {
		case errors.As(err, &skip):
			r.drop(skip.Reason)
		case errors.As(err, &bad):
			r.reject(bad.Reason, "%s", bad.Detail)
		}
		return
	}
	if h.Second < facts.FirstSecond || h.Second > facts.LastSecond {
		r.reject(badTime, "not between 2000 and 2100")
		return
	}
	website, host := l.find(h, d, r)
	if website == nil {
		return
	}
	page, err := d.pages.of(h.Target, newPage)
	if err != nil { // any client can ask for anything
		r.drop(droppedTarget)
		return
	}
	hit := hit{
		second: h.Second, websiteID: website.ID, host: host, page: page, method: method(h.Method), status: h.Status,
		agent: l.visits.agent(h.UserAgent, d), referrer: l.visits.referrer(h.Referrer, d),
	}
	if hit.id = string(h.ID); len(h.ID) > maxIDBytes {
		sum := sha256.Sum256(h.ID)
		hit.id = hex.EncodeToString(sum[:])
	}
	hit.ip = address(h.IP)
	l.visits.judge(&hit, d, r)
}

// method spares making a string of the two that matter.
func method(b []byte) string {
	switch string(b) {
	case "GET":
		return "GET"
	case "HEAD":
		return "HEAD"
	}
	return string(b)
}

// address reads an address; a name instead of one tells nobody apart.
func address(text []byte) netip.Addr {
	var ip netip.Addr
	ip.UnmarshalText(text)
	return ip
}

// find says whose website a hit is on, and on which host.
func (l *logs) find(h *accesslog.Hit, d *desk, r *results) (*catalog.Website, string) {
	if l.website != nil && len(h.Host) == 0 {
		return l.website, l.website.Domain
	}
	if len(h.Host) == 0 {
		r.reject(noHost, "name the website with --website")
		return nil, ""
	}
	host, _ := d.hosts.of(h.Host, newHost)
	if l.website != nil {
		if host.domain != "" && host.domain != l.website.Domain {
			r.others++
		}
		return l.website, cmp.Or(host.domain, l.website.Domain)
	}
	w, known := l.hosts[host.domain]
	switch {
	case !known:
		r.drop(droppedHost)
	case w == nil:
		r.reject("host of several websites", "%s: name the website with --website", host.domain)
	}
	return w, host.domain
}
