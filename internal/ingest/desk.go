package ingest

import (
	"strings"

	"github.com/sightline-hq/sightline/internal/accesslog"
	"github.com/sightline-hq/sightline/internal/facts"
	"github.com/sightline-hq/sightline/internal/weburl"
)

// desk is what one worker keeps from line to line: logs repeat themselves, and
// what was worked out for one page or user agent holds for all its visits.
type desk struct {
	hit       accesslog.Hit
	pages     memo[*page]
	agents    memo[*agent]
	referrers memo[*referrer]
	hosts     memo[*host]
	origins   map[facts.Origin]*facts.Origin
	message   []byte // of a visitor's id
	fields    []string
}

// What all desks together remember of a kind, at most.
const (
	maxPages     = 1 << 17
	maxAgents    = 1 << 14
	maxReferrers = 1 << 14
	maxHosts     = 1 << 12
	maxOrigins   = 1 << 12
	// Longer texts are rare, and mostly attacks.
	maxMemoKey = 512
)

// newDesk makes one of several desks; the more there are, the less each keeps.
func newDesk(desks int) *desk {
	return &desk{
		pages: newMemo[*page](maxPages / desks), agents: newMemo[*agent](maxAgents / desks),
		referrers: newMemo[*referrer](maxReferrers / desks), hosts: newMemo[*host](maxHosts / desks),
		origins: make(map[facts.Origin]*facts.Origin),
	}
}

// memo remembers what was worked out for a text. When it is full it starts
// over, which costs less than keeping track of use.
type memo[T any] struct {
	known map[string]T
	most  int
}

func newMemo[T any](most int) memo[T] { return memo[T]{make(map[string]T), most} }

// of returns what is known of a text, or works it out.
func (m *memo[T]) of(text []byte, work func(text string) (T, error)) (T, error) {
	if known, ok := m.known[string(text)]; ok {
		return known, nil
	}
	key := string(text)
	value, err := work(key)
	if err != nil || len(key) > maxMemoKey {
		return value, err
	}
	if len(m.known) >= m.most {
		clear(m.known)
	}
	m.known[key] = value
	return value, nil
}

// page is a URL that was asked for.
type page struct {
	facts.Page
	host      string // empty where only a path was given
	utmSource string
	asset     dropping
}

func newPage(url string) (*page, error) {
	parsed, err := weburl.ParsePage(url)
	if err != nil {
		return nil, err
	}
	path := weburl.NormalizePath(parsed.Path)
	p := &page{host: parsed.Host, utmSource: parsed.UTMSource, asset: assetOf(parsed.Path)}
	p.Page = facts.Page{URLPath: parsed.Path, NormalizedURLPath: path, URLPathDirectory: weburl.Directory(path)}
	return p, nil
}

// agent is a user agent, and who it is.
type agent struct {
	facts.Agent
	platform, botType string
	bot               bool
}

// referrer is where a visit came from, and which AI platform that is.
type referrer struct {
	raw, host, platform string
}

// host is the name of a website as a log gives it.
type host struct {
	domain string
}

func newHost(name string) (*host, error) { return &host{weburl.BareDomain(name)}, nil }

// origin returns the one value for all visits with the same origin.
func (d *desk) origin(platform, botType string) *facts.Origin {
	key := facts.Origin{Platform: platform, BotType: botType}
	if o, ok := d.origins[key]; ok {
		return o
	}
	if len(d.origins) >= maxOrigins {
		clear(d.origins)
	}
	o := &facts.Origin{Platform: strings.Clone(platform), BotType: strings.Clone(botType)}
	d.origins[*o] = o
	return o
}
