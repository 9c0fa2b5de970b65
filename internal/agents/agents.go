// Package agents knows who visits a website: which AI agent, other bot or human
// a user agent stands for, and which AI platform sent a human there.
//
// What it knows are two tables, data/ai_agents.csv and data/ai_referrers.csv;
// the code names no AI platform. A user agent and a referrer are what the visitor
// claims: both can be forged, and much AI traffic sends neither.
package agents

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/ai_agents.csv
var agentsCSV []byte

//go:embed data/ai_referrers.csv
var referrersCSV []byte

// Agent is a row of the agent table.
type Agent struct {
	Token    string // what the user agent contains
	BotType  string // its slug, the contract's botType
	Platform string
	Purpose  string // one of Purposes
	Operator string
	DocURL   string
	Source   string
	Note     string
	Own      bool // from a user's own table
}

// Purposes says what agents fetch pages for.
var Purposes = []string{
	"training",   // bulk crawl that may feed a model
	"search",     // builds an index that answers cite
	"assistant",  // one fetch because a person asked now
	"agent",      // a browser or coding agent that acts
	purposeOther, // data providers, previews, undocumented
}

// Referrer is a row of the referrer table.
type Referrer struct {
	Kind     string // one of the Kind constants
	Value    string
	Platform string
	Source   string
	Note     string
}

// The kinds of referrer rows.
const (
	KindHost      = "host"        // a host and its subdomains
	KindHostPath  = "host_path"   // the same, below a path
	KindApp       = "android_app" // a package, as in android-app://package/
	KindUTMSource = "utm_source"  // a value of that parameter
	// KindUTMMedium rows say "AI" without saying which, so they name no
	// platform and are kept for reference only.
	KindUTMMedium = "utm_medium"
	// KindExclude rows are hosts of search and social sites. They keep a visit
	// from there from being ascribed to a less specific host.
	KindExclude = "exclude"
)

// Table answers questions about user agents and referrers. It is safe for
// concurrent use.
type Table struct {
	agents    []Agent
	referrers []Referrer
	tokens    map[string][]token // by first word, longest token first
	platforms map[string]string  // by bot type
	sites     map[string]*site   // by host
	apps      map[string]string  // platforms by package
	sources   map[string]string  // platforms by utm_source
	cache     cache
}

// New builds a table. A later agent replaces an earlier one with the same
// token, and a later referrer one with the same kind and value, so that a
// user's own rows can follow the ones that come with Sightline.
func New(agents []Agent, referrers []Referrer) *Table {
	t := &Table{
		agents:    latest(agents, func(a Agent) string { return strings.ToLower(a.Token) }),
		referrers: latest(referrers, func(r Referrer) string { return r.Kind + " " + strings.ToLower(r.Value) }),
		platforms: make(map[string]string),
	}
	for _, a := range t.agents {
		t.platforms[a.BotType] = a.Platform
	}
	t.indexTokens()
	t.indexReferrers()
	return t
}

// latest keeps the last row of each key, in the place of the first.
func latest[T any](rows []T, key func(T) string) (kept []T) {
	place := make(map[string]int)
	for _, row := range rows {
		if i, ok := place[key(row)]; ok {
			kept[i] = row
			continue
		}
		place[key(row)] = len(kept)
		kept = append(kept, row)
	}
	return kept
}

// Default returns the table that comes with Sightline.
func Default() *Table { return defaultTable() }

var defaultTable = sync.OnceValue(func() *Table {
	agents, err := ParseAgents("ai_agents.csv", bytes.NewReader(agentsCSV))
	if err != nil {
		panic(err) // A test reads the same bytes.
	}
	referrers, err := ParseReferrers("ai_referrers.csv", bytes.NewReader(referrersCSV))
	if err != nil {
		panic(err)
	}
	return New(agents, referrers)
})

// Agents returns the rows of the agent table.
func (t *Table) Agents() []Agent { return slices.Clone(t.agents) }

// Referrers returns the rows of the referrer table.
func (t *Table) Referrers() []Referrer { return slices.Clone(t.referrers) }

// PlatformOf returns the platform of an AI agent's bot type.
func (t *Table) PlatformOf(botType string) (platform string, ok bool) {
	platform, ok = t.platforms[botType]
	return platform, ok
}
