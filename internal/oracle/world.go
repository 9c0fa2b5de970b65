// Package oracle answers the seven questions of the contract again: naively,
// in memory, with loops over slices. It is the yardstick that the real server
// is compared with, so it shares no code with it beyond the answer types, and
// it prefers the plain way of saying a rule to the fast one.
//
// Whatever needs a table or a parser (which agent a user agent is, what a path
// is normalized to, the canonical form of a URL) is not worked out here: a
// World carries that truth beside the raw text that the server is given.
package oracle

import "time"

// World is everything a server knows: the workspace and the loaded lines.
type World struct {
	Teams     []Team
	Catalog   []Product  // the products of the workspace
	Answers   []Answer   // in load order
	Pageviews []Pageview // in load order
	Loads     int        // how many loads each kind of line is split into
}

// Team owns products and may manage other teams.
type Team struct {
	ID, Name string
	Manages  []string
}

// Product is a product of the workspace. Without a team it is known only as a
// competitor.
type Product struct {
	ID          int64
	Team        string
	Name        string
	Website     string
	Domain      string
	Competitors []int64
	Websites    []Website
	Labels      []Label
	Prompts     []Prompt
}

// Website is a website of a product.
type Website struct {
	ID, Domain string
	Partner    bool
	Untracked  bool
}

// Label is a label that a product's prompts may carry.
type Label struct {
	ID   int64
	Name string
}

// Prompt is tracked for one product and one of its domains.
type Prompt struct {
	ID        int64
	Text      string
	Domain    string
	Platforms []string
	Labels    []int64
}

// Moment is a time as it was sent, and the whole second of UTC that it means.
type Moment struct {
	Sent string
	Time time.Time
}

// Answer is one run of a prompt.
type Answer struct {
	ID        string
	PromptID  int64
	Platform  string
	At        Moment
	Mentions  []Mention
	Citations []Citation
}

// Mention says that an answer names a product, at this place.
type Mention struct {
	ProductID int64
	Position  int64
}

// Citation is a cited URL as it was sent, with its canonical form and domain.
type Citation struct {
	Sent        string
	URL, Domain string
}

// Pageview is a line of a tracking snippet or a CDN worker. Empty strings and a
// zero status are not sent.
type Pageview struct {
	ID        string
	At        Moment
	WebsiteID string
	URL       string
	Method    string
	Status    int
	UserAgent string
	Referrer  string
	IP        string
	VisitorID string
	Platform  string
	BotType   string
	Truth     Truth
}

// Truth is what the raw fields of a pageview mean, one by one. How they combine
// to a visit is the oracle's to say.
type Truth struct {
	Agent            Agent  // by the user agent
	BotTypePlatform  string // by a bot type that was sent
	PageHost         string // lower case, without www., port and trailing dot
	ReferrerHost     string // the same; empty without a referrer
	ReferrerPlatform string // none if no AI platform
	UTMSource        string
	UTMPlatform      string // none if no AI platform
	URLPath          string
	NormalizedPath   string
	Directory        string
	File             File
}

// Agent is what a user agent belongs to. The zero value is a human's browser.
type Agent struct {
	Bot               bool
	Platform, BotType string
}

// File is the kind of thing that a path names.
type File int

// Pages always count as visits, documents for bots only, assets never.
const (
	Page File = iota
	Document
	Asset
)

// loadedAnswers is what is left when an answer replaces the older ones with its id.
func (w *World) loadedAnswers() (loaded []Answer) {
	for i, a := range w.Answers {
		replaced := false
		for _, later := range w.Answers[i+1:] {
			replaced = replaced || later.ID == a.ID
		}
		if !replaced {
			loaded = append(loaded, a)
		}
	}
	return loaded
}

func (w *World) team(id string) (Team, bool) {
	for _, t := range w.Teams {
		if t.ID == id {
			return t, true
		}
	}
	return Team{}, false
}

func (w *World) product(id int64) (Product, bool) {
	for _, p := range w.Catalog {
		if p.ID == id {
			return p, true
		}
	}
	return Product{}, false
}
