// Package facts is what happened: visits to websites, answers of AI platforms,
// and the mentions and citations in them. It says what a fact is, how facts are
// read (Source, Set) and how they are added (Load); the engines below it do so.
package facts

import (
	"context"
	"time"
)

// Visit is one page seen by a bot or a human (S17, S18).
type Visit struct {
	ID        string // the sender's own; empty for most
	Second    int64  // Unix time, UTC
	WebsiteID string
	Bot       bool
	Referred  bool   // a human from another host, or with a utm_source
	Visitor   uint64 // a human, per website and ISO week (S19); 0 for bots
	*Origin
	*Page
	*Agent
}

// Origin, Page and Agent are parts of a visit that many visits have in common.
// Whoever makes visits should share them: a loader knows those again by their
// address that it has seen, and then need not look at the texts. They must not
// change.
type (
	// Origin is who came, or who sent them.
	Origin struct{ Platform, BotType string }
	// Page is what was asked for (S20).
	Page struct{ URLPath, NormalizedURLPath, URLPathDirectory string }
	// Agent is with what.
	Agent struct{ UserAgent string }
)

// Answer is one answer of an AI platform to a prompt.
type Answer struct {
	ID        string
	Second    int64 // Unix time, UTC
	ProductID int64 // the one that the prompt belongs to, for ever
	PromptID  int64
	// PromptKind is a name for prompts that are likely to be asked for together.
	// Sums are kept for each; it changes no answer.
	PromptKind string
	Platform   string
	Mentions   []Mention
	Citations  []Citation // distinct by URL
}

// Mention is a product's place in an answer.
type Mention struct {
	ProductID int64
	Position  int64 // 1 = mentioned first
}

// Citation is a URL that an answer cites.
type Citation struct {
	URL    string // canonical (S13)
	Domain string
}

// Lengths of the time buckets, in seconds.
const (
	DaySeconds  = 24 * 60 * 60
	WeekSeconds = 7 * DaySeconds
	// mondayOffset is how far Unix time's start, a Thursday, is from its Monday.
	mondayOffset = 3 * DaySeconds
)

// FirstSecond and LastSecond bound the time of an event: earlier and later
// ones are mistakes of the sender.
var (
	FirstSecond = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	LastSecond  = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix() - 1
)

// Week returns the start of the ISO week of a second: Monday, 00:00 UTC.
func Week(second int64) int64 {
	return second - (second+mondayOffset)%WeekSeconds
}

// Source gives the facts that are published now.
type Source interface {
	// Acquire pins the current set. The caller closes it when its answer is
	// complete; a set stays whole until then, whatever is published meanwhile.
	Acquire() (Set, error)
}

// Set is the published facts at one version.
type Set interface {
	Version() int64
	// Edition is another number for every set that may answer otherwise within this
	// process, also if the version is the same: a file that was found damaged and
	// restored, or a folder in the place of another, makes a new one.
	Edition() int64
	Dialect() Dialect
	// Table returns what to write after FROM to read columns of the rows of a
	// table that may lie between two seconds. The rows still need the condition
	// of Within.
	Table(t Table, columns []string, first, last int64) string
	// Within is the condition that holds for the rows of a table between two
	// seconds, both included, and for no others. Tables of one kind share it.
	Within(t Table, first, last int64) string
	// Has says whether a table has all of the rows between two seconds that the
	// visits give: facts that were loaded by an earlier program may lack some tables.
	Has(t Table, first, last int64) bool
	// Stretches cuts a window at borders of ISO weeks into stretches, by time, that
	// are better grouped one after another than at once. It may leave out those in
	// which a table has no rows.
	Stretches(t Table, first, last int64) []Stretch
	// Query runs a statement and calls row for each row. It returns an error
	// also when the stream of rows ended early.
	Query(ctx context.Context, statement Statement, row func(scan Scan) error) error
	// Again pins the same set once more, to be closed on its own.
	Again() Set
	Close()
}

// Stretch is a first and a last second.
type Stretch struct{ First, Last int64 }

// Statement is SQL with its arguments; a caller's text is only ever an argument.
type Statement struct {
	SQL  string
	Args []any
	// OneWebsite says that it reads visits or totals, of one website alone.
	OneWebsite bool
	// Apart says that it reads parts of a window that lie apart, which can be read at once.
	Apart bool
}

// Scan reads the columns of the current row.
type Scan func(dest ...any) error

// Table is a table of facts.
type Table string

// The tables of facts, and their columns.
const (
	// Visits: ts, website_id, bot and referred (0 or 1), platform, bot_type,
	// visitor, url_path, normalized_url_path, url_path_directory, user_agent;
	// and website_key, page_key, agent_key: values that are equal within an ISO
	// week where website_id, normalized_url_path and user_agent are, to count
	// distinct ones without reading the strings. An engine may have more of them
	// (Dialect.Grouped).
	Visits Table = "visits"
	// Totals are the figures of whole days and weeks, by website_id, bucket, width
	// (1 or 7, in days), level and, where the level says so, platform and bot_type:
	// bot_visits, human_visits, … as the contract names the metrics, and all_pages,
	// bot_paths, human_paths, all_paths, which count the rows of a report by page
	// or path. For every level, bucket and website, each visit is in one row.
	Totals Table = "totals"
	// DirectoryTotals are the metrics of whole days and weeks by website_id, bucket,
	// width and url_path_directory. A set may not have them (Set.Has).
	DirectoryTotals Table = "directory_totals"
	// AgentTotals are the user agents of bots, by website_id, bucket, width, platform
	// and bot_type: each agent_key once, to count them over websites. A set may not
	// have them (Set.Has).
	AgentTotals Table = "agent_totals"
	// BusyPages are the metrics of whole days and weeks of pages that have at least
	// BusyVisits in the ISO week, by website_id, bucket, width, level (0 or
	// LevelPlatform), normalized_url_path and, where the level says so, platform. A set
	// may not have them (Set.Has).
	BusyPages Table = "busy_pages"
	// Answers: answer_key, ts, product_id, prompt_id, platform.
	Answers Table = "answers"
	// Mentions: answer_key, ts, prompt_id, platform, product_id, position.
	Mentions Table = "mentions"
	// Citations: answer_key, ts, prompt_id, platform, domain, url.
	Citations Table = "citations"
)

// BusyVisits is how many visits of an ISO week make a page of a website busy. Facts
// remember no other number: tests set a smaller one before they load any.
var BusyVisits int64 = 100

// Levels of the totals: 0, or one or both of these.
const (
	LevelPlatform = 1
	LevelBotType  = 2
)

// Dialect is what engines spell differently, and nothing else.
type Dialect interface {
	// CountIf counts the rows for which a condition holds.
	CountIf(condition string) string
	// DistinctIf counts the distinct values of columns over those rows.
	DistinctIf(condition string, columns ...string) string
	// When is a column of visits that says in which day each was, and so in which week.
	When() string
	// TopPer keeps the first n rows of each partition of a query, in an order.
	TopPer(query, partition, order string, n int64) string
	// Grouped returns how to show a column of visits that rows are grouped by within
	// ISO weeks, and the key to group by; no key where the column itself is as quick.
	Grouped(column string) (shown, key string)
	// CountOver counts the rows of a query, beside each of them, which may be a union
	// of several; it is empty where an engine cannot.
	CountOver(union bool) string
}
