package agents

import (
	"strings"

	"github.com/sightline-hq/sightline/internal/weburl"
)

// site is what the referrer table says about a host.
type site struct {
	platform string     // of the whole host; empty where only paths count
	excluded bool       // not an AI platform, whatever lies above it
	paths    []sitePath // in the order of the table
}

type sitePath struct {
	prefix, platform string
}

func (t *Table) indexReferrers() {
	t.sites = make(map[string]*site)
	t.apps = make(map[string]string)
	t.sources = make(map[string]string)
	for _, r := range t.referrers {
		host, path, _ := strings.Cut(r.Value, "/")
		switch r.Kind {
		case KindHost:
			s := t.site(host)
			s.platform, s.excluded = r.Platform, false
		case KindHostPath:
			s := t.site(host)
			s.paths = append(s.paths, sitePath{"/" + strings.Trim(path, "/"), r.Platform})
		case KindExclude:
			s := t.site(host)
			s.platform, s.excluded = "", true
		case KindApp:
			t.apps[strings.ToLower(r.Value)] = r.Platform
		case KindUTMSource:
			t.sources[strings.ToLower(r.Value)] = r.Platform
		}
	}
}

func (t *Table) site(host string) *site {
	host = weburl.BareDomain(host)
	if t.sites[host] == nil {
		t.sites[host] = new(site)
	}
	return t.sites[host]
}

// ReferredBy returns the AI platform that sent a human, by the utm_source of
// the page's URL if that names one, else by the referrer.
func (t *Table) ReferredBy(utmSource, referrer string) (platform string, ok bool) {
	if utmSource != "" {
		if platform, ok = t.sources[strings.ToLower(strings.TrimSpace(utmSource))]; ok {
			return platform, true
		}
	}
	r, ok := weburl.ParseReferrer(referrer)
	if !ok {
		return "", false
	}
	if r.App {
		platform, ok = t.apps[r.Host]
		return platform, ok
	}
	return t.platformOfSite(r.Host, r.Path)
}

// platformOfSite tries the host, then its parents: the most specific row wins,
// and on one host a path before the host as a whole.
func (t *Table) platformOfSite(host, path string) (platform string, ok bool) {
	for more := true; more; _, host, more = strings.Cut(host, ".") {
		s := t.sites[host]
		if s == nil {
			continue
		}
		for _, p := range s.paths {
			if rest, ok := strings.CutPrefix(path, p.prefix); ok && (rest == "" || rest[0] == '/') {
				return p.platform, true
			}
		}
		if s.excluded || s.platform != "" {
			return s.platform, s.platform != ""
		}
	}
	return "", false
}
